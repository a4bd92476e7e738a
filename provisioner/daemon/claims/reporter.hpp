#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "provisioner/base/log.hpp"
#include "provisioner/daemon/claims/in_flight_claims.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/transcript/bounds.hpp"

namespace provisioner::daemon {

/// Tells the database how tasks end and what they print, in batches over one connection on a thread
/// of its own. Nothing is lost while the database is away: it waits here and is told later. A job
/// whose rows somebody holds locked waits alone.
class Reporter {
 public:
    /// `in_flight` and `log` must outlive it; `released` is called from its thread after tasks
    /// became ready.
    Reporter(std::unique_ptr<queue::TaskQueue> queue, InFlightClaims& in_flight,
             const base::Log& log, std::function<void()> released);

    /// Reports what is left, then ends the thread.
    ~Reporter();

    /// The task's turn is over. Safe from any thread.
    void finished(queue::Claim claim, queue::Outcome outcome);

    /// Something it printed; kept until the next flush. However much is printed, no more waits here
    /// than the bounds of a transcript say, and less of each when it is too much in all.
    void output(const queue::Claim& claim, const std::string& stream, std::string_view text);

    /// Waits until all that was given has been stored, or `patience` has passed.
    void flush(std::chrono::milliseconds patience);

 private:
    struct Batch {
        std::vector<queue::Finished> finished;
        std::vector<queue::Output> output;
        bool empty() const { return finished.empty() && output.empty(); }
        void append(Batch other);
    };
    /// What a job is told that could not be: its rows were locked for too long.
    struct Held {
        Batch batch;
        std::chrono::milliseconds pause{0};
        std::chrono::steady_clock::time_point again_at;
    };

    /// What was printed during a turn since the last flush.
    struct Printing {
        queue::Claim claim;
        transcript::UnsentOutput waiting;
    };
    /// A claim, by its task and fence: one that was lost must not share with the one that follows
    /// it.
    using Turn = std::pair<model::TaskId, long long>;

    void take_printed(const Turn& turn, Batch& batch);
    void run();
    Batch take(std::unique_lock<std::mutex>& lock);
    void store_others(Batch batch);
    void store_held(bool all);
    void hold_back(model::JobId job, Batch batch, std::chrono::milliseconds pause);
    static std::map<model::JobId, Batch> by_job(Batch batch);

    /// How trying to store something ended. `locked`: given up for another transaction, which had
    /// or wanted the same rows.
    enum class Stored { yes, locked, refused, stopping };

    /// `pause`: when it is tried again what somebody holds locked.
    void store(Batch batch, std::chrono::milliseconds pause);
    void store_one_by_one(Batch batch, std::chrono::milliseconds pause);
    void store_alone(queue::Finished one, std::chrono::milliseconds pause);
    /// Takes out of the batch what it has stored of it.
    Stored try_to_store(Batch& batch, std::string& reason);
    void done_with(const Batch& batch);

    std::unique_ptr<queue::TaskQueue> queue_;
    InFlightClaims& in_flight_;
    const base::Log& log_;
    std::function<void()> released_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable stored_;
    Batch waiting_;
    std::map<Turn, Printing> printing_;
    /// Turns of which something waits.
    std::vector<Turn> fresh_;
    std::int64_t bytes_waiting_ = 0;
    /// Changed by its thread alone, with or without the mutex.
    std::map<model::JobId, Held> held_;
    bool storing_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace provisioner::daemon
