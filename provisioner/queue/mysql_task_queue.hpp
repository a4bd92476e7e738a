#pragma once

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "provisioner/base/config.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace provisioner::queue {

/// The database failed and what was being done was rolled back. `transient` failures may succeed
/// when tried again: the server is away, full or busy, or it gave the transaction up for another
/// one (statements::ErrorKind).
class QueueError : public std::runtime_error {
 public:
    QueueError(const std::string& message, bool is_transient)
        : std::runtime_error(message), transient(is_transient) {}

    const bool transient;
};

/// The queue in MySQL or MariaDB over one connection of its own, opened on first use and again
/// after it broke. Calls are transactions; a deadlock or certification failure is tried again
/// inside, other failures throw QueueError.
class MysqlTaskQueue final : public TaskQueue {
 public:
    /// `offered` are the plugins this daemon has, in words of ready_task.needs: "shell" for an
    /// automator, "provider local" for a provider. It claims only tasks that need no others;
    /// without any it claims whatever there is.
    /// A statement that takes longer than `limit` fails, and is not tried again inside where the
    /// limit is shorter than statement_limit.
    explicit MysqlTaskQueue(base::Config config, const std::set<std::string>& offered = {},
                            std::chrono::seconds limit = statement_limit);
    ~MysqlTaskQueue() override;

    std::vector<Claim> claim_except(const std::set<model::TenantId>& tenants,
                                    const std::string& worker, int limit,
                                    std::chrono::seconds hold) override;
    std::optional<std::chrono::milliseconds> next_due() override;
    std::vector<Claim> renew(const std::vector<Claim>& claims, std::chrono::seconds hold) override;
    std::set<model::JobId> aborted(const std::set<model::JobId>& jobs) override;
    int finish(const std::vector<Finished>& finished, const std::vector<Output>& output) override;
    int rescue(const Rescuer& rescuer) override;
    void heartbeat(const std::string& instance, int pid, int capacity, int running) override;
    void prune() override;

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
