#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/contents/contents.hpp"

namespace provisioner::contents {

/// What became of a move.
struct Moved {
    int contents = 0;
    std::uint64_t bytes = 0;
    /// For each content that could not be moved or whose old bytes could not be removed: which one
    /// and why.
    std::vector<std::string> problems;
    /// Contents that other places still have: those with problems, and what arrives there now.
    int elsewhere = 0;
};

/// Moves all contents to one place: each is copied as a new content, read back and compared by
/// hash; then everybody who refers to the old one gets the new, and the old one's bytes are
/// removed. May be interrupted at any moment and run again; harmless beside uploads, sweeps and
/// other moves. `moved` is told of each.
Moved move_contents(store::Database& database, const Contents& contents, model::ContentPlace to,
                    const base::Clock& clock,
                    const std::function<void(const model::Content&)>& moved);

}  // namespace provisioner::contents
