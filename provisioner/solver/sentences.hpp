#pragma once

#include <string>
#include <vector>

namespace provisioner::solver {

/// The names with `separator` between each two; "" without names.
std::string joined(const std::vector<std::string>& names, const std::string& separator);

/// An enumeration for people: "a", "a or b", "a, b or c" with `last` = "or". "" without names.
std::string listed(const std::vector<std::string>& names, const std::string& last);

/// `text` with its first byte in upper case; only ASCII letters change.
std::string capitalised(std::string text);

/// The noun with its article: "a flavor", "an image". Decides by the first letter alone.
std::string an(const std::string& noun);

/// The number with its noun: "1 node", "2 nodes". The plural always ends in "s".
std::string counted(long count, const std::string& noun);

}  // namespace provisioner::solver
