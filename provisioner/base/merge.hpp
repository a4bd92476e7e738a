#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"

namespace provisioner::base {

/// A member that both sides changed, to different values. Null where it is not there.
struct Overlap {
    /// Its path: "constraints.size.max". A list is one value.
    std::string member{};
    Json before{};
    Json ours{};
    Json theirs{};

    bool operator==(const Overlap&) const = default;
};

/// What becomes of a document that two have changed.
struct Merged {
    Json document{};
    /// In the order of the document.
    std::vector<Overlap> overlaps{};
    /// The members that only they changed, likewise.
    std::vector<std::string> theirs{};
};

/// Which side an overlap at this path keeps.
using KeepsOurs = std::function<bool(const std::string& member)>;

/// `before` with what each side changed in it, member by member; both sides began with `before`.
/// Objects are merged, any other value is taken whole. Overlaps are theirs unless `keeps_ours`
/// says otherwise. Pure.
Merged merged_members(const Json& before, const Json& ours, const Json& theirs,
                      const KeepsOurs& keeps_ours = {});

}  // namespace provisioner::base
