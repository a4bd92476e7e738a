#include "fcgi/pages/tenants/tenants.hpp"

#include <algorithm>
#include <utility>

#include "fcgi/forms/tenant.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/user_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/daemons/daemons.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/sign_in/security_key_store.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
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

std::string limit_text(int limit) {
    return limit == model::no_maximum ? std::string() : std::to_string(limit);
}

std::string micros_text(const std::optional<std::int64_t>& micros) {
    return micros ? model::decimal_text(*micros) : std::string();
}

FormField number_field(const std::string& name, const std::string& label, const std::string& value,
                       const std::string& hint) {
    return {.id = "input-" + name,
            .name = name,
            .label = label,
            .value = value,
            .hint = hint,
            .type = "number",
            .min = 0};
}

std::vector<FormField> tenant_fields(const TenantPage& page) {
    const TenantForm& form = page.form;
    std::vector<FormField> fields;
    if (page.is_new) {
        fields.push_back({.id = "input-name",
                          .name = "name",
                          .label = translated("Name"),
                          .value = form.name,
                          .hint = translated("Users enter it when they log in."),
                          .required = true});
    }
    fields.push_back({.id = "input-description",
                      .name = "description",
                      .label = translated("Description"),
                      .value = form.description,
                      .control = FormField::Control::textarea});
    fields.push_back(
        number_field("workers", translated("Workers"), form.workers,
                     translated("How many tasks of this tenant can run at once. Empty "
                                "means no limit. Unassigned workers: {0}. This "
                                "tenant can have at most {1}.",
                                tenant_count(page.free_workers),
                                tenant_count(page.free_workers + page.tenant.workers))));
    fields.push_back(
        number_field("maxClusters", translated("Maximum clusters"), form.max_clusters,
                     translated("Empty means no limit. Terminated clusters do not count.")));
    fields.push_back(number_field("maxNodes", translated("Maximum machines"), form.max_nodes,
                                  translated("In all clusters together. Empty means no limit.")));
    fields.push_back(
        {.id = "input-currency",
         .name = "budget.currency",
         .label = translated("Currency of the budget"),
         .value = form.currency,
         .hint = translated("Three letters, such as USD. Empty means no budget. A tenant "
                            "with a budget can only use machines that have a price.")});
    fields.push_back({.id = "input-per-hour",
                      .name = "budget.perHour",
                      .label = translated("Budget per hour"),
                      .value = form.per_hour});
    fields.push_back({.id = "input-per-month",
                      .name = "budget.perMonth",
                      .label = translated("Budget per month"),
                      .value = form.per_month});
    return fields;
}

TenantForm form_of(const model::Tenant& tenant) {
    TenantForm form{.name = tenant.name,
                    .description = tenant.description,
                    .workers = tenant.workers == 0 ? "" : std::to_string(tenant.workers),
                    .max_clusters = limit_text(tenant.max_clusters),
                    .max_nodes = limit_text(tenant.max_nodes)};
    if (!tenant.budget) return form;
    form.currency = tenant.budget->currency;
    form.per_hour = micros_text(tenant.budget->per_hour);
    form.per_month = micros_text(tenant.budget->per_month);
    return form;
}

/// The answer to a form without one of the limits: empty ones mean none.
std::optional<http::Response> if_limits_lack(App& app, const auth::Visitor& visitor,
                                             const http::Request& request) {
    return if_incomplete(app, visitor, http::parse_form(request.body),
                         {"description", "workers", "maxClusters", "maxNodes", "budget.currency",
                          "budget.perHour", "budget.perMonth"});
}

TenantForm tenant_form_in(const http::Request& request) {
    const auto sent = http::parse_form(request.body);
    return {.name = sent.trimmed("name"),
            .description = sent.trimmed("description"),
            .workers = sent.trimmed("workers"),
            .max_clusters = sent.trimmed("maxClusters"),
            .max_nodes = sent.trimmed("maxNodes"),
            .currency = sent.trimmed("budget.currency"),
            .per_hour = sent.trimmed("budget.perHour"),
            .per_month = sent.trimmed("budget.perMonth"),
            .bootstrap = sent.has("bootstrap")};
}

