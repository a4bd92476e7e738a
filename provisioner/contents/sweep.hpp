#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "provisioner/contents/contents.hpp"

namespace provisioner::contents {

/// An upload without news for so long was given up; a live one updates its row each minute.
constexpr std::chrono::seconds upload_patience{3600};

/// The result of a sweep.
struct Swept {
    /// Number of contents that were removed, bytes and row.
    int removed = 0;
    /// At most one text per failing place: a content that could not be removed, and why. The next
    /// sweep tries again.
    std::vector<std::string> problems;
};

/// Removes contents that nothing refers to, and uploads of which nothing arrived for `patience`.
/// The daemon calls it periodically in a thread of its own, and move_contents() before it begins.
///
/// Harmless beside uploads and other sweeps: each removal locks the content's row and then checks
/// the references again. An upload takes the same lock. A place that fails is skipped for the rest
/// of the sweep. Returns early once `stopping` returns true; it is asked before each content and
/// may be empty. Throws what the database throws while it lists contents.
Swept sweep(store::Database& database, const Contents& contents, std::chrono::seconds patience,
            const std::function<bool()>& stopping = {});

}  // namespace provisioner::contents
