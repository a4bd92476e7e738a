#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The failed ones of page.tasks, which are those of `job`, in groups that say the same
/// (views/clusters/tabs/_failures): what failed, on how many of the machines that have this task,
/// why, and a button that retries its machines where the viewer may. At most five groups, the
/// largest first. Needs page.kinds of the job.
provisioner::base::Json failures_json(const ClusterPage& page, const provisioner::model::Job& job);

/// What is tried again, so that nobody takes a pause between two attempts for a standstill: in one
/// line, with the groups behind it. Null if nothing is.
provisioner::base::Json retried_json(const ClusterPage& page);

}  // namespace fcgi::pages
