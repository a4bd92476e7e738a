#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// A few words and where to go from there: views/tenants/notice.
struct NoticePage {
    std::string heading{};
    std::string text{};
    /// (address, label); the first is the one that most want.
    std::vector<std::pair<std::string, std::string>> links{};
};
provisioner::base::Json to_json(const NoticePage& page);

/// The page, narrow and without navigation for who is not signed in.
http::Response notice(App& app, const auth::Visitor& visitor, int status, const NoticePage& page);

/// GET /login/with/{provider}?next=/path: 303 to the provider, with the cookie that binds its
/// answer to this browser. With again=1 the password has to be given again there.
http::Response depart_to_provider(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

/// POST /login/with/{provider}: the same for somebody whose session ended when they sent a form,
/// which comes back after the log-in. 200, a page that leads on by itself: the rule for forms in
/// the Content-Security-Policy lets no browser follow a redirect from a form to another site.
http::Response depart_with_form(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// GET /login/callback/{provider}, or /login/callback for providers that share it: the provider's
/// answer. Sets the session cookie, 303 to where the person
/// wanted to go; or the login page with the reason.
http::Response arrive_from_provider(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);

/// POST /login/backchannel: a provider ends sessions (OpenID Connect Back-Channel Logout). 200, or
/// 400 with the reason as JSON.
http::Response log_out_by_provider(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);

}  // namespace fcgi::pages
