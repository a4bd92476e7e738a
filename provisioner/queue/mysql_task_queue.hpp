#pragma once

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "provisioner/base/config.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/statements/database_errors.hpp"

namespace provisioner::queue {

/// The database failed. The transaction was rolled back, unless the connection broke while COMMIT
/// was on its way: then it may have been committed.
class QueueError : public std::runtime_error {
 public:
    QueueError(const std::string& message, statements::ErrorKind what_it_means)
        : std::runtime_error(message), kind(what_it_means) {}

    /// Whether the same call may succeed later: the server is away, full or busy, or it rolled the
    /// transaction back in favour of another one.
    bool transient() const {
        return kind == statements::ErrorKind::rolled_back ||
               kind == statements::ErrorKind::unavailable;
    }

    /// `rolled_back` means that other transactions held or wanted the same rows: the reporter then
    /// separates jobs. `unavailable` concerns every call alike.
    const statements::ErrorKind kind;
};

/// The queue in MySQL or MariaDB, over one connection.
///
/// The connection is opened on first use and dropped after every error; the next call opens a new
/// one. Each call is one READ COMMITTED transaction (renew: one per part). Rows are locked in the
/// order of finish_batch.hpp. Where orders cross, as between a rescue and an end of the same task,
/// the server rolls one transaction back (1213). The call then runs it again, up to 5 times and
/// only while less than a quarter of `limit` has passed. Every other failure is thrown as
/// QueueError.
class MysqlTaskQueue final : public TaskQueue {
 public:
    /// `config` has the settings of connect() (link.hpp); nothing is opened yet.
    /// `offered`: the daemon's plugins in the words of ready_task.needs, "shell" for an automator,
    /// "provider local" for a provider. Only tasks that need no other plugin are claimed; an empty
    /// set claims every task.
    /// `limit`: longest time for one statement; a row lock is waited for half as long, at most 10
    /// s. With a limit below statement_limit no transaction is run again, so that the call returns
    /// in time: the renewing thread needs that.
    explicit MysqlTaskQueue(base::Config config, const std::set<std::string>& offered = {},
                            std::chrono::seconds limit = statement_limit);
    ~MysqlTaskQueue() override;

    std::vector<Claim> claim_except(const std::set<model::TenantId>& tenants,
                                    const std::string& worker, int limit,
                                    std::chrono::seconds hold) override;
    std::optional<std::chrono::milliseconds> next_due() override;
    std::vector<Claim> renew(const std::vector<Claim>& claims, std::chrono::seconds hold) override;
    std::set<model::JobId> aborted(const std::set<model::JobId>& jobs) override;
    void store_output(const std::vector<Output>& output) override;
    int finish(const std::vector<Finished>& finished) override;
    int rescue(const Rescuer& rescuer) override;
    void heartbeat(const Heartbeat& daemon) override;

 private:
    /// Keeps the connector's headers out of this one.
    struct Connected;

    /// Runs `work(connection)` between START TRANSACTION and COMMIT and returns its result. `work`
    /// may run several times, so it must have no effect outside the database that a second run
    /// would double.
    template <class Work>
    auto in_transaction(Work&& work);

    base::Config config_;
    std::chrono::seconds limit_;
    /// JSON array of the offered plugins; empty: no condition.
    std::string offered_;
    /// Bytes of output that are stored of a tenant on one day; 0: without limit.
    const std::int64_t daily_output_;
    /// Null before the first call and after an error.
    std::unique_ptr<Connected> connected_;
    /// The tenant claimed for last: the next call begins with the tenant after it.
    model::TenantId last_served_;
    /// Whether the last claim found that a person took this daemon out.
    bool is_draining_ = false;
    /// Whether the last heartbeat found that the schema has versions of daemons.
    bool has_versions_ = false;
};

}  // namespace provisioner::queue
