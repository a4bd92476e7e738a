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

/// Stores how turns at tasks end and what they print, in batches, over one connection on its own
/// thread.
///
/// Threads of the loops only append to waiting_ and printing_ under the mutex. The reporter's
/// thread takes all of it as one batch, stores the output, then the ends, and removes the claims
/// from those in flight. While it stores, the next batch collects, so batches grow with the load.
/// While the database is unavailable it tries again and again; ends wait, and output is kept within
/// bounds.
///
/// When a transaction is rolled back because other transactions hold its rows, the batch is parted
/// by job. A job that is still locked is held back with a growing pause. What comes later for it
/// waits behind, so the order within a job is kept. When the database refuses a batch, each item
/// is stored by itself, so that one bad item harms no other task.
///
/// In every case: the output of a turn is stored before its end, and a claim leaves InFlightClaims
/// only after its end is stored or given up. It is renewed until then.
class Reporter {
 public:
    /// Starts the thread. `in_flight` and `log` must outlive the reporter. `released` is called on
    /// its thread after each batch of ends that was committed, so that the claimer looks at the
    /// queue.
    Reporter(std::unique_ptr<queue::TaskQueue> queue, InFlightClaims& in_flight,
             const base::Log& log, std::function<void()> released);

    /// Tries once to store all that is left, then ends the thread. What cannot be stored then is
    /// lost here: its claims run out, and another worker has another turn. Blocks for the length of
    /// the database calls.
    ~Reporter();

    /// Takes the outcome of the claim's turn, once per claim. Makes it storable, queues it and
    /// returns; no I/O. Safe from any thread.
    void finished(queue::Claim claim, queue::Outcome outcome);

    /// Takes a piece of what the claim's turn printed; `stream` as in queue::Output. Call it before
    /// finished() and in order. Keeps the bounds of a transcript for each turn; from 32 MiB in
    /// all on a smaller part, from 64 MiB on nothing more. Safe from any thread; no I/O.
    void output(const queue::Claim& claim, const std::string& stream, std::string_view text);

    /// Blocks until all that was given is stored, held-back jobs included, or `patience` has
    /// passed.
    void flush(std::chrono::milliseconds patience);

 private:
    /// What one transaction of output and one of ends store.
    struct Batch {
        /// At most 500 when taken; more only for a job that was held back.
        std::vector<queue::Finished> finished;
        /// In the order in which each turn printed it.
        std::vector<queue::Output> output;
        bool empty() const { return finished.empty() && output.empty(); }
        void append(Batch other);
    };
    /// Reports about one job that wait because other transactions held its rows.
    struct Held {
        Batch batch;
        /// The pause before the next try; it doubles with each one, up to 30 s.
        std::chrono::milliseconds pause{0};
        std::chrono::steady_clock::time_point again_at;
    };

    /// What a turn printed, and how much of it is not yet in a batch.
    struct Printing {
        queue::Claim claim;
        transcript::UnsentOutput waiting;
    };
    /// A claim by task and fence. The fence keeps the output of a lost claim apart from that of the
    /// next one.
    using Turn = std::pair<model::TaskId, long long>;

    /// Moves what the turn has printed to `batch`. The mutex must be held.
    void take_printed(const Turn& turn, Batch& batch);
    /// Body of the thread: takes and stores batches until the last one after stopping_.
    void run();
    /// Waits for ends or for timing::output_flush, then takes the next batch. `lock` holds the
    /// mutex.
    Batch take(std::unique_lock<std::mutex>& lock);
    /// Stores the batch without reports about held-back jobs; those are appended to held_.
    void store_others(Batch batch);
    /// Tries held-back jobs that are due again; `all`: every one.
    void store_held(bool all);
    /// Appends to what is held back for the job, and tries it again after `pause`.
    void hold_back(model::JobId job, Batch batch, std::chrono::milliseconds pause);
    /// The batch in parts, one per job, each in the order of the batch.
    static std::map<model::JobId, Batch> by_job(Batch batch);

    /// How an attempt to store a batch ended. `locked`: rolled back because another transaction had
    /// or wanted the same rows. `refused`: the same batch will be refused again. `stopping`: the
    /// database is unavailable and the reporter is to end.
    enum class Stored { yes, locked, refused, stopping };

    /// Stores the batch, in parts where it must. `pause`: before the next try of jobs that are
    /// locked.
    void store(Batch batch, std::chrono::milliseconds pause);
    /// Stores a refused batch item by item.
    void store_one_by_one(Batch batch, std::chrono::milliseconds pause);
    /// Stores one end; a refused one as a failure that says so, or not at all.
    void store_alone(queue::Finished one, std::chrono::milliseconds pause);
    /// Removes from `batch` what it has stored. Blocks and repeats while the database is
    /// unavailable. Sets `reason` when it fails.
    Stored try_to_store(Batch& batch, std::string& reason);
    /// Removes the batch's claims from those in flight.
    void done_with(const Batch& batch);

    std::unique_ptr<queue::TaskQueue> queue_;
    InFlightClaims& in_flight_;
    const base::Log& log_;
    std::function<void()> released_;

    /// Guards the members below except held_ and thread_.
    std::mutex mutex_;
    /// Wakes the thread: an end has come, or it is to stop.
    std::condition_variable wake_;
    /// Wakes flush() after each round.
    std::condition_variable stored_;
    /// Ends for the next batches, with the output of their turns.
    Batch waiting_;
    /// Turns under way that have printed; an entry is erased by finished().
    std::map<Turn, Printing> printing_;
    /// Turns with output that is not in a batch yet, in the order of their first piece.
    std::vector<Turn> fresh_;
    /// Bytes of output that wait, without the batch that is being stored.
    std::int64_t bytes_waiting_ = 0;
    /// Used by the reporter's thread alone, with or without the mutex.
    std::map<model::JobId, Held> held_;
    /// Whether a batch is being stored or a job is held back.
    bool storing_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace provisioner::daemon
