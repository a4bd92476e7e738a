#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace fcgi::pages {

/// The login form: views/tenants/login. Tenant and user name are shown again after a failure; the
/// password never is.
struct LoginPage {
    /// As typed, without blanks around it.
    std::string tenant{};
    /// As typed, without blanks around it.
    std::string user{};
    /// Where to go after the login: a path of this site, as safe_next returns it.
    std::string next = "/";
    /// Providers to which the browser can be sent, as (address, label).
    std::vector<std::pair<std::string, std::string>> ways{};
    /// Directories in which the name may be, as (name, label).
    std::vector<std::pair<std::string, std::string>> directories{};
    /// The directory that was chosen; empty: the first that has the name.
    std::string directory{};
    /// A form that this person sent after their session had ended; it comes back after the login.
    std::optional<provisioner::store::KeptForm> kept{};
    /// What is missing, or one message that does not say which of the three is wrong.
    provisioner::base::Problems problems{};
};

/// The three controls in the order user, tenant, password, and the hidden field `next`. With a
/// directory the tenant may be left out, and each is named below the form; with several there is a
/// control to choose one.
provisioner::base::Json to_json(const LoginPage& page);

/// GET /login?next=/path: the form. A visitor who is logged in goes to `next` at once (303).
http::Response show_login(const http::Request& request, const auth::Visitor& visitor, App& app);

/// The page with the ways that this installation has.
http::Response login_page(App& app, const auth::Visitor& visitor, int status, LoginPage page);

/// The message for an attempt that was refused.
std::string refusal_words(const provisioner::operations::SignInResult& result);

/// The page with the status of a refused attempt: 429 or 503 with Retry-After, 503 for a provider
/// that is away, 403 for one that knows the person; else as it is. Called after
/// auth::record_sign_in, which has written the event about it.
http::Response with_refusal(http::Response page,
                            const provisioner::operations::SignInResult& result);

/// The response with the cookie of a new session.
http::Response with_session(http::Response response, const http::Request& request,
                            const provisioner::base::Secret& token, App& app);

/// After the first step of a log-in: to the second step if there is one, else to `next` or to the
/// form that was brought along. It is stored after the second step only.
http::Response after_first_step(App& app, const http::Request& request,
                                const provisioner::operations::SignInResult& result,
                                const std::string& next,
                                const std::optional<provisioner::store::KeptForm>& kept);

/// The answer to a form of a log-in that was drawn before this browser had the session that it has
/// now: on to the form that it carries, or to where it leads (303). Nothing for other requests, and
/// for forms of other sites.
std::optional<http::Response> leave_login(const http::Request& request,
                                          const auth::Visitor& visitor, App& app);

/// POST /login: sets the session cookie, 303 to `next`; or 422 with the form. After failures 429,
/// the same for right passwords and wrong ones; 503 while too many passwords are checked.
http::Response log_in(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /logout: ends the session, removes the cookie, 303 to the login page. Works without a
/// session too. A session that began at an identity provider gets a page with the way to log out
/// there: a form must not lead to another site (Content-Security-Policy).
http::Response log_out(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
