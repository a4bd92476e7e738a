#include "fcgi/auth/key_scope.hpp"

#include <array>

#include "provisioner/base/ids.hpp"
#include "provisioner/model/tenants/key_rights.hpp"

namespace fcgi::auth {

namespace model = provisioner::model;
using model::ResourceKind;

namespace {

struct Below {
    std::string_view path;
    ResourceKind kind;
};

/// The first that fits counts.
constexpr std::array kinds{
    Below{"/v2/clusters", ResourceKind::clusters},
    Below{"/v2/tasks", ResourceKind::clusters},
    Below{"/v2/nodes", ResourceKind::clusters},
    Below{"/v2/getNodeProperties", ResourceKind::clusters},
    Below{"/v2/metrics/nodes/usage", ResourceKind::costs},
    Below{"/v2/metrics/queues", ResourceKind::operations},
    Below{"/v2/plugins", ResourceKind::catalogue},
    Below{"/v2/providers", ResourceKind::catalogue},
    Below{"/v2/providertests", ResourceKind::catalogue},
    Below{"/v2/hardwaretypes", ResourceKind::catalogue},
    Below{"/v2/imagetypes", ResourceKind::catalogue},
    Below{"/v2/services", ResourceKind::catalogue},
    Below{"/v2/clustertemplates", ResourceKind::catalogue},
    Below{"/v2/partialtemplates", ResourceKind::catalogue},
    Below{"/v2/export", ResourceKind::catalogue},
    Below{"/v2/import", ResourceKind::catalogue},
    Below{"/v2/resolve", ResourceKind::catalogue},
    Below{"/v2/unknownmachines", ResourceKind::machines},
    Below{"/v2/lostmachines", ResourceKind::machines},
    Below{"/v2/machineleases", ResourceKind::machines},
    Below{"/v2/loginkeys", ResourceKind::machines},
    Below{"/v2/provideraccounts", ResourceKind::machines},
    Below{"/v2/prices", ResourceKind::costs},
    Below{"/v2/budget", ResourceKind::costs},
    Below{"/v2/profile", ResourceKind::profile},
    Below{"/v2/tenants", ResourceKind::people},
    Below{"/v2/groups", ResourceKind::people},
    Below{"/v2/permissions", ResourceKind::people},
    Below{"/v2/identityproviders", ResourceKind::people},
    Below{"/v2/audit", ResourceKind::audit},
    Below{"/v2/provisioners", ResourceKind::operations},
    Below{"/v2/daemons", ResourceKind::operations},
};

bool is_below(const std::string& pattern, std::string_view path) {
    return pattern.starts_with(path) &&
           (pattern.size() == path.size() || pattern[path.size()] == '/');
}

bool is_about(const std::set<std::int64_t>& clusters, const std::string& pattern,
              const std::map<std::string, std::string>& values) {
    if (!is_below(pattern, "/v2/clusters/{id}")) return false;
    const auto id = provisioner::base::parse_number(values.at("id"));
    return id && clusters.contains(*id);
}

}  // namespace

std::optional<ResourceKind> kind_of_route(const std::string& pattern) {
    for (const auto& [path, kind] : kinds) {
        if (is_below(pattern, path)) return kind;
    }
    return std::nullopt;
}

std::string refused_by_key(const model::KeyLimits& limits, const std::string& pattern,
                           const std::map<std::string, std::string>& values, bool changes) {
    if (limits.scope == model::KeyScope::read && changes) return "This API key may only read.";
    const auto kind = kind_of_route(pattern);
    if (!model::allows(limits, kind, changes)) {
        if (!kind) return "This API key has no right to this call.";
        return "This API key lacks the right " + model::to_text({*kind, changes}) + ".";
    }
    if (!limits.clusters.empty() && !is_about(limits.clusters, pattern, values)) {
        return "This API key is for other calls: those about its clusters.";
    }
    return "";
}

}  // namespace fcgi::auth
