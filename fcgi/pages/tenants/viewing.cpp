#include "fcgi/pages/tenants/viewing.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/tenants/viewing.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Longer addresses are not kept.
constexpr std::size_t longest_way_back = 1000;

}  // namespace

std::string came_from(const http::Request& request) {
    const std::string& page = request.header("referer");
    const auto scheme_end = page.find("://");
    if (scheme_end == std::string::npos) return "";
    const std::string address = page.substr(scheme_end + 3);
    const std::string ours = request.header("host") + request.prefix;
    if (!address.starts_with(ours + '/')) return "";
    const std::string path = address.substr(ours.size());
    const bool is_kept = path.size() <= longest_way_back && !path.starts_with("/view/");
    return is_kept && safe_next(path) == path ? path : "";
}

http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("tenant");
    const auto viewed = app.database.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
    if (!viewed) return nothing_there(translated("tenant"));
    const std::string began = operations::end_view(app.database, visitor.open_session(), *viewed);
    const std::string wanted = http::parse_form(request.body).trimmed("next");
    if (!wanted.empty()) return http::see_other(safe_next(wanted));
    return http::see_other(began.empty() ? "/tenants/" + http::percent_encode(name) : began);
}

}  // namespace fcgi::pages
