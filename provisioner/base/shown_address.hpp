#pragma once

#include <string>

namespace provisioner::base {

/// What may be shown of a value that may be an address: "***" stands for a user with a password
/// ("https://user:word@host", "user:word@host:3128") and for the query behind "?". Other texts are
/// unchanged.
std::string without_credentials(const std::string& value);

}  // namespace provisioner::base
