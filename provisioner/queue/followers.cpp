#include "provisioner/queue/followers.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <map>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/queue_head.hpp"

namespace provisioner::queue {

// Before: this transaction made `succeeded` done and holds their jobs' locks, which every change of
// waits_for needs; so the read takes no lock. After: dependents at 0 are ready and queued. One that
// is cancelled is counted down, but never made ready. Two at once: the second batch of the job
// reads after the first one's commit, so exactly one batch has the last predecessor and releases.
int release_followers(sql::Connection& connection, const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return 0;
    const auto rows =
        select(connection,
               "SELECT edge.after_id, edge.finished, task.waits_for, task.state FROM "
               "(SELECT after_id, COUNT(*) AS finished FROM task_edge WHERE before_id "
               "IN (" +
                   id_list(succeeded, [](const Finished* one) { return one->claim.task.value; }) +
                   ") GROUP BY after_id) AS edge JOIN task ON task.id = edge.after_id");
    std::vector<long long> ready;
    std::map<int, std::vector<long long>> still_waiting;
    while (rows->next()) {
        const long long task = rows->getInt64("after_id");
        const int finished = rows->getInt("finished");
        const bool is_last = rows->getInt("waits_for") == finished;
        const bool blocked = rows->getString("state") == "blocked";
        if (is_last && blocked) {
            ready.push_back(task);
        } else {
            still_waiting[finished].push_back(task);
        }
    }
    for (const auto& [finished, tasks] : still_waiting) {
        in_parts(tasks, [&, count = finished](std::span<const long long> part) {
            execute(connection, "UPDATE task SET waits_for = waits_for - " + std::to_string(count) +
                                    " WHERE id IN (" + id_list(part) + ")");
        });
    }
    in_parts(ready, [&](std::span<const long long> part) {
        const std::string ids = id_list(part);
        execute(connection,
                "UPDATE task SET waits_for = 0, state = 'ready' WHERE id IN (" + ids + ")");
        queue_tasks(connection, ids, std::chrono::milliseconds{0});
    });
    return static_cast<int>(ready.size());
}

}  // namespace provisioner::queue
