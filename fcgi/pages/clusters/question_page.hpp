#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace fcgi::pages {

/// What is not done before somebody has said yes.
enum class Question { delete_cluster, give_up, abort_job, stop_services, restart_services };

/// Asks before something is done to a cluster: views/clusters/question.
struct QuestionPage {
    Question question = Question::delete_cluster;
    provisioner::model::Cluster cluster{};
    std::vector<provisioner::model::Node> nodes{};
    /// The one service it is about; empty: all of them.
    std::string service{};
    provisioner::base::Problems problems{};

    /// "Delete shop?"
    std::string title() const;
};

provisioner::base::Json to_json(const QuestionPage& page);

}  // namespace fcgi::pages
