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
namespace store = provisioner::store;

namespace {

constexpr int events_at_once = 100;

http::Response as_csv(const std::vector<audit::Event>& events) {
    std::string body = provisioner::model::csv_row(audit::csv_columns());
    for (const auto& event : events) body += provisioner::model::csv_row(audit::csv_values(event));
    http::Response response{.status = 200, .headers = {}, .body = std::move(body)};
    response.headers.emplace_back("Content-Type", "text/csv; charset=utf-8; header=present");
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"audit.csv\"");
    return response;
}

http::Response as_json(const std::vector<audit::Event>& events) {
    Json list = Json::array();
    for (const auto& event : events) list.push_back(audit::to_json(event));
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
                         std::int64_t last) {
    if (!has_more) return response;
    return http::with_header(std::move(response), "Link", next_link(request, std::to_string(last)));
}

}  // namespace

http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app) {
    auto query = forms::audit_query(request);
    if (!query) return http::text(400, base::to_text(query.error()));
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto csv = wants_csv(request);
    if (!csv) return http::text(400, csv.error());
    const auto before = base::parse_number(page->after.empty() ? "0" : page->after);
    if (!before || (*before == 0 && !page->after.empty())) return unknown_cursor();
    const auto found = chain_for(visitor, app, *query);
    if (!found.chain) return http::text(found.status, found.message);
    query->filter.chain = *found.chain;
    const int limit = page->limit == 0 ? events_at_once : page->limit;
    auto events = app.database.read([&](store::Connection& connection) {
        return store::list_events(connection, query->filter, *before, limit + 1);
    });
    const bool has_more = std::ssize(events) > limit;
    if (has_more) events.pop_back();
    return with_link(*csv ? as_csv(events) : as_json(events), request, has_more,
                     events.empty() ? 0 : events.back().number);
}

http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    const auto query = forms::audit_query(request);
    if (!query) return http::text(400, base::to_text(query.error()));
    const auto found = chain_for(visitor, app, *query);
    if (!found.chain) return http::text(found.status, found.message);
    const std::string& text = request.path_value("number");
    const auto number = base::parse_number(text);
    const auto event = number ? app.database.look([&](store::Connection& connection) {
        return store::find_event(connection, *found.chain, *number);
    })
                              : std::nullopt;
    if (event) return http::json(200, audit::to_json(*event));
    return http::text(404, "there is no event " + text);
}

}  // namespace fcgi::api
