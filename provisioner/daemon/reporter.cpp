#include "provisioner/daemon/reporter.hpp"

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

}  // namespace

Reporter::Reporter(std::unique_ptr<queue::TaskQueue> queue, Hand& hand, const base::Log& log,
                   std::function<void()> released)
    : queue_(std::move(queue)), hand_(hand), log_(log), released_(std::move(released)) {
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
    for (const Turn& turn : fresh_) take_printed(turn, batch);
    fresh_.clear();
    bytes_waiting_ = 0;
    if (std::ssize(batch.finished) > batch_limit) {
        // All output goes now: it has to be stored before its task ends.
        const auto rest = batch.finished.begin() + batch_limit;
        waiting_.finished.assign(std::make_move_iterator(rest),
                                 std::make_move_iterator(batch.finished.end()));
        batch.finished.erase(rest, batch.finished.end());
    }
    storing_ = !batch.empty();
    return batch;
}

void Reporter::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        const Batch batch = take(lock);
        if (batch.empty() && stopping_) return;
        if (batch.empty()) continue;
        lock.unlock();
        store(batch);
        lock.lock();
        storing_ = false;
        stored_.notify_all();
    }
}

void Reporter::done_with(const Batch& batch) {
    std::vector<queue::Claim> claims;
    for (const queue::Finished& one : batch.finished) claims.push_back(one.claim);
    hand_.remove(claims);
}

Reporter::Stored Reporter::try_to_store(const Batch& batch, std::string& reason) {
    while (true) {
        try {
            const int released = queue_->finish(batch.finished, batch.output);
            done_with(batch);
            // Tasks that were put back for later need the claimer's attention too.
            if (released > 0 || !batch.finished.empty()) released_();
            return Stored::yes;
        } catch (const queue::QueueError& error) {
            log_.warn("report.failed", {{"tasks", batch.finished.size()},
                                        {"again", error.transient ? "yes" : "no"},
                                        {"error", error.what()}});
            const std::lock_guard lock(mutex_);
            reason = error.what();
            if (stopping_) return Stored::stopping;
            if (!error.transient) return Stored::refused;
        }
        std::this_thread::sleep_for(timing::database_pause);
    }
}

void Reporter::store(const Batch& batch) {
    std::string reason;
    if (try_to_store(batch, reason) == Stored::yes) return;
    // One item may be what the database refuses: the others must not suffer from it.
    for (const queue::Output& piece : batch.output) {
        Batch alone;
        alone.output.push_back(piece);
        try_to_store(alone, reason);
    }
    for (const queue::Finished& one : batch.finished) store_alone(one);
}

// What cannot be stored even so is left to run out: the database takes nothing at all of this task,
// and whoever claims it next begins its turn again.
void Reporter::store_alone(queue::Finished one) {
    Batch alone;
    alone.finished.push_back(std::move(one));
    std::string reason;
    if (try_to_store(alone, reason) == Stored::refused) {
        queue::Finished& plain = alone.finished.front();
        plain.outcome = queue::storable(queue::failure(
            queue::Cause::unstorable, plain.claim.tries(), 0,
            "how this ended could not be stored, the database refused it: " + reason, 1));
        log_.error("task.unstorable", {{"task", plain.claim.task.value}, {"error", reason}});
        if (try_to_store(alone, reason) == Stored::yes) return;
    }
    done_with(alone);
}

}  // namespace provisioner::daemon
