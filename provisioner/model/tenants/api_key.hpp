#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What a key may be used for.
enum class KeyScope { all, read };

/// An API key of a user without the key itself: of that only a hash is stored.
struct ApiKey {
    std::int64_t id = 0;
    /// Tells the user's keys apart.
    std::string name;
    KeyScope scope = KeyScope::all;
    base::Timestamp created_at{};
    /// Nothing: never.
    std::optional<base::Timestamp> expires_at{};
};

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::KeyScope>{
    std::pair{model::KeyScope::all, std::string_view("all")},
    std::pair{model::KeyScope::read, std::string_view("read")}};

}  // namespace provisioner::base
