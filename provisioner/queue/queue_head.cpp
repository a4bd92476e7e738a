#include "provisioner/queue/queue_head.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>

#include <memory>

#include "provisioner/statements/ready_task.hpp"

namespace provisioner::queue {

namespace {

// Tasks of a paused job stay out of the queue's head until it is resumed.
const std::string queue_unless_paused =
    statements::queue_tasks_from("UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND", R"sql(
    FROM task
    JOIN node ON node.id = task.node_id
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.status = 'running' AND task.id IN )sql");

}  // namespace

void queue_tasks(sql::Connection& connection, const std::string& tasks,
                 std::chrono::milliseconds run_in) {
    const std::unique_ptr<sql::PreparedStatement> insert(
        connection.prepareStatement(queue_unless_paused + ("(" + tasks + ")")));
    insert->setInt64(1, std::chrono::microseconds(run_in).count());
    insert->executeUpdate();
}

}  // namespace provisioner::queue
