#pragma once

#include <map>
#include <optional>
#include <string>

#include "provisioner/model/tenants/api_key.hpp"

namespace fcgi::auth {

/// What calls of a route of the API are about; nothing for a route that no right names (a unit test
/// demands a kind for each).
std::optional<provisioner::model::ResourceKind> kind_of_route(const std::string& pattern);

/// Why a key may not make a call, for the answer 403; empty when it may. `values` are those of the
/// route's placeholders: a key for single clusters may only make calls whose {id} is one of them.
std::string refused_by_key(const provisioner::model::KeyLimits& limits, const std::string& pattern,
                           const std::map<std::string, std::string>& values, bool changes);

}  // namespace fcgi::auth
