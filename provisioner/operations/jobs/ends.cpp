#include "provisioner/operations/jobs/ends.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace provisioner::operations {

namespace {

constexpr int ends_at_once = 100;

/// The layout of a new cluster is a job for the API alone: it has ended when the cluster is there.
bool is_no_work(const model::Job& job) {
    return job.operation == model::Operation::solve_layout;
}

model::audit::Event event_of(const store::EndedJob& ended) {
    const model::Job& job = ended.job;
    const bool is_good = job.status == model::JobStatus::complete;
    base::Json after;
    after["job"] = job.id.value;
    after["tasks"] = job.tasks_total;
    after["done"] = job.tasks_done;
    after["failed"] = ended.tasks_failed;
    after["askedBy"] = job.asked_by.name;
    model::audit::Event event;
    event.chain = ended.tenant;
    event.actor = model::audit::provisioner();
    event.actor.request = ended.request;
    event.action = audited(job.operation) + ".end";
    event.object = {
        .kind = "cluster", .id = model::wire_id(job.cluster), .name = ended.cluster_name};
    event.outcome = is_good ? model::audit::Outcome::done : model::audit::Outcome::failed;
    event.reason = job.message;
    event.after = base::to_text(after);
    return event;
}

}  // namespace

int record_ends(store::Database& database, const std::function<bool()>& stopping) {
    int recorded = 0;
    while (!stopping()) {
        const auto jobs = database.look([](store::Connection& connection) {
            return store::unrecorded_ends(connection, ends_at_once);
        });
        for (const model::JobId job : jobs) {
            recorded += database.write([&](store::Connection& connection) {
                const auto ended = store::take_unrecorded_end(connection, job);
                if (!ended || is_no_work(ended->job)) return 0;
                store::record(connection, {event_of(*ended)});
                return 1;
            });
        }
        if (jobs.size() < static_cast<std::size_t>(ends_at_once)) break;
    }
    return recorded;
}

}  // namespace provisioner::operations
