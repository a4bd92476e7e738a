#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/people/people_of.hpp"
#include "fcgi/pages/people/person_clusters.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

/// What becomes of what a user has, before they are deleted: views/people/delete.
struct PersonDeletionPage {
    PeopleOf of{};
    provisioner::model::User user{};
    /// Name of the identity provider that made the user; empty for users of this installation.
    std::string provider{};
    /// Names, sorted.
    std::vector<std::string> groups{};
    int sessions = 0;
    int keys = 0;
    PersonClusters clusters{};
    /// Why the user was not deleted, or cannot be; empty for none.
    std::string problem{};
    /// False for oneself.
    bool may_delete = true;
};
provisioner::base::Json to_json(const PersonDeletionPage& page);

/// GET /people/{user}/delete, /tenants/{tenant}/people/{user}/delete: the question.
http::Response ask_to_delete_person(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);
/// POST to the same. 303 to the list, or the question with what stands in the way.
http::Response delete_person(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
