#pragma once

#include <array>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"

namespace provisioner::federation {

/// Attributes by which directories keep somebody out: Active Directory (its flags, and the end of
/// an account), the password policy of OpenLDAP, 389 Directory Server and FreeIPA.
inline constexpr std::array attributes_of_locks{"userAccountControl", "accountExpires",
                                                "pwdAccountLockedTime", "nsAccountLock"};

/// Whether this value of one of these attributes keeps its user out at `now`. What is no number
/// where one belongs does.
bool keeps_out(std::string_view attribute, const std::string& value, base::Timestamp now);

}  // namespace provisioner::federation
