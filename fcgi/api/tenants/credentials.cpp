#include "fcgi/api/tenants/credentials.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/forms/tenant.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;

namespace {

namespace credentials = provisioner::operations;

}  // namespace

Response change_user(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto wanted = forms::access_change(*json);
    if (!wanted) return http::unprocessable(wanted.error());
    const auto user =
        credentials::change_access(app.database, visitor.who(), request.path_value("tenant"),
                                   request.path_value("user"), *wanted);
    if (!user) return refused_ours(user.error());
    return http::json(200, {{"name", user->name},
                            {"role", provisioner::base::to_word(user->role)},
                            {"disabled", user->disabled}});
}

Response reset_user_password(const Request& request, const Visitor& visitor, App& app) {
    const auto now = app.clock.now();
    const auto password =
        credentials::reset_password(app.database, visitor.who(), request.path_value("tenant"),
                                    request.path_value("user"), app.sign_in, now);
    if (!password) return refused_ours(password.error());
    const auto until = provisioner::base::to_millis(now + app.sign_in.initial_password);
    return http::json(200, {{"password", password->reveal()}, {"expireTime", until}});
}

Response end_user_sessions(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(credentials::end_sessions(
        app.database, visitor.who(), request.path_value("tenant"), request.path_value("user"), {}));
}

Response remove_user_factor(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(credentials::remove_factors_of(
        app.database, visitor.who(), request.path_value("tenant"), request.path_value("user")));
}

}  // namespace fcgi::api
