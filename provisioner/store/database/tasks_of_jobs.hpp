#pragma once

#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// All tasks of jobs in a statement that reads them. They are made together and mostly lie side by
/// side: then the server reads this part of the table, in a third of the time that it takes to look
/// each of them up by its job. Asks the database where they are, which costs two index entries for
/// each job.
class TasksOfJobs {
 public:
    TasksOfJobs(Connection& connection, model::JobId job);
    /// At least one.
    TasksOfJobs(Connection& connection, const std::vector<model::JobId>& jobs);

    /// `statement` with the table for each "@tasks" and the condition on the job for each "@jobs":
    /// "SELECT COUNT(*) FROM @tasks WHERE @jobs AND task.state = ?". Nothing is bound for the jobs.
    std::string in(std::string statement) const;

 private:
    std::string table_{};
    std::string condition_{};
};

}  // namespace provisioner::store