/// The form as the API takes it, so that both have the same checks.
Json tenant_request(const TenantForm& form) {
    Json tenant;
    tenant["name"] = form.name;
    tenant["description"] = form.description;
    const auto set_number = [&](const char* key, const std::string& text) {
        if (text.empty()) return;
        const auto number = base::parse_number(text);
        tenant[key] = number ? Json(*number) : Json(text);
    };
    // The API's word for no limit is 0.
    set_number("workers", form.workers.empty() ? "0" : form.workers);
    set_number("maxClusters", form.max_clusters);
    set_number("maxNodes", form.max_nodes);
    tenant["budget"] = nullptr;
    if (!form.currency.empty() || !form.per_hour.empty() || !form.per_month.empty()) {
        Json budget;
        budget["currency"] = form.currency;
        if (!form.per_hour.empty()) budget["perHour"] = form.per_hour;
        if (!form.per_month.empty()) budget["perMonth"] = form.per_month;
        tenant["budget"] = std::move(budget);
    }
    Json request;
    request["tenant"] = std::move(tenant);
    request["bootstrap"] = form.bootstrap;
    return request;
}

/// Without "tenant." before the names of fields, which the form does not have.
Problems problems_of_form(Problems problems) {
    constexpr std::string_view outer = "tenant.";
    for (auto& problem : problems) {
        if (problem.field.starts_with(outer)) problem.field.erase(0, outer.size());
    }
    return problems;
}

http::Response draw_tenant(App& app, const auth::Visitor& visitor, int status,
                           const TenantPage& page) {
    return drawn(app, visitor, status, "tenants/show",
                 {.title = page.is_new ? translated("New tenant")
                                       : translated("Tenant {0}", page.tenant.name),
                  .section = "tenants"},
                 to_json(page));
}

/// The currency of the tenant's budget, if no price that counts for it is in that currency.
std::string unpriced_currency_of(store::Connection& connection, const model::Tenant& tenant) {
    if (!tenant.budget) return "";
    const std::string& currency = tenant.budget->currency;
    for (const model::TenantId owner : {tenant.id, model::TenantId{}}) {
        const auto prices = store::list_prices(connection, owner);
        const bool has_one = std::ranges::any_of(
            prices, [&](const model::Price& price) { return price.per_hour.currency == currency; });
        if (has_one) return "";
    }
    return currency;
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
        page.users = store::list_tenant_users(connection, tenant->id, tenant_users_shown);
        page.user_count = store::count_tenant_users(connection, tenant->id);
        page.free_workers = operations::free_workers(connection, page.now);
        page.unpriced_currency = unpriced_currency_of(connection, *tenant);
        return true;
    });
    if (!is_there) return std::nullopt;
    page.factor_of_all = app.sign_in.second_factor;
    page.form = form_of(page.tenant);
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

