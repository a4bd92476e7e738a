#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/profile/key_form.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/model/tenants/session.hpp"
#include "provisioner/operations/sign_in/factors.hpp"

namespace fcgi::pages {

/// One's own profile: views/profile/show.
struct ProfilePage {
    std::string user{};
    std::string tenant{};
    std::string role{};
    /// What the identity provider is called that has the user's password; empty: it is here.
    std::string provider{};
    std::vector<provisioner::model::Session> sessions{};
    bool shows_all_sessions = false;
    /// The one that asks.
    provisioner::model::SessionId present{};
    std::vector<provisioner::model::ApiKey> keys{};
    provisioner::operations::FactorView factor{};
    provisioner::model::MailChoice mails{};
    KeyForm form{};
    /// Shown once, right after it was made.
    provisioner::base::Secret new_key{};
    /// What has just been done, in words; may be empty.
    std::string done{};
    provisioner::base::Timestamp now{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const ProfilePage& page);

/// So many sessions are shown until all are asked for by "?sessions=all".
constexpr std::size_t sessions_at_first = 5;

/// Sessions as a list of a page; `present` is marked. The page of a user has it, too.
/// Without `all`, only the sessions that were used last.
provisioner::base::Json sessions_json(const std::vector<provisioner::model::Session>& sessions,
                                      provisioner::model::SessionId present,
                                      provisioner::base::Timestamp now, bool all);
/// "Show all 37 sessions"; empty if they are shown.
std::string all_sessions_words(std::size_t count, bool all);

/// "Firefox on Linux", guessed from a User-Agent; the beginning of the text when it says neither.
std::string browser_words(const std::string& agent);

/// GET /profile.
http::Response show_own_profile(const http::Request& request, const auth::Visitor& visitor,
                                App& app);
/// POST /profile/sessions/{id}/end, and POST /profile/sessions/end for all but this one.
http::Response end_own_session(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
http::Response end_other_sessions(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
/// GET and POST /profile/keys: the page with the form; the new key is shown once.
http::Response make_own_key(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /profile/keys/{id}/delete.
http::Response delete_own_key(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
