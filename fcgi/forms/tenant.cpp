#include "fcgi/forms/tenant.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
using provisioner::operations::TenantSpec;
using provisioner::operations::UserSpec;

namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

constexpr std::size_t shortest_password = 8;

int count_in(ObjectReader& reader, std::string_view key, int absent) {
    const int count = reader.whole_number(key).value_or(absent);
    if (count < 0) reader.problem(key, std::string(key) + " cannot be negative.");
    return count;
}

std::string name_in(ObjectReader& reader) {
    std::string name = reader.text("name").value_or("");
    if (const auto wrong = model::problem_with_name(name)) reader.problem("name", *wrong);
    return name;
}

}  // namespace

Checked<TenantSpec> tenant(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    TenantSpec wanted;
    if (!reader.has("tenant")) {
        reader.problem("tenant", "Tenant specification must be given.");
        return base::unexpected(std::move(problems));
    }
    ObjectReader inner = reader.object("tenant");
    wanted.name = name_in(inner);
    wanted.description = inner.text("description").value_or("");
    if (wanted.description.size() > model::longest_text) {
        inner.problem("description",
                      "must not be longer than " + std::to_string(model::longest_text) + " bytes");
    }
    wanted.workers = count_in(inner, "workers", 0);
    wanted.max_clusters = count_in(inner, "maxClusters", model::no_maximum);
    wanted.max_nodes = count_in(inner, "maxNodes", model::no_maximum);
    wanted.bootstrap = reader.truth("bootstrap").value_or(false);
    return model::unless_problems(std::move(wanted), std::move(problems));
}

Checked<UserSpec> user(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    UserSpec wanted;
    wanted.name = name_in(reader);
    const auto role = base::from_word<model::Role>(reader.text("role").value_or("user"));
    if (!role) reader.problem("role", "must be user, admin or superadmin");
    wanted.role = role.value_or(model::Role::user);
    wanted.password = base::Secret(reader.text("password").value_or(""));
    const std::size_t length = base::utf8_length(wanted.password.reveal());
    if (length > 0 && length < shortest_password) {
        reader.problem("password", "must have at least eight characters");
    }
    return model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
