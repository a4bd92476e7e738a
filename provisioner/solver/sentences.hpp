#pragma once

#include <string>
#include <vector>

namespace provisioner::solver {

/// The names with `separator` between them.
std::string joined(const std::vector<std::string>& names, const std::string& separator);

/// "a", "a or b", "a, b or c" with `last` = "or".
std::string listed(const std::vector<std::string>& names, const std::string& last);

/// `text` with a capital first letter.
std::string capitalised(std::string text);

/// "a flavor", "an image".
std::string an(const std::string& noun);

/// "1 node", "2 nodes".
std::string counted(long count, const std::string& noun);

}  // namespace provisioner::solver
