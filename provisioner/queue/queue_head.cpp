#include "provisioner/queue/queue_head.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>

#include <memory>

#include "provisioner/statements/ready_task.hpp"

namespace provisioner::queue {

namespace {

// Tasks of a paused job are not queued: resuming the job queues all that are ready by then.
const std::string queue_unless_paused =
    statements::queue_tasks_from("UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND", R"sql(
    FROM task
    JOIN node ON node.id = task.node_id
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.status = 'running' AND task.id IN )sql");

}  // namespace

// Before: no row for these tasks is in the head, and the jobs or the tasks are locked. After: one
// row for each task of a running job, with the tenant and the plugins it needs at this moment.
// job.status is read without a lock of its own. Two at once: a pause that has committed is seen;
// one that has not waits for our locks, and removes these rows after our commit.
void queue_tasks(sql::Connection& connection, const std::string& tasks,
                 std::chrono::milliseconds run_in) {
    const std::unique_ptr<sql::PreparedStatement> insert(
        connection.prepareStatement(queue_unless_paused + ("(" + tasks + ")")));
    insert->setInt64(1, std::chrono::microseconds(run_in).count());
    insert->executeUpdate();
}

}  // namespace provisioner::queue
