#include "provisioner/contents/sweep.hpp"

#include <set>

namespace provisioner::contents {

namespace {

constexpr int swept_at_once = 1000;

}  // namespace

Swept sweep(store::Database& database, const Contents& contents, std::chrono::seconds patience,
            const std::function<bool()>& stopping) {
    Swept swept;
    std::set<model::ContentPlace> failing;
    model::ContentId after;
    for (;;) {
        const auto candidates = database.read([&](store::Connection& connection) {
            return store::contents_to_remove(connection, patience, after, swept_at_once);
        });
        if (candidates.empty()) return swept;
        after = candidates.back().id;
        for (const store::StoredContent& one : candidates) {
            if (stopping && stopping()) return swept;
            if (failing.contains(one.content.place)) continue;
            try {
                if (contents.remove_unused(one, patience)) ++swept.removed;
            } catch (const std::exception& error) {
                failing.insert(one.content.place);
                swept.problems.push_back("content " + one.content.name + ": " + error.what());
            }
        }
    }
}

}  // namespace provisioner::contents
