#include "provisioner/federation/ldap/accounts.hpp"

#include <limits>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::federation {

namespace {

constexpr std::uint64_t disabled_bit = 2;
/// What the password policy of OpenLDAP writes for "locked until somebody unlocks it".
constexpr auto locked_for_good = "000001010000Z";

/// The end of an account of Active Directory: tenths of a microsecond since 1601. Both 0 and the
/// largest number mean that there is none.
bool has_expired(std::int64_t moment, base::Timestamp now) {
    constexpr std::chrono::seconds from_1601_to_1970{11'644'473'600};
    constexpr std::int64_t ticks = 10;
    if (moment == 0 || moment == std::numeric_limits<std::int64_t>::max()) return false;
    const std::chrono::microseconds since_1601{moment / ticks};
    return base::Timestamp{} + (since_1601 - from_1601_to_1970) <= now;
}

}  // namespace

bool keeps_out(std::string_view attribute, const std::string& value, base::Timestamp now) {
    if (attribute == "pwdAccountLockedTime") return value == locked_for_good;
    if (attribute == "nsAccountLock") return base::in_small_letters(value) == "true";
    const auto number = base::parse_number(value);
    if (!number) return true;
    if (attribute == "accountExpires") return has_expired(*number, now);
    return attribute == "userAccountControl" &&
           (static_cast<std::uint64_t>(*number) & disabled_bit) != 0;
}

}  // namespace provisioner::federation
