#include "provisioner/daemon/claims/reporter.hpp"

#include "provisioner/base/failure_log.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/queue/retry.hpp"

namespace provisioner::daemon {

namespace {

/// Bytes of waiting output from which on each turn keeps only an equal part of this amount. At
/// twice as many only notes are kept.
constexpr std::int64_t most_output = std::int64_t{32} * 1024 * 1024;
/// Most ends in one transaction. More would not make an end cheaper, and dependents would wait.
constexpr std::ptrdiff_t batch_limit = 500;
/// The longest pause before a job whose rows are locked is tried again.
constexpr std::chrono::milliseconds longest_pause{30'000};

}  // namespace

Reporter::Reporter(std::unique_ptr<queue::TaskQueue> queue, InFlightClaims& in_flight,
                   const base::Log& log, std::function<void()> released)
    : queue_(std::move(queue)), in_flight_(in_flight), log_(log), released_(std::move(released)) {
    thread_ = std::thread([this] { run(); });
}

Reporter::~Reporter() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

// Before: the turn prints nothing more. After: its remaining output and its end are in waiting_
// together, output first, so no batch can contain the end without the output. The claim stays in
// flight, and is renewed, until the end is stored. Called from any loop; the mutex orders the
// calls.
void Reporter::finished(queue::Claim claim, queue::Outcome outcome) {
    {
        const std::lock_guard lock(mutex_);
        const Turn turn{claim.task, claim.fence};
        take_printed(turn, waiting_);
        printing_.erase(turn);
        waiting_.finished.push_back(
            {.claim = std::move(claim), .outcome = queue::storable(std::move(outcome))});
    }
    wake_.notify_all();
}

// Bounds memory, whatever is printed and however long the database is away. Text that is not kept
// is still counted, so that later pieces have the right from_byte. A turn enters fresh_ with its
// first bytes that wait; take() empties both. One that has finished meanwhile is skipped there.
void Reporter::output(const queue::Claim& claim, const std::string& stream, std::string_view text) {
    const std::lock_guard lock(mutex_);
    const Turn turn{claim.task, claim.fence};
    Printing& printing = printing_[turn];
    printing.claim = claim;
    const std::int64_t before = printing.waiting.size();
    if (bytes_waiting_ >= 2 * most_output) {
        printing.waiting.skip(stream, text);
    } else {
        const std::int64_t part = most_output / std::ssize(printing_);
        printing.waiting.add(stream, text,
                             bytes_waiting_ < most_output ? transcript::kept_last
                                                          : std::min(part, transcript::kept_last));
    }
    if (before == 0 && printing.waiting.size() > 0) fresh_.push_back(turn);
    bytes_waiting_ += printing.waiting.size() - before;
}

void Reporter::take_printed(const Turn& turn, Batch& batch) {
    const auto found = printing_.find(turn);
    if (found == printing_.end()) return;
    for (transcript::Piece& piece : found->second.waiting.take()) {
        batch.output.push_back({.claim = found->second.claim,
                                .stream = std::move(piece.stream),
                                .body = std::move(piece.body),
                                .from_byte = piece.from_byte});
    }
}

void Reporter::flush(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    stored_.wait_for(lock, patience,
                     [&] { return waiting_.empty() && fresh_.empty() && !storing_; });
}

// Before and after: `lock` holds the mutex. After: the batch has all output that may be stored, and
// at most batch_limit ends; output is never left behind an end. Output of held-back jobs stays in
// printing_, where its size is bounded. storing_ is set before the mutex is released, so flush()
// cannot miss a batch that is neither waiting nor stored.
Reporter::Batch Reporter::take(std::unique_lock<std::mutex>& lock) {
    wake_.wait_for(lock, timing::output_flush,
                   [&] { return stopping_ || !waiting_.finished.empty(); });
    Batch batch;
    std::swap(batch, waiting_);
    bytes_waiting_ = 0;
    std::vector<Turn> later;
    for (const Turn& turn : fresh_) {
        const auto found = printing_.find(turn);
        if (found != printing_.end() && held_.contains(found->second.claim.job)) {
            // It stays in printing_, where UnsentOutput bounds it.
            bytes_waiting_ += found->second.waiting.size();
            later.push_back(turn);
        } else {
            take_printed(turn, batch);
        }
    }
    fresh_ = std::move(later);
    if (std::ssize(batch.finished) > batch_limit) {
        // All output stays in this batch: it must be stored before the ends that are left for
        // later.
        const auto rest = batch.finished.begin() + batch_limit;
        waiting_.finished.assign(std::make_move_iterator(rest),
                                 std::make_move_iterator(batch.finished.end()));
        batch.finished.erase(rest, batch.finished.end());
    }
    storing_ = !batch.empty() || !held_.empty();
    return batch;
}

// The mutex is released while the database works, so loops never wait for it. The last round begins
// with an empty batch after stopping_ was set, and tries held-back jobs once more whatever their
// pause. Two at once: only this thread stores, so two batches cannot overtake each other.
void Reporter::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        Batch batch = take(lock);
        const bool is_last = batch.empty() && stopping_;
        if (storing_) {
            lock.unlock();
            store_others(std::move(batch));
            store_held(is_last);
            lock.lock();
            storing_ = !held_.empty();
            stored_.notify_all();
        }
        if (is_last) return;
    }
}

