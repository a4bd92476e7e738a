#include "fcgi/pages/tenants/viewing.hpp"

#include "fcgi/http/cookies.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/tenants/viewing.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Longer addresses are not kept: a cookie has at most some 4,000 bytes.
constexpr std::size_t longest_way_back = 1000;

std::string way_back_name(const http::Request& request) {
    return request.secure ? "__Secure-cooperage-view" : "cooperage-view";
}

/// Empty: the browser forgets it.
http::Response with_way_back(http::Response response, const http::Request& request,
                             const std::string& path) {
    const http::Cookie cookie{
        .name = way_back_name(request),
        .value = http::percent_encode(path),
        .max_age = path.empty() ? std::optional(std::chrono::seconds{0}) : std::nullopt,
        .secure = request.secure,
        .path = request.prefix.empty() ? "/" : request.prefix};
    return http::with_header(std::move(response), "Set-Cookie", http::to_header(cookie));
}

std::string way_back(const http::Request& request) {
    const auto kept = http::cookie_value(request.header("cookie"), way_back_name(request));
    const std::string path = http::percent_decode(kept.value_or(""));
    return path.empty() || safe_next(path) != path ? "" : path;
}

/// Begins the view and leads to `next`.
http::Response begin_viewing(const http::Request& request, const auth::Visitor& visitor, App& app,
                             const std::string& tenant, const std::string& next) {
    const auto begun = operations::begin_view(app.database, visitor.open_session(), tenant);
    if (!begun) {
        return with_status_of(begun.error(),
                              error_page(app, visitor, 409,
                                         {.heading = translated("Couldn't view the tenant"),
                                          .text = begun.error().problems.front().message}));
    }
    std::string from = came_from(request);
    // That page would only say whose cluster it is.
    if (from == next || from.size() > longest_way_back) from.clear();
    return with_way_back(http::see_other(next), request, from);
}

/// Of "/clusters/00000042/machines/1001".
std::optional<model::ClusterId> cluster_of_path(const std::string& path) {
    constexpr std::string_view clusters = "/clusters/";
    if (!path.starts_with(clusters)) return std::nullopt;
    const std::string rest = path.substr(clusters.size());
    const auto id = provisioner::base::parse_number(rest.substr(0, rest.find_first_of("/?#")));
    return id ? std::optional(model::ClusterId{*id}) : std::nullopt;
}

}  // namespace

std::string came_from(const http::Request& request) {
    const std::string& page = request.header("referer");
    const auto scheme_end = page.find("://");
    if (scheme_end == std::string::npos) return "";
    const std::string address = page.substr(scheme_end + 3);
    const std::string ours = request.header("host") + request.prefix;
    if (!address.starts_with(ours + '/')) return "";
    const std::string path = address.substr(ours.size());
    return safe_next(path) == path ? path : "";
}

http::Response view_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    return begin_viewing(request, visitor, app, request.path_value("tenant"), "/");
}

http::Response open_elsewhere(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    const std::string next = safe_next(http::parse_form(request.body).trimmed("next"));
    const auto cluster = cluster_of_path(next);
    if (!cluster) return nothing_there(translated("cluster"));
    const std::string tenant = app.database.read([&](store::Connection& connection) {
        return store::tenant_of(connection, visitor.who(), *cluster);
    });
    if (tenant.empty()) return nothing_there(translated("cluster"));
    if (tenant == visitor.who().tenant.name) return http::see_other(next);
    return begin_viewing(request, visitor, app, tenant, next);
}

http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string wanted = http::parse_form(request.body).trimmed("next");
    std::string next = wanted.empty() ? way_back(request) : safe_next(wanted);
    if (visitor.behind) {
        const auto viewed = visitor.who().tenant;
        operations::end_view(app.database,
                             {.session = visitor.open_session().session, .caller = *visitor.behind},
                             viewed);
        if (next.empty()) next = "/tenants/" + http::percent_encode(viewed.name);
    }
    return with_way_back(http::see_other(next.empty() ? "/" : next), request, "");
}

}  // namespace fcgi::pages
