#include "fcgi/pages/access/permissions.hpp"

#include <algorithm>
#include <array>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/groups.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;
using model::CatalogueKind;

namespace {

/// The kinds that have permissions, in the order of the page.
constexpr std::array shown_kinds{CatalogueKind::cluster_template, CatalogueKind::provider,
                                 CatalogueKind::hardware_type, CatalogueKind::image_type,
                                 CatalogueKind::service};

std::string title_of_kind(CatalogueKind kind) {
    return with_capital(singular_title(kind));
}

std::string role_title(model::Role role) {
    std::string word = base::to_word(role);
    word.front() = base::in_capitals(word.substr(0, 1)).front();
    return word;
}

Json matrix_json(model::Role own) {
    Json roles = Json::array();
    for (const model::Role role : model::all_roles) {
        roles.push_back({{"role_title", role_title(role)}, {"own", role == own}});
    }
    Json rows = Json::array();
    for (const model::RightRow& row : model::right_rows) {
        Json cells = Json::array();
        for (const model::Role role : model::all_roles) {
            cells.push_back({{"role_title", role_title(role)},
                             {"has", model::has(role, row.right)},
                             {"own", role == own}});
        }
        std::string says(row.says);
        says.front() = base::in_capitals(says.substr(0, 1)).front();
        rows.push_back({{"says", std::move(says)}, {"cells", std::move(cells)}});
    }
    return {{"roles", std::move(roles)}, {"rights", std::move(rows)}};
}

bool is_shown(const PermissionsPage& page, const EntryRow& row) {
    if (page.only_restricted && !row.permission) return false;
    std::string text = row.entry.name + '\n' + row.text + '\n' + title_of_kind(row.entry.kind);
    // Whom an entry is for is told to those who see all of it.
    if (model::has(page.role, model::Right::every_entry)) {
        text += '\n' + permission_words(row.permission);
    }
    return base::in_capitals(text).find(base::in_capitals(page.search)) != std::string::npos;
}

Json entry_row_json(const EntryRow& row, bool sees_all) {
    Json json;
    json["entry"] = row.text.empty() ? row.entry.name : row.text;
    json["kind_title"] = title_of_kind(row.entry.kind);
    json["entry_href"] = sees_all ? href_of_permission(row.entry) : "";
    json["for_whom"] = sees_all ? permission_words(row.permission) : "";
    json["restricted"] = sees_all && row.permission.has_value();
    json["is_gone"] = !row.is_there;
    return json;
}

std::vector<EntryRow> read_entries(store::Connection& connection, const model::Caller& caller) {
    std::map<model::EntryName, model::Permission> permissions;
    for (auto& permission : store::list_permissions(connection, caller.tenant.id)) {
        const model::EntryName entry = permission.entry;
        permissions.emplace(entry, std::move(permission));
    }
    const bool sees_all = caller.may(model::Right::every_entry);
    const auto withheld = store::withheld_from(connection, caller);
    std::vector<EntryRow> rows;
    for (const CatalogueKind kind : shown_kinds) {
        const auto entries = told_apart(store::list_entries(connection, caller.tenant.id, kind));
        for (const auto& [name, text] : entries) {
            EntryRow row{.entry = {.kind = kind, .name = name}, .text = text};
            if (withheld.contains(kind, row.entry.name)) continue;
            if (const auto found = permissions.extract(row.entry)) {
                row.permission = found.mapped();
            }
            rows.push_back(std::move(row));
        }
    }
    if (!sees_all) return rows;
    // What is left is of entries that were deleted.
    for (auto& [entry, permission] : permissions) {
        rows.push_back({.entry = entry, .permission = std::move(permission), .is_there = false});
    }
    return rows;
}

std::optional<PermissionPage> read_permission_page(const Request& request,
                                                   const auth::Visitor& visitor, App& app) {
    const auto kind = model::kind_of_collection(request.path_value("kind"));
    if (!kind || !model::can_be_withheld(*kind)) return std::nullopt;
    const auto& caller = visitor.who();
    PermissionPage page{.row = {.entry = {.kind = *kind, .name = request.path_value("name")}}};
    page.may_change = caller.is_admin();
    app.database.read([&](store::Connection& connection) {
        const auto& name = page.row.entry.name;
        page.row.permission = store::find_permission(connection, caller.tenant.id, page.row.entry);
        page.row.is_there =
            store::find_entry(connection, caller.tenant.id, *kind, name).has_value();
        page.groups.clear();
        for (const auto& group : store::list_groups(connection, caller.tenant.id)) {
            page.groups.push_back(group.name);
        }
        if (page.may_change) {
            page.others = users_without(
                connection, caller.tenant.id,
                page.row.permission ? page.row.permission->users : std::vector<std::string>{});
        }
    });
    if (!page.row.is_there && !page.row.permission) return std::nullopt;
    return page;
}

Response draw_permission(const auth::Visitor& visitor, App& app, const PermissionPage& page) {
    return drawn(app, visitor, page.problems.empty() ? 200 : 422, "access/entry",
                 {.title = title_of(page), .section = "permissions"}, to_json(page));
}

/// Users of the permission and of the form, each once.
std::vector<std::string> users_to_tick(const PermissionPage& page) {
    std::vector<std::string> users;
    if (page.row.permission) users = page.row.permission->users;
    if (page.wanted) {
        users.insert(users.end(), page.wanted->users.begin(), page.wanted->users.end());
    }
    users = model::sorted(model::without_repetition(std::move(users)));
    const auto typed = names_in(page.more_users);
    std::erase_if(users, [&](const auto& user) { return std::ranges::count(typed, user) > 0; });
    return users;
}

/// The form again, with what was chosen and typed.
Response draw_again(const auth::Visitor& visitor, App& app, PermissionPage page,
                    const model::Permission& wanted, const http::FormData& sent,
                    base::Problems problems) {
    page.wanted = wanted;
    page.more_users = sent.trimmed("more_users");
    page.problems = std::move(problems);
    for (base::Problem& problem : page.problems) {
        if (problem.field == "users") problem.field = "more_users";
    }
    return draw_permission(visitor, app, page);
}

}  // namespace

