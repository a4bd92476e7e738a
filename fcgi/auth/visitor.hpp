#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/session.hpp"

namespace fcgi::auth {

/// The sender of a request, as identify_browser or identify_script established it. Lives as long as
/// the request.
struct Visitor {
    /// User and tenant; nothing without a login. An API request that reaches a handler has one,
    /// unless its route has Need::nobody.
    std::optional<provisioner::model::Caller> caller;
    /// The session token of the cookie. Empty without a login, and for scripts that use an API key.
    provisioner::base::Secret session;
    /// The session of the cookie; nothing without a login, and for scripts that use an API key.
    std::optional<provisioner::model::Session> login{};
    /// Set while the second step of a sign-in is to come. There is no caller then.
    std::optional<provisioner::model::OpenSession> first_step{};
    /// The superadmin who views a tenant at this address, as they are. `caller` then is an auditor
    /// of that tenant under the name "superadmin/name": the same rights to read and none to change.
    /// Nothing otherwise.
    std::optional<provisioner::model::Caller> behind{};
    /// The tenants that the session of a superadmin views, for the pages of their own; empty
    /// elsewhere.
    std::vector<provisioner::model::RunningView> views{};
    /// How far the API key of the request reaches; nothing for sessions.
    std::optional<provisioner::model::KeyLimits> key{};

    /// The session and its caller, on a route that needs a login. Throws std::logic_error for
    /// scripts with an API key.
    provisioner::model::OpenSession open_session() const;

    /// The caller, on a route that needs one. Throws std::logic_error without a caller: then the
    /// route's need is wrong.
    const provisioner::model::Caller& who() const;

    /// The value that a form must send in its field "csrf". Empty without a session. It is computed
    /// from the session token, so it is the same for the whole session and stored nowhere.
    std::string csrf_token() const;
};

}  // namespace fcgi::auth
