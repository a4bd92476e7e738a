#include "fcgi/pages/tenants/membership_rows.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

std::string rule_id(std::size_t number, const char* part) {
    return "rule-" + std::to_string(number) + '-' + part;
}

std::string rule_field(std::size_t number) {
    return "rules." + std::to_string(number);
}

Json tenant_choices(const std::string& chosen, const std::vector<std::string>& tenants) {
    Json choices = Json::array();
    const auto add = [&](const std::string& name, const std::string& label) {
        choices.push_back({{"tenant_name", name}, {"label", label}, {"is_chosen", name == chosen}});
    };
    add("", translated("Choose…"));
    for (const std::string& tenant : tenants) add(tenant, tenant);
    const bool is_known = chosen.empty() || std::ranges::count(tenants, chosen) > 0;
    if (!is_known) add(chosen, translated("{0} (deleted)", chosen));
    return choices;
}

Json row_json(const MembershipRow& row, std::size_t number, const Problems& problems,
              const std::vector<std::string>& tenants, bool chooses, std::size_t filled) {
    Json json;
    json["number"] = number + 1;
    json["value"] = row.value;
    json["tenant"] = row.tenant;
    json["tenant_choices"] = chooses ? tenant_choices(row.tenant, tenants) : Json::array();
    json["groups"] = row.groups;
    json["roles"] = Json::array();
    const std::string chosen = row.role.empty() ? base::to_word(model::Role::user) : row.role;
    for (const model::Role role : model::all_roles) {
        const std::string word = base::to_word(role);
        json["roles"].push_back({{"role", word}, {"is_chosen", word == chosen}});
    }
    for (const auto& [cell, id] :
         {std::pair{"value", "problem"}, std::pair{"tenant", "tenant-problem"},
          std::pair{"role", "role-problem"}, std::pair{"groups", "groups-problem"}}) {
        const std::string name = cell;
        json[name + "_id"] = rule_id(number, cell);
        json[name + "_problem"] = messages_for(rule_field(number) + '.' + name, problems);
        json[name + "_problem_id"] = rule_id(number, id);
    }
    json["value_warning"] = "";
    json["value_warning_id"] = rule_id(number, "warning");
    const auto wish = [&](bool is_there, const char* what) {
        return is_there ? what + std::to_string(number) : std::string();
    };
    json["up"] = wish(number > 0, "up-");
    json["down"] = wish(number + 1 < filled, "down-");
    json["remove"] = wish(number < filled, "remove-");
    // Where the row is when it has moved: its control gets the focus.
    const auto place = [](std::size_t at) { return '#' + rule_id(at, "value"); };
    json["up_place"] = place(number == 0 ? 0 : number - 1);
    json["down_place"] = place(number + 1);
    json["remove_place"] = place(number == 0 ? 0 : number - 1);
    return json;
}

}  // namespace

