#include "fcgi/pages/access/groups.hpp"

#include <algorithm>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/access/groups.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr std::size_t most_suggestions = 500;

std::string group_href(const std::string& name) {
    return "/groups/" + http::percent_encode(name);
}

std::vector<FormField> group_fields(const GroupForm& form, bool is_new) {
    std::vector<FormField> fields;
    if (is_new) {
        fields.push_back({.id = "group-name",
                          .name = "name",
                          .label = translated("Name"),
                          .value = form.name,
                          .required = true});
    }
    fields.push_back({.id = "group-description",
                      .name = "description",
                      .label = translated("Description"),
                      .value = form.description});
    return fields;
}

GroupForm form_in(const Request& request) {
    const auto sent = http::parse_form(request.body);
    return {.name = sent.trimmed("name"), .description = sent.trimmed("description")};
}

/// Adds the members that are named, or removes one; problems stand beside the control.
operations::Result<void> changed_members(App& app, const auth::Visitor& visitor,
                                         const model::Group& group, const http::FormData& sent) {
    const bool adds = sent.has("add");
    const auto users =
        adds ? names_in(sent.trimmed("add")) : std::vector<std::string>{sent.trimmed("remove")};
    if (users.empty()) {
        return operations::refuse(operations::Refusal::Kind::invalid, "add",
                                  translated("Enter the name of a user."));
    }
    if (auto wrong = problem_with_removal(group, sent.trimmed("remove")); !adds && wrong) {
        return operations::refuse(operations::Refusal::Kind::invalid, "add", *std::move(wrong));
    }
    auto changed = operations::set_members(app.database, visitor.who(), group.name, users, adds);
    if (!changed) {
        for (base::Problem& problem : changed.error().problems) problem.field = "add";
    }
    return changed;
}

FormField added_field(const GroupPage& page) {
    return {.id = "group-add",
            .name = "add",
            .label = translated("User"),
            .value = page.form.added,
            .hint = translated("Several names: with commas between them."),
            .required = true,
            .suggestions = page.others};
}

std::vector<PermittedEntry> read_permitted(store::Connection& connection, model::TenantId tenant,
                                           const std::string& group) {
    std::vector<PermittedEntry> permitted;
    std::vector<model::CatalogueKind> kinds;
    for (const auto& permission : store::list_permissions(connection, tenant)) {
        if (std::ranges::count(permission.groups, group) == 0) continue;
        permitted.push_back({.entry = permission.entry});
        kinds.push_back(permission.entry.kind);
    }
    if (permitted.empty()) return permitted;
    const Labels labels = read_labels(connection, tenant, kinds);
    for (auto& [entry, text] : permitted) text = labels.of(entry.kind, entry.name);
    return permitted;
}

Response draw_groups(const auth::Visitor& visitor, App& app, GroupsPage page) {
    page.may_change = visitor.who().is_admin();
    page.groups = app.database.read([&](store::Connection& connection) {
        return store::list_groups(connection, visitor.who().tenant.id);
    });
    return drawn(app, visitor, 200, "access/groups",
                 {.title = translated("Groups"), .section = "groups"}, to_json(page));
}

std::optional<model::Group> read_group(const Request& request, const auth::Visitor& visitor,
                                       App& app) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_group(connection, visitor.who().tenant.id, request.path_value("group"));
    });
}

Response draw_group(const auth::Visitor& visitor, App& app, GroupPage page) {
    page.may_change = visitor.who().is_admin();
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        page.permitted = read_permitted(connection, tenant, page.group.name);
        if (page.may_change) page.others = users_without(connection, tenant, page.group.members);
    });
    return drawn(app, visitor, 200, "access/group",
                 {.title = translated("Group {0}", page.group.name), .section = "groups"},
                 to_json(page));
}

}  // namespace

std::vector<std::string> users_without(store::Connection& connection, model::TenantId tenant,
                                       const std::vector<std::string>& without) {
    const std::set<std::string> known(without.begin(), without.end());
    std::vector<std::string> others;
    for (const model::User& user : store::list_users(connection, tenant)) {
        if (others.size() == most_suggestions) break;
        if (!known.contains(user.name)) others.push_back(user.name);
    }
    return others;
}

