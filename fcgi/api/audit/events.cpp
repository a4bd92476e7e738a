#include "fcgi/api/audit/events.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/forms/audit_query.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/model/audit/texts.hpp"
#include "provisioner/model/csv.hpp"

namespace fcgi::api {

using provisioner::base::Json;
namespace audit = provisioner::model::audit;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int events_at_once = 100;

/// Nothing for the log of one.
using Tenants = std::optional<AuditTenants>;

/// Of whose log an event is; empty: the installation's.
std::string tenant_of(const audit::Event& event, const Tenants& tenants) {
    const auto found = tenants->find(event.chain);
    return found == tenants->end() ? "" : found->second;
}

http::Response as_json(const std::vector<audit::Event>& events, const Tenants& tenants) {
    Json list = Json::array();
    for (const auto& event : events) {
        list.push_back(audit::to_json(event));
        if (tenants) list.back()["tenant"] = tenant_of(event, tenants);
    }
    return http::json(200, list);
}

base::expected<bool, std::string> wants_csv(const http::Request& request) {
    const auto format = request.query_value("format").value_or("");
    if (format == "csv") return true;
    if (format == "json") return false;
    if (!format.empty()) return base::unexpected<std::string>("format must be json or csv");
    return request.header("accept").find("text/csv") != std::string::npos;
}

forms::AuditChainFound chain_for(const auth::Visitor& visitor, App& app,
                                 const forms::AuditQuery& query) {
    return app.database.read([&](store::Connection& connection) {
        return forms::audit_chain(connection, visitor.who(), query);
    });
}

/// Whether a Link leads on: one more event than asked for was read.
http::Response with_link(http::Response response, const http::Request& request, bool has_more,
                         const std::string& last) {
    if (!has_more) return response;
    return http::with_header(std::move(response), "Link", next_link(request, last));
}

}  // namespace

AuditTenants tenants_by_chain(store::Connection& connection) {
    AuditTenants names;
    for (const auto& log : store::list_logs(connection)) names.emplace(log.chain, log.tenant);
    return names;
}

http::Response events_as_csv(const std::vector<audit::Event>& events, const Tenants& tenants) {
    auto columns = audit::csv_columns();
    if (tenants) columns.emplace_back("tenant");
    std::string body = model::csv_row(columns);
    for (const auto& event : events) {
        auto values = audit::csv_values(event);
        if (tenants) values.push_back(tenant_of(event, tenants));
        body += model::csv_row(values);
    }
    http::Response response{.status = 200, .headers = {}, .body = std::move(body)};
    response.headers.emplace_back("Content-Type", "text/csv; charset=utf-8; header=present");
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"audit.csv\"");
    return response;
}

http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app) {
    auto query = forms::audit_query(request);
    if (!query) return http::text(400, base::to_text(query.error()));
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto csv = wants_csv(request);
    if (!csv) return http::text(400, csv.error());
    const bool is_first = page->after.empty();
    const auto before = base::parse_number(is_first ? "0" : page->after);
    const auto place = forms::audit_place(page->after);
    const bool is_known = query->everywhere ? place.has_value() : before.value_or(0) != 0;
    if (!is_first && !is_known) return unknown_cursor();
    const auto found = chain_for(visitor, app, *query);
    if (!found.chain && !found.everywhere) return http::text(found.status, found.message);
    query->filter.chain = found.chain.value_or(model::TenantId{});
    const int limit = page->limit == 0 ? events_at_once : page->limit;
    Tenants tenants;
    auto events = app.database.read([&](store::Connection& connection) {
        if (!found.everywhere) {
            return store::list_events(connection, query->filter, *before, limit + 1);
        }
        tenants = tenants_by_chain(connection);
        return store::list_events_of_all(connection, query->filter, place, limit + 1);
    });
    const bool has_more = std::ssize(events) > limit;
    if (has_more) events.pop_back();
    std::string last;
    if (has_more) {
        last = found.everywhere ? forms::word_of(store::place_of(events.back()))
                                : std::to_string(events.back().number);
    }
    return with_link(*csv ? events_as_csv(events, tenants) : as_json(events, tenants), request,
                     has_more, last);
}

http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    const auto query = forms::audit_query(request);
    if (!query) return http::text(400, base::to_text(query.error()));
    const auto found = chain_for(visitor, app, *query);
    const std::string& text = request.path_value("number");
    if (found.everywhere) return http::text(400, "scope: an event is of one log, not of all");
    if (!found.chain) return http::text(found.status, found.message);
    const auto number = base::parse_number(text);
    const auto event = number ? app.database.look([&](store::Connection& connection) {
        return store::find_event(connection, *found.chain, *number);
    })
                              : std::nullopt;
    if (event) return http::json(200, audit::to_json(*event));
    return http::text(404, "there is no event " + text);
}

}  // namespace fcgi::api
