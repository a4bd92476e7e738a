#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// One task with all it printed: views/jobs/task.
struct TaskPage {
    provisioner::model::Cluster cluster{};
    provisioner::model::Node node{};
    provisioner::model::Task task{};
    std::string output{};
    /// What came before the output was too much and is not shown.
    bool shortened = false;
    provisioner::base::Timestamp now{};

    std::string title() const;
    /// Whether the task may still print something.
    bool changes() const;
};

provisioner::base::Json to_json(const TaskPage& page);

}  // namespace fcgi::pages
