#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/pages/clusters/blocked.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// The actions that need a confirmation first, because they interrupt services or lose data. Giving
/// up a cluster is for administrators (pages/routes.cpp); the others are open to every user that
/// may see the cluster.
enum class Question {
    delete_cluster,
    give_up,
    abort_job,
    start_services,
    stop_services,
    restart_services
};

/// A page that asks for confirmation before an action on a cluster: views/clusters/question. It
/// names what is lost and lists the machines concerned. It is shown again with `problems` if the
/// operation refused.
struct QuestionPage {
    Question question = Question::delete_cluster;
    /// The cluster to act on.
    provisioner::model::Cluster cluster{};
    /// Its latest job, and how that ended; of Question::abort_job how it ends if it is aborted now.
    std::optional<provisioner::model::Job> job{};
    EndFacts end{};
    /// The present nodes of the cluster, by nodenum.
    std::vector<provisioner::model::Node> nodes{};
    /// Names of the services to start, stop or restart; empty means all.
    std::vector<std::string> services{};
    /// All that this starts or stops: also what they need, or what uses them
    /// (operations/clusters/touched_services.hpp). Only machines with one of these are listed, if
    /// there is any.
    std::vector<std::string> touched{};
    /// Those of `touched` that run on all their machines already; for a start only.
    std::vector<std::string> running{};
    /// Services that use those to start and were stopped: they can be started with them.
    std::vector<std::string> offered{};
    /// What was typed as the name of the cluster, which confirms the deletion of a large one.
    std::string typed{};
    /// Why the operation refused; empty at first.
    provisioner::base::Problems problems{};

    /// The question: "Delete shop?"
    std::string title() const;
    /// Whether the name of the cluster has to be typed: before a large one is deleted.
    bool asks_for_name() const;
};

/// The cluster and its job under way once this has been aborted: what read_end() is asked about for
/// Question::abort_job.
std::pair<provisioner::model::Cluster, provisioner::model::Job> after_abort(
    provisioner::model::Cluster cluster, provisioner::model::Job job);

/// Clusters of so many machines are large.
constexpr std::size_t machines_of_large_cluster = 10;
constexpr bool is_large_cluster(std::size_t machines) {
    return machines >= machines_of_large_cluster;
}

/// `action` is the address that the form posts to, `hosts` the host names concerned. Problems of
/// "confirm" belong to the field for the cluster's name; others have no control to link to.
provisioner::base::Json to_json(const QuestionPage& page);

}  // namespace fcgi::pages
