#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// Sixteen hexadecimal digits that tell texts apart which nobody makes alike on purpose: FNV-1a, 64
/// bits. Source: RFC 9923.
std::string short_sum(std::string_view text);

}  // namespace provisioner::remote
