#include "fcgi/pages/tenants/tenants.hpp"

#include <algorithm>
#include <utility>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/deletion.hpp"
#include "fcgi/pages/tenants/user_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/daemons/daemons.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/sign_in/security_key_store.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string tenant_href(const std::string& name) {
    return "/tenants/" + http::percent_encode(name);
}

std::string tenant_count(int number) {
    return grouped(std::max(number, 0));
}

/// "12 of 20", or "12" without a limit.
std::string used_of(int used, int most) {
    if (most == model::no_maximum) return translated("{0}, no limit", tenant_count(used));
    return translated("{0} of {1}", tenant_count(used), tenant_count(most));
}

/// Of a tenant without a limit of its own the limit is 0.
std::string workers_words(int running, int limit) {
    return used_of(running, limit == 0 ? model::no_maximum : limit);
}

/// The answer to a form without one of the limits: empty ones mean none.
std::optional<http::Response> if_limits_lack(App& app, const auth::Visitor& visitor,
                                             const http::FormData& sent) {
    return if_incomplete(app, visitor, sent,
                         {"description", "workers", "maxClusters", "maxNodes", "budget.currency",
                          "budget.perHour", "budget.perMonth"});
}

TenantLimits limits_of_page(const TenantPage& page) {
    return {.is_new = page.is_new,
            .free_workers = page.free_workers,
            .tenant = page.tenant,
            .use = page.use};
}

/// What the page's form wants. All of its problems are found at once, also those that the operation
/// would find in a form without others.
operations::TenantSpec wanted_of(App& app, TenantPage& page) {
    Problems problems;
    auto wanted = tenant_wanted(page.form, limits_of_page(page), problems);
    app.database.read([&](store::Connection& connection) {
        const auto before = page.is_new ? std::nullopt : std::optional(page.tenant);
        const auto more = operations::conflicts_of_tenant(connection, wanted, before, page.now);
        page.problems = problems;
        page.problems.insert(page.problems.end(), more.begin(), more.end());
    });
    page.problems = tenant_problems(page.problems, limits_of_page(page));
    return wanted;
}

http::Response draw_tenant(App& app, const auth::Visitor& visitor, int status,
                           const TenantPage& page) {
    return drawn(app, visitor, status, "tenants/show",
                 {.title = page.is_new ? translated("New tenant")
                                       : translated("Tenant {0}", page.tenant.name),
                  .section = "tenants"},
                 to_json(page));
}

/// The tenant with its use and users; nothing when there is none.
std::optional<TenantPage> read_tenant_page(const http::Request& request, App& app) {
    TenantPage page{.now = app.clock.now()};
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto tenant = store::find_tenant(connection, request.path_value("tenant"));
        if (!tenant) return false;
        page.tenant = *tenant;
        page.use = store::use_of(connection, tenant->id);
        page.factor_for = store::second_factor_of_tenant(connection, tenant->id);
        page.users = store::count_tenant_users(connection, tenant->id);
        page.running = store::queue_metrics(connection, tenant->id).front().in_progress;
        page.budget = operations::budget_state(connection, *tenant, page.now);
        page.free_workers = operations::free_workers(connection, page.now);
        page.unpriced_currency = operations::unpriced_currency(connection, *tenant);
        return true;
    });
    if (!is_there) return std::nullopt;
    page.factor_of_all = app.sign_in.second_factor;
    page.form = tenant_form_of(page.tenant);
    page.was = page.form;
    page.base = operations::fingerprint_of(page.tenant);
    return page;
}

TenantPage new_tenant_page(App& app) {
    TenantPage page{.is_new = true, .now = app.clock.now()};
    page.free_workers = app.database.read([&](store::Connection& connection) {
        return operations::free_workers(connection, page.now);
    });
    page.form.max_clusters = "10";
    page.form.max_nodes = "50";
    return page;
}

/// Saves the form with what somebody else saved meanwhile, if no field was changed by both. False
/// if it was not saved.
bool saves_both(App& app, const auth::Visitor& visitor, const TenantPage& page) {
    // The one problem is that it was saved meanwhile.
    if (page.problems.size() > 1) return false;
    TenantPage both = page;
    const auto wanted = wanted_of(app, both);
    if (!both.problems.empty()) return false;
    const auto saved = operations::replace_tenant(app.database, visitor.who(), page.tenant.name,
                                                  wanted, app.clock.now(), page.base);
    return saved.has_value();
}

