#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What an API key may be used for.
enum class KeyScope {
    /// Everything its user may do.
    all,
    /// Requests that change nothing; others are answered with 403.
    read
};

/// The name of the key that a user gets at first.
constexpr const char* first_key_name = "first-key";

/// An API key of a user, without the key itself: a row of table api_key. Scripts send the key in a
/// header in place of a login. The database stores only its hash (identity/tokens.hpp), so a lost
/// key cannot be shown again. Deleted with its user.
struct ApiKey {
    /// Key of the row; identifies it in the API.
    std::int64_t id = 0;
    /// Chosen by the user; unique among that user's keys. Not a secret.
    std::string name;
    /// Checked for each request (fcgi/site.cpp); never changes.
    KeyScope scope = KeyScope::all;
    /// By the web process's clock.
    base::Timestamp created_at{};
    /// From this moment on the key is refused; nothing: never.
    std::optional<base::Timestamp> expires_at{};
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of api_key.scope and of "scope" in the API.
template <>
inline constexpr std::array words<model::KeyScope>{
    std::pair{model::KeyScope::all, std::string_view("all")},
    std::pair{model::KeyScope::read, std::string_view("read")}};

}  // namespace provisioner::base
