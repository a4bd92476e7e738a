#pragma once

#include <compare>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::base {

/// One thing a person asked wrongly: which field, and why, as a sentence they can act on.
/// `field` is the dotted path of the JSON member or the form field's name; empty when no single
/// field is to blame.
struct Problem {
    std::string field;
    std::string message;

    auto operator<=>(const Problem&) const = default;
};

/// Every problem of a request, in the order found; never empty where it stands for a failure.
using Problems = std::vector<Problem>;

/// A value, or all Problems of the request that asked for it.
template <class T>
using Checked = expected<T, Problems>;

/// The messages of `problems`, each "field: message" (just the message without a field), separated
/// by "; ".
std::string to_text(const Problems& problems);

}  // namespace provisioner::base
