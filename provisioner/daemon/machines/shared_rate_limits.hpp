#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "provisioner/base/log.hpp"
#include "provisioner/providers/cloud/rate_limits.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// What accounts allow, shared by all daemons through the database (table call_rate) and counted by
/// its clock. A thread of its own asks the database, for all that wait at that moment in one
/// transaction a lane, so no event loop blocks. While the database is away this daemon counts for
/// itself.
class SharedRateLimits final : public providers::cloud::RateLimits {
 public:
    /// Starts the thread. All must outlive it.
    SharedRateLimits(store::Database& database, const base::Clock& clock, const base::Log& log);
    /// Ends the thread. Nobody may wait any more.
    ~SharedRateLimits() override;

    boost::asio::awaitable<std::chrono::milliseconds> take(
        providers::cloud::Lane lane, std::chrono::milliseconds patience) override;
    boost::asio::awaitable<void> pause(providers::cloud::Lane lane,
                                       std::chrono::milliseconds length) override;

 private:
    /// One call of take() or pause(). Shared by the coroutine, which may be destroyed while it
    /// waits, and the thread.
    struct Asked;
    using Batch = std::vector<std::shared_ptr<Asked>>;

    boost::asio::awaitable<void> answered(std::shared_ptr<Asked> asked);
    void work();
    /// Answers all of one lane.
    void answer(const Batch& batch);
    void answer_by_database(const Batch& batch);

    store::Database& database_;
    const base::Log& log_;
    providers::cloud::LocalRateLimits local_;
    std::mutex mutex_;
    std::condition_variable wake_;
    /// Guarded by mutex_.
    Batch waiting_;
    bool ends_ = false;
    /// Whether the last batch could not be shared; only the thread uses it.
    bool is_alone_ = false;
    std::thread thread_;
};

}  // namespace provisioner::daemon