std::string tenant_done_words(const std::string& what, const std::string& name) {
    if (what == "copied") {
        return translated("Tenant {0} created, with a copy of the catalogue and files of {1}.",
                          name, std::string(model::superadmin_tenant));
    }
    if (what == "created") return translated("Tenant {0} created, with an empty catalogue.", name);
    if (what == "merged") {
        return translated(
            "Settings of {0} saved. Other fields were saved meanwhile: these stay as they were "
            "saved.",
            name);
    }
    if (what == "saved") return translated("Settings of {0} saved.", name);
    return "";
}

}  // namespace

Json to_json(const TenantsPage& page) {
    const auto tile = [](const std::string& label, int number) {
        Json json;
        json["label"] = label;
        json["number"] = tenant_count(number);
        return json;
    };
    Json json;
    json["done"] = page.done;
    json["tiles"] = {tile(translated("Workers"), page.workers),
                     tile(translated("Unassigned workers"), page.free_workers),
                     tile(translated("Tasks in progress"), page.running),
                     tile(translated("Queued tasks"), page.queued)};
    json["no_workers"] = page.free_workers == 0;
    json["tenants"] = Json::array();
    for (const auto& one : page.tenants) {
        Json item;
        item["name"] = one.tenant.name;
        item["href"] = tenant_href(one.tenant.name);
        item["description"] = one.tenant.description;
        const auto running = page.running_of.find(one.tenant.name);
        item["workers"] = workers_words(running == page.running_of.end() ? 0 : running->second,
                                        one.tenant.workers);
        item["clusters"] = used_of(one.use.clusters, one.tenant.max_clusters);
        item["machines"] = used_of(one.use.nodes, one.tenant.max_nodes);
        item["people"] = tenant_count(one.users);
        item["failing"] = one.failing == 0 ? std::string()
                                           : translated_count(one.failing, "{0} with problems",
                                                              "{0} with problems");
        json["tenants"].push_back(std::move(item));
    }
    return json;
}

Json to_json(const TenantPage& page) {
    auto fields = tenant_fields(page.form, limits_of_page(page));
    for (FormField& field : fields) {
        if (std::ranges::count(page.taken, field.name) == 0) continue;
        field.hint = joined_sentences(translated("New value, saved meanwhile."), field.hint);
    }
    Json json = form_json(page.is_new ? translated("Couldn't create the tenant")
                                      : translated("Couldn't save the tenant"),
                          fields, page.problems);
    json["is_new"] = page.is_new;
    json["heading"] = page.is_new ? translated("New tenant") : page.tenant.name;
    json["action"] = page.is_new ? "/tenants" : tenant_href(page.tenant.name);
    json["delete_href"] = page.is_new || page.tenant.name == model::superadmin_tenant
                              ? std::string()
                              : tenant_href(page.tenant.name) + "/delete";
    // Superadmins see their own tenant without a view.
    json["view_action"] = json["delete_href"] == ""
                              ? std::string()
                              : "/viewing/" + http::percent_encode(page.tenant.name);
    json["bootstrap"] = page.form.bootstrap;
    json["done"] = page.done;
    json["base"] = page.is_new ? "" : page.base;
    json["was"] = Json::array();
    if (!page.is_new) {
        for (const auto& [name, value] : fields_of_tenant_before(page.was)) {
            json["was"].push_back({{"name", name}, {"value", value}});
        }
    }
    json["is_overtaken"] = page.is_overtaken;
    // That it was saved meanwhile stands above; beside fields stands what both have changed.
    json["has_clashes"] = page.problems.size() > 1;
    json["last_change"] = to_json(page.last_change, page.now);
    json["unpriced"] = unpriced_words(page.unpriced_currency);
    json["clusters"] = used_of(page.use.clusters, page.tenant.max_clusters);
    json["machines"] = used_of(page.use.nodes, page.tenant.max_nodes);
    json["workers"] = workers_words(page.running, page.tenant.workers);
    json["limits"] = page.budget ? budget_limits_json(*page.budget) : Json::array();
    json["has_budget"] = page.budget.has_value();
    json["uid"] = page.tenant.uid;
    json["factor_for"] = second_factor_words(std::max(page.factor_for, page.factor_of_all));
    json["provider_types"] =
        page.tenant.provider_types ? listed(*page.tenant.provider_types) : translated("all");
    const FormField first_name{
        .id = "name", .name = "name", .label = translated("User name"), .required = true};
    json["prices_href"] = tenant_href(page.tenant.name) + "/prices";
    json["clusters_href"] = page.tenant.name == model::superadmin_tenant
                                ? "/clusters"
                                : in_view(page.tenant.name, "/clusters");
    json["audit_href"] = address_with("/audit", {{"scope", "all"}, {"tenant", page.tenant.name}});
    json["people_href"] = tenant_href(page.tenant.name) + "/people";
    json["people"] = translated_count(page.users, "{0} user", "{0} users");
    json["is_empty"] = !page.is_new && page.users == 0;
    json["first_name"] = Json::array({to_json(first_name, {})});
    return json;
}

