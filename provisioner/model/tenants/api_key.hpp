#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What an API key may be used for.
enum class KeyScope {
    /// Everything its user may do.
    all,
    /// Requests that change nothing; others are answered with 403.
    read,
    /// The rights that the key names.
    some
};

/// What calls of the API are about.
enum class ResourceKind {
    /// Providers, types, services, templates, plugins and their files.
    catalogue,
    /// Clusters with their nodes, jobs and tasks.
    clusters,
    /// Machines beside clusters: unknown, lost and leased ones, provider accounts.
    machines,
    /// Prices, budgets and usage.
    costs,
    /// Tenants, users, groups, permissions and credentials. Whoever may change these may become
    /// anybody.
    people,
    /// The user's own profile and API keys.
    profile,
    /// The record of what was done.
    audit,
    /// Daemons and queues.
    operations,
};

/// A right of a key: to read, or to read and change, resources of a kind.
struct KeyRight {
    ResourceKind kind = ResourceKind::clusters;
    bool may_change = false;

    auto operator<=>(const KeyRight&) const = default;
};

/// How far a key reaches. key_rights.hpp compares and applies them.
struct KeyLimits {
    KeyScope scope = KeyScope::all;
    /// KeyScope::some only.
    std::set<KeyRight> rights{};
    /// Only calls about one of these clusters; empty: no such limit.
    std::set<std::int64_t> clusters{};
    /// From this moment on the key is refused; nothing: never.
    std::optional<base::Timestamp> expires_at{};
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
    /// Checked for each request (fcgi/site.cpp); never change.
    KeyLimits limits{};
    /// By the web process's clock.
    base::Timestamp created_at{};
    /// Coarse: written every few minutes; nothing: never used.
    std::optional<base::Timestamp> last_used_at{};
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of api_key.scope and of "scope" in the API.
template <>
inline constexpr std::array words<model::KeyScope>{
    std::pair{model::KeyScope::all, std::string_view("all")},
    std::pair{model::KeyScope::read, std::string_view("read")},
    std::pair{model::KeyScope::some, std::string_view("some")}};

/// Words before the colon of a right.
template <>
inline constexpr std::array words<model::ResourceKind>{
    std::pair{model::ResourceKind::catalogue, std::string_view("catalogue")},
    std::pair{model::ResourceKind::clusters, std::string_view("clusters")},
    std::pair{model::ResourceKind::machines, std::string_view("machines")},
    std::pair{model::ResourceKind::costs, std::string_view("costs")},
    std::pair{model::ResourceKind::people, std::string_view("people")},
    std::pair{model::ResourceKind::profile, std::string_view("profile")},
    std::pair{model::ResourceKind::audit, std::string_view("audit")},
    std::pair{model::ResourceKind::operations, std::string_view("operations")}};

}  // namespace provisioner::base