model::Permission permission_in(const model::EntryName& entry, const http::FormData& sent) {
    model::Permission wanted{.entry = entry, .groups = sent.all("groups")};
    for (const std::string& word : sent.all("roles")) {
        if (const auto role = base::from_word<model::Role>(word)) wanted.roles.push_back(*role);
    }
    wanted.users = sent.all("users");
    for (std::string& user : names_in(sent.first("more_users").value_or(""))) {
        wanted.users.push_back(std::move(user));
    }
    return wanted;
}

bool is_wider(const std::optional<model::Permission>& before,
              const std::optional<model::Permission>& after) {
    if (!before) return false;
    if (!after) return true;
    const auto names_others = [](const auto& now, const auto& then) {
        return std::ranges::any_of(
            now, [&](const auto& one) { return std::ranges::count(then, one) == 0; });
    };
    return names_others(after->roles, before->roles) ||
           names_others(after->groups, before->groups) || names_others(after->users, before->users);
}

std::string href_of_permission(const model::EntryName& entry) {
    return "/permissions/" + std::string(model::collection_of(entry.kind)) + '/' +
           http::percent_encode(entry.name);
}

std::string permission_words(const std::optional<model::Permission>& permission) {
    if (!permission) return "everybody";
    std::vector<std::string> words;
    for (const model::Role role : permission->roles) words.push_back(base::to_word(role) + "s");
    for (const std::string& group : permission->groups)
        words.push_back(translated("group {0}", group));
    words.insert(words.end(), permission->users.begin(), permission->users.end());
    return words.empty() ? translated("administrators only") : listed(words);
}

bool is_for_administrators_only(const model::Permission& permission) {
    return permission.roles.empty() && permission.groups.empty() && permission.users.empty();
}

