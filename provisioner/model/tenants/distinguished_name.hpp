#pragma once

#include <string>
#include <string_view>

namespace provisioner::model {

/// A distinguished name (RFC 4514) as it is compared: escapes undone, letters small, no blanks
/// around parts. A comma, plus or equal sign in a value has an escape of hexadecimal digits, so
/// each one without a backslash is a divider. Parts keep their order.
std::string comparable_name(std::string_view text);

}  // namespace provisioner::model
