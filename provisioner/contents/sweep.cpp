#include "provisioner/contents/sweep.hpp"

#include <set>

namespace provisioner::contents {

namespace {

/// The rest is left to the next sweep.
constexpr int most_at_once = 1000;

}  // namespace

Swept sweep(store::Database& database, const Contents& contents, std::chrono::seconds patience,
            const std::function<bool()>& stopping) {
    const auto candidates = database.read([&](store::Connection& connection) {
        return store::contents_to_remove(connection, patience, most_at_once);
    });
    Swept swept;
    std::set<model::ContentPlace> failing;
    for (const store::StoredContent& one : candidates) {
        if (stopping && stopping()) break;
        if (failing.contains(one.content.place)) continue;
        try {
            if (contents.remove_unused(one, patience)) ++swept.removed;
        } catch (const std::exception& error) {
            failing.insert(one.content.place);
            swept.problems.push_back("content " + one.content.name + ": " + error.what());
        }
    }
    return swept;
}

}  // namespace provisioner::contents
