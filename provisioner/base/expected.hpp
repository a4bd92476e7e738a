#pragma once

#include <tl/expected.hpp>

namespace provisioner::base {

/// A value, or the reason why there is none. Debian's tl::expected is the published predecessor of
/// std::expected (C++23, P0323) with the same names. With a C++23 library only these two lines
/// change.
///
///     expected<int, std::string> half(int number) {
///         if (number % 2 != 0) return unexpected(std::string("odd"));
///         return number / 2;
///     }
///
/// Used for wrong requests and for refusals that the caller answers. Broken databases, networks and
/// programs throw instead.
using tl::expected;
using tl::unexpected;

}  // namespace provisioner::base
