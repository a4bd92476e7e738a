#pragma once

#include <string_view>

namespace provisioner::identity {

/// Whether the texts are equal. The time it takes says nothing about where they differ, and nothing
/// about their lengths: both are hashed first.
bool are_equal_in_constant_time(std::string_view one, std::string_view other);

}  // namespace provisioner::identity