std::set<std::string> templates_that_are_drafts(const std::vector<model::Permission>& permissions) {
    std::set<std::string> names;
    for (const auto& permission : permissions) {
        const bool is_template = permission.entry.kind == CatalogueKind::cluster_template;
        if (is_template && is_for_administrators_only(permission)) {
            names.insert(permission.entry.name);
        }
    }
    return names;
}

Json to_json(const PermissionsPage& page) {
    const bool sees_all = model::has(page.role, model::Right::every_entry);
    Json json;
    json["role"] = base::to_word(page.role);
    json["may"] = Json::array();
    for (const model::RightRow& row : model::right_rows) {
        if (model::has(page.role, row.right)) json["may"].push_back({{"right", row.says}});
    }
    json["groups"] = listed(page.groups);
    json["provider_types"] =
        page.provider_types
            ? Json(page.provider_types->empty() ? "none" : listed(*page.provider_types))
            : Json();
    json["matrix"] = matrix_json(page.role);
    json["sees_all"] = sees_all;
    json["has_entries"] = !page.entries.empty();
    json["search"] = page.search;
    json["only_restricted"] = page.only_restricted;
    json["entries"] = Json::array();
    for (const EntryRow& row : page.entries) {
        if (is_shown(page, row)) json["entries"].push_back(entry_row_json(row, sees_all));
    }
    json["has_matches"] = !json["entries"].empty();
    return json;
}

std::string title_of(const PermissionPage& page) {
    return translated("Who may use {0} {1}", singular_title(page.row.entry.kind),
                      page.row.entry.name);
}

bool permits_the_same(model::Permission one, model::Permission other) {
    for (auto* permission : {&one, &other}) {
        std::ranges::sort(permission->roles);
        std::ranges::sort(permission->groups);
        std::ranges::sort(permission->users);
    }
    return one.roles == other.roles && one.groups == other.groups && one.users == other.users;
}

Json to_json(const PermissionPage& page) {
    const auto& permission = page.row.permission;
    const auto& in_form = page.wanted ? page.wanted : permission;
    const model::Permission shown = in_form.value_or(model::Permission{});
    Json json =
        problems_json(translated("Couldn't change the permission"), beside_question(page.problems),
                      {{.name = "whom", .id = "whom", .label = translated("Who may use it?")},
                       {.name = "more_users", .id = "more-users", .label = translated("Users")},
                       {.name = "groups", .id = "groups", .label = translated("Groups")}});
    json["heading"] = title_of(page);
    json["href"] = href_of_permission(page.row.entry);
    json["is_gone"] = !page.row.is_there;
    json["for_whom"] = permission_words(permission);
    json["everybody"] = page.wants_everybody || !in_form.has_value();
    json["is_draft"] = page.row.is_there && permission &&
                       page.row.entry.kind == CatalogueKind::cluster_template &&
                       is_for_administrators_only(*permission);
    json.update(to_json(CheckBox{.title = translated("Not saved yet: please check"),
                                 .to_check = page.to_check,
                                 .act = translated("Save"),
                                 .is_asked = is_question(page.problems)}));
    json["may_change"] = page.may_change;
    json["done"] = page.done;
    json["roles"] = Json::array();
    for (const model::Role role : model::all_roles) {
        if (model::has(role, model::Right::every_entry)) continue;
        json["roles"].push_back({{"role_word", base::to_word(role)},
                                 {"role_title", role_title(role)},
                                 {"checked", std::ranges::count(shown.roles, role) > 0}});
    }
    json["has_groups"] = !page.groups.empty();
    json["groups"] = Json::array();
    for (std::size_t i = 0; i < page.groups.size(); ++i) {
        const std::string& group = page.groups[i];
        json["groups"].push_back({{"number", std::to_string(i)},
                                  {"group", group},
                                  {"checked", std::ranges::count(shown.groups, group) > 0}});
    }
    const auto users = users_to_tick(page);
    json["has_users"] = !users.empty();
    json["users"] = Json::array();
    for (const std::string& user : users) {
        json["users"].push_back(
            {{"user_name", user}, {"checked", std::ranges::count(shown.users, user) > 0}});
    }
    const FormField more{.id = "more-users",
                         .name = "more_users",
                         .label = users.empty() ? translated("Users") : translated("More users"),
                         .value = page.more_users,
                         .hint = translated("Several names: with commas between them."),
                         .suggestions = page.others};
    json["whom_problem"] = messages_for("whom", page.problems);
    json["groups_problem"] = messages_for("groups", page.problems);
    json["users_field"] = Json::array({to_json(more, page.problems)});
    return json;
}

