#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/create_page.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// The last 6000 bytes or less of what a task printed in its job's last run, in whole lines if
/// possible.
///
/// The functions of this file are the pages' reads that combine several stores. They run inside the
/// caller's read transaction, so that a page shows one consistent state. They write nothing and
/// lock nothing.
std::string end_of_output(provisioner::store::Connection& connection,
                          const provisioner::model::Task& task);

/// The newest version of every template that the caller may use, by name. Templates that cannot be
/// read are left out. One that cannot be merged with what it extends is returned as written. Costs
/// further lookups for each template that extends or includes others.
std::vector<provisioner::model::ClusterTemplate> read_templates(
    provisioner::store::Connection& connection, const provisioner::model::Caller& caller);

/// What `caller` can choose for a new cluster. `of_draft`: for an administrator, in place of
/// `cluster_template` stands the draft of a change to it, if there is one. `provider` is the
/// provider chosen in the form; if it is empty, the default of `cluster_template` counts. The
/// provider's fields are empty if the provider or its plugin type does not exist.
Offer read_offer(provisioner::store::Connection& connection,
                 const provisioner::model::Caller& caller, const std::string& cluster_template,
                 const std::string& provider, bool of_draft = false);

}  // namespace fcgi::pages