http::Response list_tenants(const http::Request& request, const auth::Visitor& visitor, App& app) {
    TenantsPage page;
    if (const auto name = name_of_done(request, "deleted")) {
        page.done = deletion_done_words(*name);
    }
    const auto now = app.clock.now();
    app.database.read([&](store::Connection& connection) {
        page.workers = page.running = page.queued = 0;
        page.tenants = store::list_tenant_overviews(connection);
        page.free_workers = operations::free_workers(connection, now);
        for (const auto& view : operations::provisioner_views(connection, now)) {
            page.workers += view.capacity_total;
        }
        for (const auto& metric : store::queue_metrics(connection, std::nullopt)) {
            page.running += metric.in_progress;
            page.running_of[metric.tenant] = metric.in_progress;
            page.queued += metric.queued;
        }
    });
    return drawn(app, visitor, 200, "tenants/index",
                 {.title = translated("Tenants"), .section = "tenants"}, to_json(page));
}

http::Response new_tenant(const http::Request&, const auth::Visitor& visitor, App& app) {
    return draw_tenant(app, visitor, 200, new_tenant_page(app));
}

http::Response create_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (auto refused = if_limits_lack(app, visitor, sent)) return *refused;
    TenantPage page = new_tenant_page(app);
    page.form = tenant_form_in(sent);
    const auto wanted = wanted_of(app, page);
    if (!page.problems.empty()) return draw_tenant(app, visitor, 422, page);
    const auto made =
        operations::create_tenant(app.database, visitor.who(), wanted, app.clock.now());
    if (!made) {
        page.problems = tenant_problems(made.error().problems, limits_of_page(page));
        return with_status_of(made.error(), draw_tenant(app, visitor, 200, page));
    }
    return http::see_other(tenant_href(wanted.name) +
                           (wanted.bootstrap ? "?done=copied" : "?done=created"));
}

http::Response show_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_tenant_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    page->done = tenant_done_words(request.query_value("done").value_or(""), page->tenant.name);
    return draw_tenant(app, visitor, 200, *page);
}

http::Response change_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (auto refused = if_limits_lack(app, visitor, sent)) return *refused;
    auto page = read_tenant_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    page->form = tenant_form_in(sent);
    page->form.name = page->tenant.name;
    const std::string latest = std::exchange(page->base, sent.trimmed("base"));
    const auto was = tenant_form_was(sent);
    const TenantForm present = std::exchange(page->was, was.value_or(page->was));
    const auto wanted = wanted_of(app, *page);
    if (!page->problems.empty()) return draw_tenant(app, visitor, 422, *page);
    const auto changed = operations::replace_tenant(app.database, visitor.who(), page->tenant.name,
                                                    wanted, app.clock.now(), page->base);
    if (!changed) {
        page->problems = tenant_problems(changed.error().problems, limits_of_page(*page));
        page->is_overtaken = page->problems.front().field == "base";
        if (page->is_overtaken) {
            page->base = latest;
            if (was) {
                page->taken = fields_taken_over(*was, page->form, present);
                page->form = merged_tenant_form(*was, page->form, present, page->problems);
                if (saves_both(app, visitor, *page)) {
                    return http::see_other(tenant_href(page->tenant.name) + "?done=merged");
                }
            }
            page->was = present;
            page->last_change = app.database.read([&](store::Connection& connection) {
                return last_change_of(connection, visitor.who().user.id, {},
                                      operations::audited_tenant, page->tenant.name);
            });
        }
        return with_status_of(changed.error(), draw_tenant(app, visitor, 200, *page));
    }
    return http::see_other(tenant_href(page->tenant.name) + "?done=saved");
}

}  // namespace fcgi::pages