Response show_permissions(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const std::string whom = request.query_value("for").value_or("");
    PermissionsPage page{
        .role = caller.user.role,
        .search = base::to_utf8(http::trim(request.query_value("search").value_or(""))),
        .only_restricted = whom == "some" && caller.may(model::Right::every_entry)};
    app.database.read([&](store::Connection& connection) {
        page.groups = store::groups_of(connection, caller.user.id);
        page.entries = read_entries(connection, caller);
        const auto tenant = store::find_tenant(connection, caller.tenant.name);
        if (tenant) page.provider_types = tenant->provider_types;
    });
    Frame frame{.title = translated("Permissions"), .section = "permissions"};
    if (!whom.empty() && whom != "some") {
        frame.notes.push_back(unknown_value(translated("choice"), whom, translated("showing all")));
    }
    return drawn(app, visitor, 200, "access/permissions", frame, to_json(page));
}

Response show_permission(const Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_permission_page(request, visitor, app);
    if (!page) return nothing_there(translated("entry"));
    const std::string done = request.query_value("done").value_or("");
    if (done == "changed") page->done = translated("Permission saved.");
    if (done == "unchanged") page->done = translated("Nothing was changed.");
    return draw_permission(visitor, app, *page);
}

Response ask_about_permission(const Request& request, const auth::Visitor& visitor, App& app,
                              const std::vector<std::string>& to_check) {
    auto page = read_permission_page(request, visitor, app);
    if (!page) return nothing_there(translated("entry"));
    const auto sent = http::parse_form(request.body);
    page->wants_everybody = sent.trimmed("whom") == "everybody";
    page->to_check = to_check;
    const auto wanted = permission_in(page->row.entry, sent);
    return draw_again(visitor, app, *std::move(page), wanted, sent, {problem_of_unchecked()});
}

Response replace_permission(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const std::string whom = sent.trimmed("whom");
    if (whom != "everybody" && whom != "some") return incomplete_form(app, visitor);
    auto page = read_permission_page(request, visitor, app);
    if (!page) return nothing_there(translated("entry"));
    const auto& entry = page->row.entry;
    if (whom == "everybody") {
        // What was chosen before may stay ticked; who ticks somebody else means something by it.
        const auto chosen = permission_in(entry, sent);
        const auto before = page->row.permission.value_or(model::Permission{});
        if (is_wider(before, chosen)) {
            return draw_again(
                visitor, app, *page, chosen, sent,
                {{"whom", translated("“Everybody” was chosen, and somebody below. Now “Only those "
                                     "below” is: save again, or take away what is chosen "
                                     "below.")}});
        }
        if (!page->row.permission && page->row.is_there) {
            return http::see_other(href_of_permission(entry) + "?done=unchanged");
        }
        operations::remove_permission(app.database, visitor.who(), entry);
        // The page of a draft asks before it is offered, and tells what was done.
        if (sent.trimmed("from") == "template" && page->row.is_there) {
            return http::see_other(entry_page(entry.kind, entry.name) + "?done=offered");
        }
        return http::see_other(page->row.is_there ? href_of_permission(entry) + "?done=changed"
                                                  : "/permissions");
    }
    const auto wanted = permission_in(entry, sent);
    if (page->row.permission && permits_the_same(*page->row.permission, wanted)) {
        return http::see_other(href_of_permission(entry) + "?done=unchanged");
    }
    const auto set = operations::set_permission(app.database, visitor.who(), wanted);
    if (set) return http::see_other(href_of_permission(entry) + "?done=changed");
    return with_status_of(set.error(),
                          draw_again(visitor, app, *page, wanted, sent, set.error().problems));
}

}  // namespace fcgi::pages
