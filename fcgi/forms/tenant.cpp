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

std::string roles_text() {
    std::string text = "must be ";
    for (std::size_t i = 0; i < model::all_roles.size(); ++i) {
        const bool is_last = i + 1 == model::all_roles.size();
        text += (i == 0 ? "" : is_last ? " or " : ", ") + base::to_word(model::all_roles[i]);
    }
    return text;
}

std::string name_in(ObjectReader& reader) {
    std::string name = reader.text("name").value_or("");
    if (const auto wrong = model::problem_with_name(name)) reader.problem("name", *wrong);
    return name;
}

/// A limit of a budget in micros; absent: none. Numbers are read as they were written.
std::optional<std::int64_t> limit_in(ObjectReader& reader, std::string_view key) {
    const auto text = reader.text(key);
    if (!text) return std::nullopt;
    const auto micros = model::micros_in(*text);
    if (!micros) {
        reader.problem(key, "budget." + std::string(key) +
                                " has to be a decimal number with at most six decimals, not " +
                                *text + ".");
    }
    return micros;
}

model::Budget budget_in(ObjectReader reader) {
    model::Budget budget{.currency = reader.text("currency").value_or("")};
    if (!model::is_currency(budget.currency)) {
        reader.problem("currency", "budget.currency has to be three capital letters, such as USD.");
    }
    budget.per_hour = limit_in(reader, "perHour");
    budget.per_month = limit_in(reader, "perMonth");
    if (!reader.has("perHour") && !reader.has("perMonth")) {
        reader.problem("perHour", "A budget needs perHour, perMonth or both.");
    }
    return budget;
}

}  // namespace

Checked<TenantSpec> tenant(const Json& json) {
    Problems problems;
    TenantSpec wanted = tenant_in(json, problems);
    return model::unless_problems(std::move(wanted), std::move(problems));
}

TenantSpec tenant_in(const Json& json, Problems& problems) {
    ObjectReader reader(&json, "", problems);
    TenantSpec wanted;
    if (!reader.has("tenant")) {
        reader.problem("tenant", "Tenant specification must be given.");
        return wanted;
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
    if (inner.mentions("budget")) {
        wanted.budget.emplace();
        if (inner.has("budget")) *wanted.budget = budget_in(inner.object("budget"));
    }
    if (inner.mentions("providerTypes")) {
        wanted.provider_types.emplace();
        if (inner.has("providerTypes")) *wanted.provider_types = inner.names("providerTypes");
    }
    wanted.bootstrap = reader.truth("bootstrap").value_or(false);
    return wanted;
}

Checked<UserSpec> user(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    UserSpec wanted;
    wanted.name = name_in(reader);
    const auto role = base::from_word<model::Role>(reader.text("role").value_or("user"));
    if (!role) reader.problem("role", roles_text());
    wanted.role = role.value_or(model::Role::user);
    wanted.password = base::Secret(reader.text("password").value_or(""));
    const std::size_t length = base::utf8_length(wanted.password.reveal());
    if (length > 0 && length < shortest_password) {
        reader.problem("password", "must have at least eight characters");
    }
    return model::unless_problems(std::move(wanted), std::move(problems));
}

Checked<provisioner::operations::GroupSpec> group(const std::string& name, const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    provisioner::operations::GroupSpec wanted{.name = name};
    wanted.description = reader.text("description").value_or("");
    wanted.members = reader.names("members");
    return model::unless_problems(std::move(wanted), std::move(problems));
}

Checked<model::Permission> permission(const model::EntryName& entry, const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    model::Permission wanted{.entry = entry};
    for (const std::string& word : reader.names("roles")) {
        const auto role = base::from_word<model::Role>(word);
        if (role) wanted.roles.push_back(*role);
        if (!role) reader.problem("roles", word + " is no role");
    }
    wanted.groups = reader.names("groups");
    wanted.users = reader.names("users");
    return model::unless_problems(std::move(wanted), std::move(problems));
}

Checked<provisioner::operations::AccessChange> access_change(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    provisioner::operations::AccessChange wanted;
    if (const auto word = reader.text("role")) {
        wanted.role = base::from_word<model::Role>(*word);
        if (!wanted.role) reader.problem("role", roles_text());
    }
    wanted.disabled = reader.truth("disabled");
    return model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
