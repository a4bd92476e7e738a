#pragma once

#include <string>

namespace provisioner::base {

/// What may be shown of a value that may be an address or a list of them: "***" stands for a user
/// with a password ("https://user:word@host", "user:word@host:3128") and for what is behind "?" and
/// "#". A password may have any of "/?#,@" in it, so rather too much is hidden: all of a word up to
/// its last "@" if a ":" is before that. Other texts are unchanged.
std::string without_credentials(const std::string& value);

}  // namespace provisioner::base