std::string tenant_done_words(const std::string& what, const std::string& name) {
    if (what == "created") return translated("Tenant {0} created.", name);
    if (what == "saved") return translated("Saved.");
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
        item["workers"] = one.tenant.workers == 0 ? std::string(translated("no limit"))
                                                  : tenant_count(one.tenant.workers);
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
    Json json = form_json(page.is_new ? translated("Couldn't create the tenant")
                                      : translated("Couldn't save the tenant"),
                          tenant_fields(page), page.problems);
    json["is_new"] = page.is_new;
    json["heading"] = page.is_new ? translated("New tenant") : page.tenant.name;
    json["action"] = page.is_new ? "/tenants" : tenant_href(page.tenant.name);
    json["delete_href"] = page.is_new || page.tenant.name == model::superadmin_tenant
                              ? std::string()
                              : tenant_href(page.tenant.name) + "/delete";
    // Superadmins see their own tenant without a view.
    json["view_action"] =
        json["delete_href"] == "" ? std::string() : tenant_href(page.tenant.name) + "/view";
    json["bootstrap"] = page.form.bootstrap;
    json["done"] = page.done;
    json["base"] = page.is_new ? "" : page.base;
    json["is_overtaken"] = page.is_overtaken;
    json["last_change"] = to_json(page.last_change, page.now);
    json["unpriced"] =
        page.unpriced_currency.empty()
            ? std::string()
            : translated(
                  "The tenant has a budget, but no machine has a price in {0}: it cannot "
                  "create clusters until there are prices.",
                  page.unpriced_currency);
    json["clusters"] = used_of(page.use.clusters, page.tenant.max_clusters);
    json["machines"] = used_of(page.use.nodes, page.tenant.max_nodes);
    json["uid"] = page.tenant.uid;
    json["factor_for"] = second_factor_words(std::max(page.factor_for, page.factor_of_all));
    json["provider_types"] =
        page.tenant.provider_types ? listed(*page.tenant.provider_types) : translated("all");
    const std::string people = tenant_href(page.tenant.name) + "/people";
    const FormField first_name{
        .id = "name", .name = "name", .label = translated("User name"), .required = true};
    json["people_href"] = people;
    json["has_people"] = !page.users.empty();
    json["is_empty"] = !page.is_new && page.users.empty();
    json["people"] = Json::array();
    for (const auto& user : page.users) {
        Json item;
        item["person"] = user.name;
        item["person_href"] = people + '/' + http::percent_encode(user.name);
        item["role"] = to_word(user.role);
        item["state"] = person_state_words(how_logs_in(user));
        item["keys"] = user.keys;
        item["used"] = user.key_used_at ? moment(*user.key_used_at, page.now) : Json();
        json["people"].push_back(std::move(item));
    }
    json["first_name"] = Json::array({to_json(first_name, {})});
    json["more_people"] = page.user_count > static_cast<int>(page.users.size())
                              ? translated("All {0} users", grouped(page.user_count))
                              : std::string();
    json["can_search_people"] = json["more_people"] != "";
    return json;
}

Json to_json(const TenantDeletionPage& page) {
    const FormField confirm{
        .id = "input-confirm",
        .name = "confirm",
        .label = translated("Name of the tenant"),
        .value = page.confirmed,
        .hint = translated("Type {0} to confirm that this is the one.", page.tenant.name),
        .autocomplete = "off",
        .required = true};
    Json json = form_json(translated("Couldn't delete the tenant"), {confirm}, page.problems);
    json["name"] = page.tenant.name;
    json["href"] = tenant_href(page.tenant.name);
    json["action"] = tenant_href(page.tenant.name) + "/delete";
    json["view_action"] = tenant_href(page.tenant.name) + "/view";
    json["workers"] = page.tenant.workers == 0
                          ? std::string()
                          : translated_count(page.tenant.workers, "{0} worker", "{0} workers");
    json["clusters"] = page.use.clusters == 0
                           ? std::string()
                           : translated_count(page.use.clusters, "{0} cluster", "{0} clusters");
    json["machines"] = translated_count(page.use.nodes, "{0} machine", "{0} machines");
    json["users"] = translated_count(page.users, "{0} user", "{0} users");
    return json;
}