std::optional<std::string> problem_with_removal(const model::Group& group,
                                                const std::string& user) {
    if (std::ranges::count(group.members, user) > 0) return std::nullopt;
    return user.empty() ? translated("Enter the name of a user.")
                        : translated("{0} is not a member of the group.", user);
}

Json to_json(const GroupsPage& page) {
    Json json;
    json["has_groups"] = !page.groups.empty();
    json["groups"] = Json::array();
    for (const model::Group& group : page.groups) {
        Json item;
        item["href"] = group_href(group.name);
        item["group_name"] = group.name;
        item["description"] = group.description;
        item["members"] = translated_count(group.members.size(), "{0} member", "{0} members");
        json["groups"].push_back(std::move(item));
    }
    json["may_change"] = page.may_change;
    json["done"] = page.done;
    json.update(form_json(translated("Couldn't create the group"), group_fields(page.form, true),
                          page.problems));
    return json;
}

Json to_json(const GroupPage& page) {
    Json json;
    json["group_name"] = page.group.name;
    json["description"] = page.group.description;
    json["href"] = group_href(page.group.name);
    json["has_members"] = !page.group.members.empty();
    json["members"] = Json::array();
    for (const std::string& member : page.group.members) {
        json["members"].push_back(
            {{"member", member}, {"member_href", "/people/" + http::percent_encode(member)}});
    }
    json["has_permitted"] = !page.permitted.empty();
    json["permitted"] = Json::array();
    for (const auto& [entry, text] : page.permitted) {
        json["permitted"].push_back({{"entry", text},
                                     {"entry_href", href_of_permission(entry)},
                                     {"kind_title", singular_title(entry.kind)}});
    }
    json["may_change"] = page.may_change;
    json["done"] = page.done;
    const FormField added = added_field(page);
    json.update(form_json(translated("Couldn't save the group"), group_fields(page.form, false),
                          page.problems, {{added.name, added.id, added.label}}));
    json["added"] = Json::array({to_json(added, page.problems)});
    return json;
}

Response list_groups(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto deleted = name_of_done(request, "deleted");
    return draw_groups(visitor, app,
                       {.done = deleted ? translated("Group {0} deleted.", *deleted) : ""});
}

Response create_group(const Request& request, const auth::Visitor& visitor, App& app) {
    const GroupForm form = form_in(request);
    const auto made = operations::create_group(app.database, visitor.who(),
                                               {.name = form.name, .description = form.description},
                                               app.clock.now());
    if (made) return http::see_other(group_href(form.name) + "?done=made");
    return with_status_of(
        made.error(), draw_groups(visitor, app, {.form = form, .problems = made.error().problems}));
}

Response show_group(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto group = read_group(request, visitor, app);
    if (!group) return nothing_there(translated("group"));
    const auto done = request.query_value("done");
    return draw_group(visitor, app,
                      {.group = *group,
                       .form = {.description = group->description},
                       .done = done == "made" ? translated("Group created. Add its members below.")
                               : done == "changed" ? translated("Group saved.")
                                                   : ""});
}

Response replace_group(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (!sent.has("add") && !sent.has("remove") && !sent.has("description")) {
        return incomplete_form(app, visitor);
    }
    const auto group = read_group(request, visitor, app);
    if (!group) return nothing_there(translated("group"));
    const bool is_about_members = sent.has("add") || sent.has("remove");
    GroupForm form = form_in(request);
    if (is_about_members) form.description = group->description;
    form.added = sent.trimmed("add");
    const auto saved =
        is_about_members
            ? changed_members(app, visitor, *group, sent)
            : operations::save_group(
                  app.database, visitor.who(),
                  {.name = group->name, .description = form.description, .keeps_members = true},
                  app.clock.now());
    if (saved) return http::see_other(group_href(group->name) + "?done=changed");
    return with_status_of(
        saved.error(),
        draw_group(visitor, app,
                   {.group = *group, .form = form, .problems = saved.error().problems}));
}

Response delete_group(const Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& group = request.path_value("group");
    const auto deleted = operations::delete_group(app.database, visitor.who(), group);
    if (!deleted) return nothing_there(translated("group"));
    return http::see_other("/groups?done=" + done_with_name("deleted", group));
}

}  // namespace fcgi::pages
