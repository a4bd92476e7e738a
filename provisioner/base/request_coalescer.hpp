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

/// Answers what several threads ask at the same time by one call for all of them. No answer is
/// older than its question: what is asked while a call is under way waits for the next call. Who
/// asks alone does not wait.
template <class Key, class Answer>
class RequestCoalescer {
 public:
    using Answers = std::map<Key, Answer>;
    /// Answers those of the keys that have an answer. Called by one thread at a time; what it
    /// throws is thrown to everybody who asked.
    using Call = std::function<Answers(const std::set<Key>&)>;

    explicit RequestCoalescer(Call call) : call_(std::move(call)) {}

    /// The answer; nothing when there is none.
    std::optional<Answer> ask(const Key& key) {
        Question question(key);
        if (!is_first(question)) question.turn.wait();
        if (!question.is_answered) call_with_those_who_came();
        if (question.error) std::rethrow_exception(question.error);
        return std::move(question.answer);
    }

    /// Whether that was asked and the call for it has not begun.
    bool is_waiting_for(const Key& key) {
        const std::lock_guard lock(mutex_);
        return std::any_of(waiting_.begin(), waiting_.end(),
                           [&](const Question* one) { return one->key == key; });
    }

 private:
    /// What a thread sleeps on. The semaphore of libstdc++ looks around before it sleeps, which
    /// costs more than it saves where there are more threads than cores.
    class Turn {
     public:
        Turn() { ::sem_init(&semaphore_, 0, 0); }
        ~Turn() { ::sem_destroy(&semaphore_); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        void wait() {
            while (::sem_wait(&semaphore_) != 0) {
            }
        }
        void come() { ::sem_post(&semaphore_); }

     private:
        sem_t semaphore_;
    };

    /// What one thread asks; lives on its stack until it is answered.
    struct Question {
        explicit Question(const Key& asked) : key(asked) {}

        const Key& key;
        std::optional<Answer> answer;
        std::exception_ptr error;
        bool is_answered = false;
        /// Comes when it is answered, or when its thread has to make the next call.
        Turn turn;
    };
    using Questions = std::vector<Question*>;

    /// Adds a question; whether its thread has to call, since nobody does.
    bool is_first(Question& question) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(&question);
        return !std::exchange(is_calling_, true);
    }

    /// Answers all who have asked until now, the caller among them, and hands the next call to one
    /// of those who ask meanwhile.
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

    Questions taken() {
        const std::lock_guard lock(mutex_);
        return std::exchange(waiting_, {});
    }

    /// Whatever happens, nobody is left without an answer.
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
    std::mutex mutex_;
    /// Those the next call answers.
    Questions waiting_;
    bool is_calling_ = false;
};

}  // namespace provisioner::base
