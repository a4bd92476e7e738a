#include "fcgi/pages/tenants/viewing.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/tenants/viewing.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace operations = provisioner::operations;

http::Response view_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const auto begun =
        operations::begin_view(app.database, visitor.open_session(), request.path_value("tenant"));
    if (begun) {
        return http::see_other(safe_next(http::parse_form(request.body).trimmed("next")));
    }
    return with_status_of(begun.error(),
                          error_page(app, visitor, 409,
                                     {.heading = translated("Couldn't view the tenant"),
                                      .text = begun.error().problems.front().message}));
}

http::Response leave_view(const http::Request&, const auth::Visitor& visitor, App& app) {
    if (!visitor.behind) return http::see_other("/");
    const auto viewed = visitor.who().tenant;
    operations::end_view(app.database,
                         {.session = visitor.open_session().session, .caller = *visitor.behind},
                         viewed);
    return http::see_other("/tenants/" + http::percent_encode(viewed.name));
}

}  // namespace fcgi::pages
