#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/tabs/machine_state.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/store/clusters/service_states.hpp"

namespace fcgi::pages {

/// The kinds of change to a cluster's nodes or services. Each has its own address and its own form.
enum class Change { add_services, remove_services, grow, shrink, replace };

/// The form of one change, and a preview of what it would do to machines and services:
/// views/changes/change.
///
/// The handler fills in the members of the cluster. `asked` is the form as sent, from the query of
/// a GET, from the draft that it names, or from the body of a POST. Once it was sent, either
/// `preview` or `problems` is set. The preview repeats the form in hidden fields, and its button
/// posts them to the same address.
struct ChangePage {
    Change change = Change::grow;
    /// As stored, before the change.
    provisioner::model::Cluster cluster{};
    /// Its latest job.
    std::optional<provisioner::model::Job> job{};
    EndFacts end{};
    /// The present nodes by nodenum; for Change::shrink without those that are being removed.
    std::vector<provisioner::model::Node> nodes{};
    /// For Change::shrink: the numbers of those that the latest job has left failed, or after an
    /// abort unfinished (operations::failed_machines_after); and how many are being removed, for
    /// Change::remove_services and Change::replace, too.
    std::set<int> failed{};
    bool are_unfinished = false;
    std::size_t leaving = 0;
    /// For Change::shrink: those that were being removed and that can be kept. They are among
    /// `nodes`, and not among `leaving`, if the form asks to keep them (let_keepable_stay()).
    std::vector<provisioner::model::Node> keepable{};
    /// Their states by nodenum; read for Change::shrink only. Others are ready.
    std::map<int, MachineLook> looks{};
    /// Likewise the services that failed there.
    std::map<int, std::vector<std::string>> failed_services{};
    /// Number or id of the node to replace, as in the address; empty for other changes.
    std::string node{};
    /// Services that can be added: allowed by the template, in the catalogue, not yet on the
    /// cluster. Used by Change::add_services only.
    NamedTexts offered{};
    /// Where services of the cluster are stopped.
    provisioner::store::ServicePlaces stopped{};
    /// What people read for services, hardware types and image types: those of the cluster, and
    /// those that are offered.
    Labels labels{};
    /// The form as sent; empty at first.
    http::FormData asked{};
    /// What the change would do. Nothing before the form is sent, and if the change is refused.
    std::optional<provisioner::operations::PreparedChange> preview{};
    /// Why not even one machine can be added; for Change::grow before the form is sent.
    provisioner::base::Problems hindrance{};
    /// Why the change was refused; each field is the name of a control.
    provisioner::base::Problems problems{};

    /// "Grow shop"; of a change with which a failed job goes on, the name of the way that leads
    /// here: "Go on without Cache". Both say how many machines go besides. title() has the
    /// cluster's name, or the machine's.
    std::string heading() const;
    std::string title() const;
    /// The path of this page: "/clusters/00000042/grow".
    std::string address() const;
};

/// The form as a request to the operation. Problems name controls. It checks the number of machines
/// (1 to `most`, see largest_change()) and nothing else. Nodes chosen for shrinking take precedence
/// over the number, which has a default value. Pure.
provisioner::base::Checked<provisioner::operations::ChangeCluster> change_in(
    Change change, const std::string& node, const http::FormData& form,
    int most = provisioner::operations::max_cluster_size);

/// How many machines the template lets the cluster grow by, or shrink by within the group that was
/// asked for; at least 1. Asks the solver for the second.
int largest_change(const ChangePage& page);

/// The form with its problems, and the preview or null. Machines that change come first in the
/// picture. Of many machines those that are alike share a row (fit_for_preview), and
/// those that change alike a sentence.
provisioner::base::Json to_json(const ChangePage& page);

}  // namespace fcgi::pages
