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

/// The database failed and what was being done was rolled back.
class QueueError : public std::runtime_error {
 public:
    QueueError(const std::string& message, statements::ErrorKind what_it_means)
        : std::runtime_error(message), kind(what_it_means) {}

    /// Whether the same may succeed when it is tried again: the server is away, full or busy, or
    /// it gave the transaction up for another one.
    bool transient() const {
        return kind == statements::ErrorKind::rolled_back ||
               kind == statements::ErrorKind::unavailable;
    }

    const statements::ErrorKind kind;
};

/// The queue in MySQL or MariaDB over one connection of its own, opened on first use and again
/// after it broke. Calls are transactions; a deadlock or certification failure is tried again
/// inside while that takes less time than `limit`, other failures throw QueueError.
class MysqlTaskQueue final : public TaskQueue {
 public:
    /// `offered` are the plugins this daemon has, in words of ready_task.needs: "shell" for an
    /// automator, "provider local" for a provider. It claims only tasks that need no others;
    /// without any it claims whatever there is.
    /// A statement that takes longer than `limit` fails, a lock is waited for half as long, and
    /// nothing is tried again inside where the limit is shorter than statement_limit.
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
    void heartbeat(const std::string& instance, int pid, int capacity, int running) override;

 private:
    struct Connected;

    template <class Work>
    auto in_transaction(Work&& work);

    base::Config config_;
    std::chrono::seconds limit_;
    /// JSON array of what is offered; empty: everything.
    std::string offered_;
    std::unique_ptr<Connected> connected_;
    /// The tenant claimed for last: the next call begins after it.
    model::TenantId last_served_;
};

}  // namespace provisioner::queue
