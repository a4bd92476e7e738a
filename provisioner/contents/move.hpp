#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/contents/contents.hpp"

namespace provisioner::contents {

/// The result of move_contents().
struct Moved {
    /// Contents that were moved, and their bytes.
    int contents = 0;
    std::uint64_t bytes = 0;
    /// One text per content that could not be moved, or whose old bytes could not be removed, with
    /// the cause. Problems of the first sweep come first.
    std::vector<std::string> problems;
    /// Number of contents that other places have at the end, in any state. These are contents with
    /// problems, and uploads that go there meanwhile.
    int elsewhere = 0;
};

/// Moves all kept contents to one place. Sweeps first, so that unused bytes are not copied. Then
/// each content is copied as a new one, read back and compared by hash. References move to the copy
/// in one transaction, and the old bytes are removed.
///
/// May be interrupted at any moment and run again. Harmless beside uploads, sweeps and other moves:
/// a content that disappears meanwhile is skipped. Calls `moved` after each content, on the calling
/// thread. Blocks until all are moved. Throws PlaceError when `to` is not configured, and what the
/// database throws. Used by `cooperage-migrate move-contents`.
Moved move_contents(store::Database& database, const Contents& contents, model::ContentPlace to,
                    const base::Clock& clock,
                    const std::function<void(const model::Content&)>& moved);

}  // namespace provisioner::contents
