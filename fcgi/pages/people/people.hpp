#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/people/people_of.hpp"
#include "fcgi/pages/people/person_clusters.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/second_factor.hpp"
#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"

namespace fcgi::pages {

/// Users on a page of the list.
constexpr std::size_t people_shown = 50;
/// From so many on, the list can be searched.
constexpr std::size_t people_without_search = 10;

/// The users of a tenant, for its administrators and for superadmins: views/people/index.
struct PeoplePage {
    PeopleOf of{};
    /// All of them; the page chooses.
    std::vector<provisioner::model::User> users{};
    /// What their names are searched for; empty: all.
    std::string text{};
    /// Which page of those found, from 1.
    std::size_t page = 1;
    /// Those of them who have a second factor.
    std::set<provisioner::model::UserId> with_factor{};
    /// When those who are logged in used a session last.
    std::map<provisioner::model::UserId, provisioner::base::Timestamp> last_used{};
    /// Names of the identity providers of those whom one has made.
    std::map<provisioner::model::UserId, std::string> providers{};
    /// API keys of those who have any.
    std::map<provisioner::model::UserId, provisioner::store::KeyUse> keys{};
    /// Who has to have one: by choice of the tenant, and of the installation.
    provisioner::model::SecondFactorFor factor_for{};
    provisioner::model::SecondFactorFor factor_of_all{};
    /// What has just been done, in words; may be empty.
    std::string done{};
    /// False for auditors: no form.
    bool may_change = true;
    /// Whether the form offers the role of superadmins.
    bool offers_superadmin = false;
    /// What was typed into the form.
    std::string name{};
    std::string role{};
    provisioner::base::Problems problems{};
    provisioner::base::Timestamp now{};
};

/// One of them: views/people/show.
struct PersonPage {
    PeopleOf of{};
    provisioner::model::User user{};
    bool has_factor = false;
    /// Names, sorted.
    std::vector<std::string> groups{};
    PersonClusters clusters{};
    /// Name of the identity provider that made the user; empty for users of this installation.
    std::string provider{};
    /// Whether it is the visitor, who has a profile for that.
    bool is_self = false;
    /// False for auditors: no forms.
    bool may_change = true;
    /// Whether the form offers the role of superadmins.
    bool offers_superadmin = false;
    std::vector<provisioner::model::Session> sessions{};
    bool shows_all_sessions = false;
    std::vector<provisioner::model::ApiKey> keys{};
    /// Shown once, right after it was made.
    provisioner::base::Secret initial_password{};
    /// How long it lets in.
    std::chrono::hours initial_for{};
    std::string done{};
    provisioner::base::Problems problems{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const PeoplePage& page);
provisioner::base::Json to_json(const PersonPage& page);

// Each of these also serves /tenants/{tenant}/people… for superadmins.

/// GET /people, with the queries "q" and "page": the users of a tenant.
http::Response list_people(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /people: a new user of that name and role. Shows the user with an initial password, once.
http::Response create_person(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /people/{user}/role, with the field "role". Ends the user's sessions.
http::Response change_role_of_person(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);
/// GET /people/{user}.
http::Response show_person(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /people/{user}/password: an initial password, shown once.
http::Response reset_person(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /people/{user}/sessions/end, with the field "session" for one of them.
http::Response end_sessions_of_person(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// POST /people/{user}/keys/delete, with the field "key".
http::Response delete_key_of_person(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);
/// POST /people/{user}/access, with the field "disabled".
http::Response change_access_of_person(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);

}  // namespace fcgi::pages
