#include "fcgi/pages/tenants/viewing.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Longer addresses are not kept.
constexpr std::size_t longest_way_back = 1000;

/// The path if it can be one that leads out of a view; otherwise nothing.
std::string way_back(const std::string& path) {
    const bool is_kept = path.size() <= longest_way_back && !path.starts_with("/view/");
    return is_kept && safe_next(path) == path ? path : "";
}

}  // namespace

std::string came_from(const http::Request& request) {
    const std::string& page = request.header("referer");
    const auto scheme_end = page.find("://");
    if (scheme_end == std::string::npos) return "";
    const std::string address = page.substr(scheme_end + 3);
    const std::string ours = request.header("host") + request.prefix;
    if (!address.starts_with(ours + '/')) return "";
    return way_back(address.substr(ours.size()));
}

http::Response begin_view(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("tenant");
    const auto sent = http::parse_form(request.body);
    const std::string next = safe_next(sent.trimmed("next"));
    if (name == visitor.who().tenant.name) return http::see_other(next);
    const auto viewed = app.database.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
    if (!viewed) return nothing_there(translated("tenant"));
    const auto back = sent.first("back");
    operations::begin_view(app.database, visitor.open_session(), *viewed,
                           back ? way_back(*back) : came_from(request), app.clock.now());
    return http::see_other(in_view(name, next));
}

http::Response question_of_view(App& app, const auth::Visitor& visitor,
                                const http::Request& request, const std::string& tenant) {
    return error_page(
        app, visitor, 200,
        {.heading = translated("View {0}?", tenant),
         .text = translated("You are not viewing this tenant now. The page {0} belongs to it: you "
                            "would see it as its auditors do, and change nothing. The audit logs "
                            "of {1} and of your own tenant record when the view begins and ends.",
                            request.here(), tenant),
         .ways = {{"/", translated("No, go to Home")}},
         .form = ErrorPage::Form{.action = "/viewing/" + http::percent_encode(tenant),
                                 .next = request.here(),
                                 .button = translated("View {0}", tenant),
                                 .back = came_from(request)}});
}

http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("tenant");
    const auto viewed = app.database.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
    if (!viewed) return nothing_there(translated("tenant"));
    const std::string began = operations::end_view(app.database, visitor.open_session(), *viewed);
    const std::string wanted = http::parse_form(request.body).trimmed("next");
    if (!wanted.empty()) return http::see_other(safe_next(wanted));
    // Who stops on a page of their own stays there.
    const std::string own_page = came_from(request);
    if (!own_page.empty()) return http::see_other(own_page);
    return http::see_other(began.empty() ? "/tenants/" + http::percent_encode(name) : began);
}

}  // namespace fcgi::pages