// Keeps the order within a job: what comes for a held-back job is appended behind what is held.
// Output stored after its task was put back could be there twice: the next turn may read it again.
void Reporter::store_others(Batch batch) {
    if (!held_.empty()) {
        for (auto& [job, part] : by_job(std::exchange(batch, {}))) {
            const auto found = held_.find(job);
            (found == held_.end() ? batch : found->second.batch).append(std::move(part));
        }
    }
    if (!batch.empty()) store(std::move(batch), timing::database_pause);
}

// Takes the due jobs out of held_ before it stores them, because store() may put them back there.
void Reporter::store_held(bool all) {
    const auto now = std::chrono::steady_clock::now();
    std::vector<Held> due;
    for (auto held = held_.begin(); held != held_.end();) {
        if (!all && held->second.again_at > now) {
            ++held;
            continue;
        }
        due.push_back(std::move(held->second));
        held = held_.erase(held);
    }
    for (Held& one : due) {
        store(std::move(one.batch), std::min(2 * one.pause, longest_pause));
    }
}

void Reporter::hold_back(model::JobId job, Batch batch, std::chrono::milliseconds pause) {
    Held& held = held_[job];
    held.batch.append(std::move(batch));
    held.pause = pause;
    held.again_at = std::chrono::steady_clock::now() + pause;
}

std::map<model::JobId, Reporter::Batch> Reporter::by_job(Batch batch) {
    std::map<model::JobId, Batch> parts;
    for (queue::Output& piece : batch.output) {
        parts[piece.claim.job].output.push_back(std::move(piece));
    }
    for (queue::Finished& one : batch.finished) {
        parts[one.claim.job].finished.push_back(std::move(one));
    }
    return parts;
}

void Reporter::Batch::append(Batch other) {
    std::move(other.finished.begin(), other.finished.end(), std::back_inserter(finished));
    std::move(other.output.begin(), other.output.end(), std::back_inserter(output));
}

void Reporter::done_with(const Batch& batch) {
    std::vector<queue::Claim> claims;
    for (const queue::Finished& one : batch.finished) claims.push_back(one.claim);
    in_flight_.remove(claims);
}

