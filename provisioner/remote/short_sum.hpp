#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// Sixteen hexadecimal digits that distinguish texts: FNV-1a, 64 bits. It does not resist texts
/// made to collide; base no trust on it. Names the wrapper script and the kinds of steps. Source:
/// RFC 9923.
std::string short_sum(std::string_view text);

}  // namespace provisioner::remote
