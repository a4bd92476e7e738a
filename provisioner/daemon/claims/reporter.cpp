#include "provisioner/daemon/claims/reporter.hpp"

#include "provisioner/daemon/timing.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/queue/retry.hpp"

namespace provisioner::daemon {

namespace {

/// From so many bytes of output on that wait for the database, each attempt gets its part of them,
/// and at twice as many nothing more is kept.
constexpr std::int64_t most_output = std::int64_t{32} * 1024 * 1024;
/// More does not make a task's end cheaper to tell, and its followers would wait.
constexpr std::ptrdiff_t batch_limit = 500;
/// How often at least a job is tried again whose rows somebody else holds locked.
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

void Reporter::output(const queue::Claim& claim, const std::string& stream, std::string_view text) {
    const std::lock_guard lock(mutex_);
    const Turn turn{claim.task, claim.fence};
    Printing& printing = printing_[turn];
    printing.claim = claim;
    if (bytes_waiting_ >= 2 * most_output) return printing.waiting.skip(std::ssize(text));
    const std::int64_t before = printing.waiting.size();
    if (before == 0) fresh_.push_back(turn);
    const std::int64_t part = most_output / std::ssize(printing_);
    printing.waiting.add(stream, text,
                         bytes_waiting_ < most_output ? transcript::kept_last
                                                      : std::min(part, transcript::kept_last));
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
            // It waits where it is bounded.
            bytes_waiting_ += found->second.waiting.size();
            later.push_back(turn);
        } else {
            take_printed(turn, batch);
        }
    }
    fresh_ = std::move(later);
    if (std::ssize(batch.finished) > batch_limit) {
        // All output goes now: it has to be stored before its task ends.
        const auto rest = batch.finished.begin() + batch_limit;
        waiting_.finished.assign(std::make_move_iterator(rest),
                                 std::make_move_iterator(batch.finished.end()));
        batch.finished.erase(rest, batch.finished.end());
    }
    storing_ = !batch.empty() || !held_.empty();
    return batch;
}

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

// What a job is told that is held back waits behind what is held.
void Reporter::store_others(Batch batch) {
    if (!held_.empty()) {
        for (auto& [job, part] : by_job(std::exchange(batch, {}))) {
            const auto found = held_.find(job);
            (found == held_.end() ? batch : found->second.batch).append(std::move(part));
        }
    }
    if (!batch.empty()) store(std::move(batch), timing::database_pause);
}

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

Reporter::Stored Reporter::try_to_store(Batch& batch, std::string& reason) {
    while (true) {
        try {
            if (!batch.output.empty()) queue_->store_output(batch.output);
            batch.output.clear();
            if (batch.finished.empty()) return Stored::yes;
            queue_->finish(batch.finished);
            done_with(batch);
            // Tasks that were put back for later need the claimer's attention, too.
            released_();
            return Stored::yes;
        } catch (const queue::QueueError& error) {
            log_.warn("report.failed", {{"tasks", batch.finished.size()},
                                        {"again", error.transient() ? "yes" : "no"},
                                        {"error", error.what()}});
            reason = error.what();
            if (!error.transient()) return Stored::refused;
            if (error.kind == statements::ErrorKind::rolled_back) return Stored::locked;
            const std::lock_guard lock(mutex_);
            if (stopping_) return Stored::stopping;
        }
        std::this_thread::sleep_for(timing::database_pause);
    }
}

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
    // One job's rows may be what somebody else holds: the others must not wait for them.
    auto parts = by_job(std::move(batch));
    if (parts.size() == 1) {
        return hold_back(parts.begin()->first, std::move(parts.begin()->second), pause);
    }
    for (auto& [job, part] : parts) store(std::move(part), pause);
}

// One item may be what the database refuses: the others must not suffer from it.
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

// What cannot be stored even so is left to run out: the database takes nothing at all of this task,
// and whoever claims it next begins its turn again.
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
        log_.error("task.unstorable", {{"task", plain.claim.task.value}, {"error", reason}});
        how = try_to_store(alone, reason);
    }
    if (how == Stored::locked) return hold_back(job, std::move(alone), pause);
    if (how != Stored::yes) done_with(alone);
}

}  // namespace provisioner::daemon