// Before: the mutex is not held. After `yes`: output and ends are committed and the claims are no
// longer in flight. Otherwise `batch` has what is not stored. Two transactions, output first: when
// the second one fails, the output is not stored again, because it was removed from the batch.
// When the answer to COMMIT is lost, finish() runs again and drops the claims that are ended;
// output may then be stored twice. Claims are removed after the commit, never before.
Reporter::Stored Reporter::try_to_store(Batch& batch, std::string& reason) {
    base::FailureLog outage(log_, "report.failed", "report.works_again");
    while (true) {
        try {
            if (!batch.output.empty()) queue_->store_output(batch.output);
            batch.output.clear();
            outage.worked();
            if (batch.finished.empty()) return Stored::yes;
            queue_->finish(batch.finished);
            done_with(batch);
            // Also after waits and retries: the claimer computes anew when the next task is due.
            released_();
            return Stored::yes;
        } catch (const queue::QueueError& error) {
            reason = error.what();
            const bool is_locked = error.kind == statements::ErrorKind::rolled_back;
            if (is_locked || !error.transient()) {
                log_.warn("report.failed", {{"tasks", batch.finished.size()},
                                            {"again", error.transient() ? "yes" : "no"},
                                            {"error", reason}});
                return is_locked ? Stored::locked : Stored::refused;
            }
            outage.failed(reason);
            const std::lock_guard lock(mutex_);
            if (stopping_) return Stored::stopping;
        }
        std::this_thread::sleep_for(timing::database_pause);
    }
}

// After: the batch is stored, held back by job, or given up: refused items as failures, and when
// the reporter stops. A batch of several jobs that is rolled back is stored job by job, each with a
// try of its own; a job that is rolled back alone is held back with its whole order.
void Reporter::store(Batch batch, std::chrono::milliseconds pause) {
    std::string reason;
    switch (try_to_store(batch, reason)) {
        case Stored::yes:
        case Stored::stopping:
            return;
        case Stored::refused:
            return store_one_by_one(std::move(batch), pause);
        case Stored::locked:
            break;
    }
    // Perhaps only one job's rows are locked; the other jobs must not wait for it.
    auto parts = by_job(std::move(batch));
    if (parts.size() == 1) {
        return hold_back(parts.begin()->first, std::move(parts.begin()->second), pause);
    }
    for (auto& [job, part] : parts) store(std::move(part), pause);
}

// The database may refuse the batch because of one item; the others are stored. Refused output is
// dropped. The order within a job is kept: once an item is held back, its job's later ones follow.
void Reporter::store_one_by_one(Batch batch, std::chrono::milliseconds pause) {
    std::string reason;
    for (queue::Output& piece : batch.output) {
        const model::JobId job = piece.claim.job;
        Batch alone;
        alone.output.push_back(std::move(piece));
        const bool waits = held_.contains(job) || try_to_store(alone, reason) == Stored::locked;
        if (waits) hold_back(job, std::move(alone), pause);
    }
    for (queue::Finished& one : batch.finished) store_alone(std::move(one), pause);
}

// After: the end is stored, as it is or as a plain failure that says why; or it is held back; or
// the claim is given up. A claim given up is renewed no longer and runs out, and the next worker
// has its turn again. That happens only when the database refuses even the plain failure.
void Reporter::store_alone(queue::Finished one, std::chrono::milliseconds pause) {
    const model::JobId job = one.claim.job;
    Batch alone;
    alone.finished.push_back(std::move(one));
    if (held_.contains(job)) return hold_back(job, std::move(alone), pause);
    std::string reason;
    Stored how = try_to_store(alone, reason);
    if (how == Stored::refused) {
        queue::Finished& plain = alone.finished.front();
        plain.outcome = queue::storable(queue::failure(
            queue::Cause::unstorable, plain.claim.tries(), 0,
            "how this ended could not be stored, the database refused it: " + reason, 1));
        const queue::Claim& claim = plain.claim;
        log_.error("task.unstorable",
                   {{"task", model::wire_id(claim.cluster, claim.job, claim.task)},
                    {"cluster", model::wire_id(claim.cluster)},
                    {"request", claim.request},
                    {"error", reason}});
        how = try_to_store(alone, reason);
    }
    if (how == Stored::locked) return hold_back(job, std::move(alone), pause);
    if (how != Stored::yes) done_with(alone);
}

}  // namespace provisioner::daemon