http::Response list_tenants(const http::Request& request, const auth::Visitor& visitor, App& app) {
    TenantsPage page;
    if (const std::string name = deleted_name(request); !name.empty()) {
        page.done = translated("Tenant {0} deleted.", name);
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
    if (auto refused = if_limits_lack(app, visitor, request)) return *refused;
    TenantPage page = new_tenant_page(app);
    page.form = tenant_form_in(request);
    const auto wanted = forms::tenant(tenant_request(page.form));
    if (!wanted) {
        page.problems = problems_of_form(wanted.error());
        return draw_tenant(app, visitor, 422, page);
    }
    const auto made =
        operations::create_tenant(app.database, visitor.who(), *wanted, app.clock.now());
    if (!made) {
        page.problems = problems_of_form(made.error().problems);
        return with_status_of(made.error(), draw_tenant(app, visitor, 200, page));
    }
    return http::see_other(tenant_href(wanted->name) + "?done=created");
}

http::Response show_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_tenant_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    page->done = tenant_done_words(request.query_value("done").value_or(""), page->tenant.name);
    return draw_tenant(app, visitor, 200, *page);
}

http::Response change_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    if (auto refused = if_limits_lack(app, visitor, request)) return *refused;
    auto page = read_tenant_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    page->form = tenant_form_in(request);
    page->form.name = page->tenant.name;
    const auto sent = http::parse_form(request.body);
    const std::string latest = std::exchange(page->base, sent.trimmed("base"));
    const auto wanted = forms::tenant(tenant_request(page->form));
    if (!wanted) {
        page->problems = problems_of_form(wanted.error());
        return draw_tenant(app, visitor, 422, *page);
    }
    const auto changed = operations::replace_tenant(app.database, visitor.who(), page->tenant.name,
                                                    *wanted, app.clock.now(), page->base);
    if (!changed) {
        page->problems = problems_of_form(changed.error().problems);
        page->is_overtaken = page->problems.front().field == "base";
        if (page->is_overtaken) {
            page->base = latest;
            page->last_change = app.database.read([&](store::Connection& connection) {
                return last_change_of(connection, {}, operations::audited_tenant,
                                      page->tenant.name);
            });
        }
        return with_status_of(changed.error(), draw_tenant(app, visitor, 200, *page));
    }
    return http::see_other(tenant_href(page->tenant.name) + "?done=saved");
}

namespace {

http::Response no_deletion_of_superadmins(App& app, const auth::Visitor& visitor) {
    const std::string name = model::superadmin_tenant;
    return error_page(
        app, visitor, 403,
        {.heading = translated("The tenant {0} cannot be deleted", name),
         .text = translated("The superadmins belong to it: without it nobody could manage this "
                            "installation."),
         .ways = {{tenant_href(name), translated("Tenant {0}", name)},
                  {"/tenants", translated("Tenants")}}});
}

http::Response draw_deletion(const http::Request& request, const auth::Visitor& visitor, App& app,
                             const std::string& confirmed, const Problems& problems) {
    const auto page = read_tenant_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    if (page->tenant.name == model::superadmin_tenant)
        return no_deletion_of_superadmins(app, visitor);
    return drawn(
        app, visitor, problems.empty() ? 200 : 422, "tenants/delete",
        {.title = translated("Delete tenant {0}", page->tenant.name), .section = "tenants"},
        to_json(TenantDeletionPage{.tenant = page->tenant,
                                   .use = page->use,
                                   .users = page->user_count,
                                   .confirmed = confirmed,
                                   .problems = problems}));
}

}  // namespace

http::Response ask_to_delete_tenant(const http::Request& request, const auth::Visitor& visitor,
                                    App& app) {
    return draw_deletion(request, visitor, app, "", {});
}

http::Response delete_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("tenant");
    const std::string confirmed = http::parse_form(request.body).trimmed("confirm");
    if (confirmed != name) {
        return draw_deletion(
            request, visitor, app, confirmed,
            {{"confirm", translated("This is not the name of the tenant, which is {0}.", name)}});
    }
    const auto deleted = operations::delete_tenant(app.database, visitor.who(), name,
                                                   operations::Workers::are_taken_back);
    if (deleted) return http::see_other(after_deletion("/tenants", name));
    return with_status_of(
        deleted.error(), draw_deletion(request, visitor, app, confirmed, deleted.error().problems));
}

}  // namespace fcgi::pages
