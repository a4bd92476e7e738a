#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "provisioner/contents/contents.hpp"

namespace provisioner::contents {

/// What became of a sweep.
struct Swept {
    int removed = 0;
    /// For each place that failed: a content that could not be removed, and why. The next sweep
    /// tries again.
    std::vector<std::string> problems;
};

/// Removes contents that nobody refers to, and uploads of which nothing has arrived for `patience`.
/// Harmless beside uploads and other sweeps: what an upload takes at that moment stays. A place
/// that fails is left alone for the rest of the sweep. Ends early when `stopping` says so.
Swept sweep(store::Database& database, const Contents& contents, std::chrono::seconds patience,
            const std::function<bool()>& stopping = {});

}  // namespace provisioner::contents
