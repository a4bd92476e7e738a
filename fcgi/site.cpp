#include "fcgi/site.hpp"

#include <stdexcept>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/auth/identify.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/security_headers.hpp"

namespace fcgi {

using auth::Visitor;
using http::Request;
using http::Response;

Site::Site(const std::vector<Route>& table, auth::Directory& directory, App& app)
    : table_(table), directory_(directory), app_(app) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        router_.add(table[i].method, table[i].pattern, i);
    }
}

Response Site::answer(Request& request) const {
    try {
        Response response = answer_or_throw(request);
        // Whatever was written may have queued work, and a nudge in vain costs nothing.
        if (request.method != "GET" && response.status < 400) app_.nudge.send();
        return http::with_security_headers(std::move(response), request);
    } catch (const std::exception& error) {
        return http::with_security_headers(http::broken(request, error, app_.log), request);
    }
}

Response Site::answer_or_throw(Request& request) const {
    const bool is_api = http::is_for_api(request);
    if (request.method == "HEAD" && !is_api) request.method = "GET";
    auto match = router_.find(request.method, request.path);
    if (std::holds_alternative<http::NoRoute>(match)) return http::not_found(request);
    auto* found = std::get_if<http::RouteFound>(&match);
    if (found == nullptr) return http::wrong_method(request);
    request.path_values = std::move(found->path_values);
    const Route& route = table_[found->route];
    return is_api ? answer_script(request, route) : answer_browser(request, route);
}

Response Site::answer_script(const Request& request, const Route& route) const {
    if (route.need == auth::Need::nobody) return route.handler(request, Visitor{}, app_);
    const auto visitor = auth::identify_script(request, directory_);
    if (!visitor) return visitor.error();
    if (!auth::satisfies(*visitor, route.need)) return auth::refusal(request, *visitor, route.need);
    return route.handler(request, *visitor, app_);
}

Response Site::answer_browser(const Request& request, const Route& route) const {
    const Visitor visitor = auth::identify_browser(request, directory_);
    if (!auth::satisfies(visitor, route.need)) return auth::refusal(request, visitor, route.need);
    if (request.method != "GET" && !auth::form_is_genuine(request, visitor)) {
        return http::plain_page(403,
                                "This form is out of date: go back, load the page again and "
                                "send it once more.");
    }
    return route.handler(request, visitor, app_);
}

}  // namespace fcgi
