#pragma once

#include <semaphore.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace provisioner::base {

/// Merges equal or similar requests of several threads into one call. Cluster pages poll their
/// status; with this class any number of them costs one database read at a time.
///
/// How it works: the first thread that asks makes the call for itself. Threads that ask during that
/// call queue up. When the call ends, its thread wakes one of the queue, and that one makes the
/// next call for all that queued. So no thread of its own is needed, and a lone caller never waits.
///
///     thread A  ask(1) |--- call {1} ---|
///     thread B     ask(2)  sleeps       |--- call {2, 3} ---|
///     thread C         ask(3)  sleeps        sleeps         | woken with its answer
///
/// Guarantee: an answer is never older than its question, because a question joins only a call that
/// has not begun. At most one call is under way at any moment.
template <class Key, class Answer>
class RequestCoalescer {
 public:
    /// Results of one call. May lack keys; those callers get nothing.
    using Answers = std::map<Key, Answer>;
    /// Answers those of the keys that have an answer, for example by one SELECT with an IN list.
    /// Runs on the thread of one caller, never on two at once. The set is not empty and has each
    /// key once, even when several threads ask for it. An exception it throws is rethrown in every
    /// thread of that call; the next call is not affected. It must not call ask() of the same
    /// object: that would deadlock.
    using Call = std::function<Answers(const std::set<Key>&)>;

    /// Whatever `call` refers to must outlive this object.
    explicit RequestCoalescer(Call call) : call_(std::move(call)) {}

    /// The answer for `key`, copied for each caller; nothing when the call returned none. Blocks
    /// for at most the rest of the call under way and one call more. Safe from any thread. The
    /// object must outlive all calls of ask().
    std::optional<Answer> ask(const Key& key) {
        Question question(key);
        if (!is_first(question)) question.turn.wait();
        if (!question.is_answered) call_with_those_who_came();
        if (question.error) std::rethrow_exception(question.error);
        return std::move(question.answer);
    }

    /// Whether a thread has asked for `key` and the call that answers it has not begun. For tests;
    /// the result may be outdated on return.
    bool is_waiting_for(const Key& key) {
        const std::lock_guard lock(mutex_);
        return std::any_of(waiting_.begin(), waiting_.end(),
                           [&](const Question* one) { return one->key == key; });
    }

 private:
    /// A semaphore for one wake-up. Not std::binary_semaphore: that of libstdc++ spins before it
    /// sleeps. Spinning costs more than it saves with more threads than cores.
    class Turn {
     public:
        Turn() { ::sem_init(&semaphore_, 0, 0); }
        ~Turn() { ::sem_destroy(&semaphore_); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        /// Sleeps until come(). sem_wait() ends early when a signal arrives, hence the loop.
        void wait() {
            while (::sem_wait(&semaphore_) != 0) {
            }
        }
        /// Wakes the waiting thread, or lets a later wait() return at once. Also publishes what
        /// this thread wrote before.
        void come() { ::sem_post(&semaphore_); }

     private:
        sem_t semaphore_;
    };

    /// One thread's question, on that thread's stack. Other threads reach it through `waiting_` or
    /// the list of the call under way. They must not touch it after they called turn.come() for its
    /// answer: it may be gone.
    struct Question {
        explicit Question(const Key& asked) : key(asked) {}

        /// The argument of ask(), which lives as long as the question.
        const Key& key;
        /// Nothing when the call returned no answer for `key`.
        std::optional<Answer> answer;
        /// Set when the call threw; all questions of the call share the exception object.
        std::exception_ptr error;
        /// Written by the calling thread before turn.come(), read by the owner after turn.wait().
        /// False after wait() means that this thread must make the next call.
        bool is_answered = false;
        /// Signalled when the answer is there, and before that when this thread has to make the
        /// next call.
        Turn turn;
    };
    /// Not owned: each pointer is valid until its thread was woken with the answer.
    using Questions = std::vector<Question*>;

    /// Queues the question. True when no call is under way: then this thread must make one.
    bool is_first(Question& question) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(&question);
        return !std::exchange(is_calling_, true);
    }

    /// Answers all questions queued so far, the caller's own among them, and passes the next call
    /// on.
    ///
    /// Before: this thread is the only caller (`is_calling_` is true). After: either no question
    /// waits and `is_calling_` is false, or exactly one waiting thread was woken to call. The
    /// successor is woken before the answered threads, so that its call begins as early as
    /// possible.
    void call_with_those_who_came() {
        const Questions questions = taken();
        answer(questions);
        Question* next = nullptr;
        {
            const std::lock_guard lock(mutex_);
            is_calling_ = !waiting_.empty();
            if (is_calling_) next = waiting_.front();
        }
        if (next != nullptr) next->turn.come();
        for (Question* question : questions) question->turn.come();
    }

    /// The questions this call answers; those that arrive later belong to the next call.
    Questions taken() {
        const std::lock_guard lock(mutex_);
        return std::exchange(waiting_, {});
    }

    /// Runs the call. Each question ends up answered or with the exception: a throwing call must
    /// not leave threads asleep. Touches questions without the mutex: their threads sleep until
    /// come().
    void answer(const Questions& questions) {
        try {
            std::set<Key> keys;
            for (const Question* question : questions) keys.insert(question->key);
            const Answers answers = call_(keys);
            for (Question* question : questions) {
                const auto found = answers.find(question->key);
                if (found != answers.end()) question->answer = found->second;
            }
        } catch (...) {
            for (Question* question : questions) question->error = std::current_exception();
        }
        for (Question* question : questions) question->is_answered = true;
    }

    Call call_;
    /// Guards `waiting_` and `is_calling_`; never held during a call.
    std::mutex mutex_;
    /// Questions for the next call, in order of arrival.
    Questions waiting_;
    /// Whether some thread makes a call or was woken to make the next one.
    bool is_calling_ = false;
};

}  // namespace provisioner::base
