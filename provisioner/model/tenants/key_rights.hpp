#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/rights.hpp"

namespace provisioner::model {

// What API keys may do. Pure.

/// Whether every request that `wanted` lets through would be let through with `own` as well, and
/// not for longer. So a key makes no key that may do more.
struct KeyComparison {
    bool has_more_rights = false;
    bool has_more_clusters = false;
    bool lives_longer = false;
};
KeyComparison compare(const KeyLimits& own, const KeyLimits& wanted);

/// Whether a key with these limits may read, or with `changes` change, resources of `kind`.
/// Nothing for the kind: a call that belongs to none, which only keys with the scopes all and read
/// may make.
bool allows(const KeyLimits& limits, const std::optional<ResourceKind>& kind, bool changes);

/// What a role has to have for calls that a right of a key names.
Right needed_for(const KeyRight& right);

/// The rights of the key that its user's role does not have at present. Empty for the scopes all
/// and read, which follow the role.
std::set<KeyRight> lacking_rights(const KeyLimits& limits, Role role);

/// "clusters:read", as rights are written in the API and the database.
std::string to_text(const KeyRight& right);
std::optional<KeyRight> right_from(std::string_view text);

}  // namespace provisioner::model
