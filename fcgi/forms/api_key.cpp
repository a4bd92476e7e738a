#include "fcgi/forms/api_key.hpp"

#include "fcgi/forms/signed_number.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/model/tenants/key_rights.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
using provisioner::operations::KeySpec;

namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

void read_rights(ObjectReader& reader, model::KeyLimits& limits) {
    const bool are_wanted = limits.scope == model::KeyScope::some;
    const auto names = reader.names("rights");
    for (const std::string& text : names) {
        const auto right = model::right_from(text);
        if (right) limits.rights.insert(*right);
        if (!right)
            reader.problem("rights", text + " is not a right; rights look like clusters:read");
    }
    if (are_wanted && names.empty()) {
        reader.problem("rights", "must name at least one right for the scope some");
    }
    if (!are_wanted && !limits.rights.empty()) {
        reader.problem("rights", "are for the scope some only");
    }
}

void read_clusters(ObjectReader& reader, model::KeyLimits& limits) {
    for (const std::string& text : reader.names("clusters")) {
        const auto id = base::parse_number(text);
        if (id) limits.clusters.insert(*id);
        if (!id) reader.problem("clusters", text + " is no id of a cluster");
    }
    if (limits.clusters.size() > most_clusters_of_key) {
        reader.problem("clusters", "must not be more than " + std::to_string(most_clusters_of_key));
    }
}

}  // namespace

Checked<KeySpec> api_key(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    KeySpec wanted;
    wanted.name = reader.text("name").value_or("");
    if (const auto wrong = model::problem_with_name(wanted.name)) reader.problem("name", *wrong);
    const auto scope = base::from_word<model::KeyScope>(reader.text("scope").value_or("all"));
    if (!scope) reader.problem("scope", "must be all, read or some");
    wanted.limits.scope = scope.value_or(model::KeyScope::read);
    read_rights(reader, wanted.limits);
    read_clusters(reader, wanted.limits);
    if (const Json* moment = reader.value("expireTime")) {
        wanted.expires_at = signed_number(*moment);
        if (!wanted.expires_at) reader.problem("expireTime", "must be milliseconds since 1970");
        if (wanted.expires_at == 0) wanted.expires_at.reset();
    }
    return model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
