#pragma once

#include <tl/expected.hpp>

namespace provisioner::base {

/// A value or the reason why there is none. The standard's own names (std::expected is C++23;
/// Debian's tl::expected is its published predecessor), so that the day it is there these two lines
/// change.
using tl::expected;
using tl::unexpected;

}  // namespace provisioner::base
