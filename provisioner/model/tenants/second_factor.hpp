#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// Who has to have a second factor, from the mildest to the strictest.
enum class SecondFactorFor { nobody, admins, everybody };

/// A security key or passkey of a user: a row of table security_key. What its columns mean stands
/// in identity/security_keys/security_key.hpp.
struct SecurityKey {
    std::int64_t id = 0;
    /// What its owner calls it; unique among the owner's.
    std::string name{};
    /// Of the site for which it was made: it signs for no other.
    std::string host{};
    std::string credential{};
    int algorithm = 0;
    std::string public_key{};
    std::uint32_t count = 0;
    bool is_backed_up = false;
    base::Timestamp created_at{};
    std::optional<base::Timestamp> last_used_at{};
};

/// Keys that a user may have: one at home, one in the pocket, and some devices.
inline constexpr std::size_t most_security_keys = 20;

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of auth.second_factor and tenant.second_factor.
template <>
inline constexpr std::array words<model::SecondFactorFor>{
    std::pair{model::SecondFactorFor::nobody, std::string_view("nobody")},
    std::pair{model::SecondFactorFor::admins, std::string_view("admins")},
    std::pair{model::SecondFactorFor::everybody, std::string_view("everybody")}};

}  // namespace provisioner::base