std::vector<MembershipRow> membership_rows_of(const std::vector<model::MembershipRule>& rules) {
    std::vector<MembershipRow> rows;
    for (const model::MembershipRule& rule : rules) {
        MembershipRow row{
            .value = rule.value, .tenant = rule.tenant, .role = base::to_word(rule.role)};
        for (const std::string& group : rule.groups) {
            row.groups += (row.groups.empty() ? "" : ", ") + group;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

namespace {

/// With the empty ones.
std::vector<MembershipRow> all_rows_in(const http::FormData& sent) {
    const auto values = sent.all("rule.value");
    const auto tenants = sent.all("rule.tenant");
    const auto roles = sent.all("rule.role");
    const auto groups = sent.all("rule.groups");
    const auto at = [](const std::vector<std::string>& all, std::size_t i) {
        return i < all.size() ? std::string(http::trim(all[i])) : std::string();
    };
    std::vector<MembershipRow> rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
        MembershipRow row{.value = at(values, i),
                          .tenant = at(tenants, i),
                          .role = at(roles, i),
                          .groups = at(groups, i)};
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

int empty_rows_in(const http::FormData& sent) {
    return static_cast<int>(std::ranges::count_if(all_rows_in(sent), &MembershipRow::is_empty));
}

std::vector<MembershipRow> membership_rows_in(const http::FormData& sent) {
    auto rows = all_rows_in(sent);
    // The number in the wish counts empty rows, too.
    change_rows(rows, sent.trimmed("do"));
    std::erase_if(rows, [](const MembershipRow& row) { return row.is_empty(); });
    return rows;
}

std::vector<model::MembershipRule> rules_of(const std::vector<MembershipRow>& rows,
                                            Problems& problems) {
    std::vector<model::MembershipRule> rules;
    for (const MembershipRow& row : rows) {
        const auto role = base::from_word<model::Role>(row.role);
        if (!role) problems.push_back({rule_field(rules.size()), translated("Choose a role.")});
        rules.push_back({.value = row.value,
                         .tenant = row.tenant,
                         .role = role.value_or(model::Role::user),
                         .groups = names_in(row.groups)});
    }
    return rules;
}

void change_rows(std::vector<MembershipRow>& rows, const std::string& wish) {
    const auto hyphen = wish.find('-');
    if (hyphen == std::string::npos) return;
    const std::string what = wish.substr(0, hyphen);
    const auto number = base::parse_number(wish.substr(hyphen + 1));
    if (!number || *number < 0 || *number >= std::ssize(rows)) return;
    const auto row = rows.begin() + *number;
    if (what == "remove") rows.erase(row);
    if (what == "up") {
        auto above = row;
        do {
            if (above == rows.begin()) return;
            --above;
        } while (above->is_empty());
        std::rotate(above, row, row + 1);
    }
    if (what == "down") {
        auto below = row;
        do {
            if (++below == rows.end()) return;
        } while (below->is_empty());
        std::rotate(row, row + 1, below + 1);
    }
}

Json membership_json(const std::vector<MembershipRow>& rows, int empty,
                     const std::vector<std::string>& tenants, const Problems& problems) {
    Json json;
    json["rules"] = Json::array();
    const std::size_t all = std::min(rows.size() + static_cast<std::size_t>(std::max(empty, 0)),
                                     model::most_membership_rules);
    // Where the row of "Add a rule" will be: the first that is empty.
    json["new_place"] = '#' + rule_id(std::min(rows.size(), all), "value");
    const bool chooses = tenants.size() * all <= most_tenant_options;
    for (std::size_t i = 0; i < all; ++i) {
        json["rules"].push_back(row_json(i < rows.size() ? rows[i] : MembershipRow(), i, problems,
                                         tenants, chooses, std::min(rows.size(), all)));
    }
    json["chooses_tenant"] = chooses;
    // Of all rules, not of one.
    std::string of_all;
    for (const auto& problem : problems) {
        if (problem.field == "rules") of_all += problem.message;
    }
    if (rows.size() > all) {
        of_all += (of_all.empty() ? "" : " ") +
                  translated("Only the first {0} are shown here; the others are not saved.", all);
    }
    json["rules_problem"] = of_all;
    return json;
}

std::string warning_about_row(const std::vector<MembershipRow>& rows, std::size_t number,
                              model::IdentityKind kind) {
    const bool is_directory = kind == model::IdentityKind::ldap;
    const MembershipRow& row = rows[number];
    if (row.value.empty()) return "";
    if (is_directory && row.value != "*" && !model::is_distinguished_name(row.value)) {
        return translated(
            "This is no distinguished name, such as cn=staff,ou=groups,dc=example,dc=org: it fits "
            "nobody.");
    }
    for (std::size_t i = 0; i < number; ++i) {
        const bool is_alike = !is_directory || rows[i].tenant == row.tenant;
        if (!is_alike) continue;
        const bool is_same = model::comparable_group(kind, rows[i].value) ==
                             model::comparable_group(kind, row.value);
        if (is_same) return translated("Nobody gets here: rule {0} is for the same group.", i + 1);
        if (rows[i].value != "*") continue;
        return translated("Nobody gets here: rule {0} fits everybody. Move this one above it.",
                          i + 1);
    }
    return "";
}

Problems with_cells(Problems problems) {
    // The contract's problems name the rule alone; what they say tells the cell.
    const auto cell_of = [](const std::string& message) -> std::string {
        const auto says = [&](std::string_view words) {
            return message.find(words) != std::string::npos;
        };
        if (says("There is no tenant ") || says("A rule needs a tenant")) return ".tenant";
        if (says("Superadmins belong to") || says(" role.")) return ".role";
        if (says("has no group ") || says("A rule has at most") || says("invalid name") ||
            says("name must not exceed")) {
            return ".groups";
        }
        return ".value";
    };
    for (auto& problem : problems) {
        if (!problem.field.starts_with("rules.")) continue;
        problem.field += cell_of(problem.message);
    }
    return problems;
}

std::vector<NamedControl> controls_of(const std::vector<MembershipRow>& rows) {
    std::vector<NamedControl> controls;
    for (std::size_t i = 0; i < std::min(rows.size(), model::most_membership_rules); ++i) {
        for (const char* cell : {"value", "tenant", "role", "groups"}) {
            controls.push_back({.name = rule_field(i) + '.' + cell,
                                .id = rule_id(i, cell),
                                .label = translated("Rule {0}", i + 1)});
        }
    }
    return controls;
}

}  // namespace fcgi::pages
