#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/rights.hpp"

namespace fcgi::pages {

// API keys on pages: the form of a new one, and the list. Pure.

/// What was typed into the form of a new API key.
struct KeyForm {
    std::string name{};
    /// A word of KeyScope.
    std::string scope = "all";
    /// Rights like "clusters:read", for the scope "some".
    std::vector<std::string> rights{};
    /// Ids or names of clusters, with blanks or commas between them.
    std::string clusters{};
    /// Days that it lives; empty or 0: for ever.
    std::string days = "90";
};

/// The controls of the form. They offer what the role has.
std::vector<FormField> key_fields(const KeyForm& form, provisioner::model::Role role);

/// Whether only some rights are wanted, and none is chosen.
bool asks_for_no_right(const KeyForm& form);

/// The form with the id in place of each name of a cluster. `called` gives the clusters of a name
/// that the user may see; where it is not one, `problems` says so, and the name is left out. Asks
/// once for each name, at most forms::most_clusters_of_key times.
KeyForm with_cluster_ids(
    const KeyForm& form,
    const std::function<std::vector<provisioner::model::ClusterId>(const std::string&)>& called,
    provisioner::base::Problems& problems);

/// The form as the body of the API's call, which reads and checks it.
provisioner::base::Json body_of_key(const KeyForm& form, provisioner::base::Timestamp now);

/// What the form can say better than the API, or refuses and the API does not: the days, rights
/// that the role does not have, and clusters of which `is_there` says that there are none. It asks
/// once for each, at most forms::most_clusters_of_key times.
provisioner::base::Problems problems_of_key(
    const KeyForm& form, provisioner::model::Role role,
    const std::function<bool(provisioner::model::ClusterId)>& is_there);

/// Keys as a list of a page, with those of their rights that their user's role does not have.
provisioner::base::Json keys_json(const std::vector<provisioner::model::ApiKey>& keys,
                                  provisioner::model::Role role, provisioner::base::Timestamp now);

}  // namespace fcgi::pages
