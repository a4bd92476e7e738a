#include "provisioner/contents/move.hpp"

#include "provisioner/contents/sources.hpp"
#include "provisioner/contents/sweep.hpp"

namespace provisioner::contents {

namespace {

constexpr int moved_at_once = 100;

/// What moving one content needs.
struct Walk {
    store::Database& database;
    const Contents& contents;
    model::ContentPlace to;
    const base::Clock& clock;

    /// False when nothing refers to the content any more. References move before the old bytes are
    /// removed, so readers always find one of the two.
    bool move(const store::StoredContent& old) const {
        try {
            if (!replace_by_copy(old)) return false;
        } catch (const std::exception&) {
            // A sweep or another move may have removed the old bytes meanwhile; that is no failure.
            if (is_kept(old)) throw;
            return false;
        }
        contents.remove_unused(old, upload_patience);
        return true;
    }

    bool replace_by_copy(const store::StoredContent& old) const {
        const auto source = contents.open(old.content);
        const auto fresh = contents.take_in(*source, old.content.size, to, clock.now());
        try {
            drain(*contents.read_back(fresh));
            const bool replaced = database.write([&](store::Connection& connection) {
                contents.keep_new(connection, fresh);
                return store::replace_content(connection, old.id, fresh.id);
            });
            if (!replaced) contents.discard(fresh);
            return replaced;
        } catch (...) {
            contents.discard(fresh);
            throw;
        }
    }

    bool is_kept(const store::StoredContent& content) const {
        return database.write([&](store::Connection& connection) {
            return store::hold_content(connection, content.id);
        });
    }
};

}  // namespace

Moved move_contents(store::Database& database, const Contents& contents, model::ContentPlace to,
                    const base::Clock& clock,
                    const std::function<void(const model::Content&)>& moved) {
    contents.at(to);
    Moved result;
    // Sweeps first, so that unused contents are not copied.
    result.problems = sweep(database, contents, upload_patience).problems;
    const Walk walk{.database = database, .contents = contents, .to = to, .clock = clock};
    model::ContentId after;
    for (;;) {
        const auto some = database.read([&](store::Connection& connection) {
            return store::contents_elsewhere(connection, to, after, moved_at_once);
        });
        if (some.empty()) break;
        after = some.back().id;
        for (const store::StoredContent& one : some) {
            try {
                if (!walk.move(one)) continue;
                ++result.contents;
                result.bytes += one.content.size;
                moved(one.content);
            } catch (const std::exception& error) {
                result.problems.push_back("content " + one.content.name + ": " + error.what());
            }
        }
    }
    result.elsewhere = database.read(
        [&](store::Connection& connection) { return store::count_elsewhere(connection, to); });
    return result;
}

}  // namespace provisioner::contents
