#include "provisioner/base/request_coalescer.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using provisioner::base::RequestCoalescer;

BOOST_AUTO_TEST_SUITE(request_coalescer)

namespace {

/// Somebody who knows the names of the numbers from 1 to 9 and can be held up.
struct Fixture {
    using Names = RequestCoalescer<int, std::string>;

    Names::Answers answer(const std::set<int>& numbers) {
        calls.push_back(numbers);
        if (calls.size() == held_up) {
            begun.set_value();
            go_on.get_future().wait();
        }
        if (numbers.contains(13)) throw std::runtime_error("bad luck");
        Names::Answers answers;
        for (const int number : numbers) {
            if (number < 10) answers[number] = "number " + std::to_string(number);
        }
        return answers;
    }

    std::future<std::optional<std::string>> ask_beside(int number) {
        return std::async(std::launch::async, [this, number] { return names.ask(number); });
    }

    /// One asks for the number and is held up; then the others ask.
    void hold_up_while_asked(int number, const std::vector<int>& others) {
        held_up = 1;
        asked.push_back(ask_beside(number));
        begun.get_future().wait();
        for (const int other : others) asked.push_back(ask_beside(other));
        for (const int other : others) wait_until_known(other);
        go_on.set_value();
    }

    /// Until the question has been noted: it is in the round that comes next.
    void wait_until_known(int number) {
        while (!names.is_waiting_for(number)) std::this_thread::yield();
    }

    std::vector<std::set<int>> calls;
    std::size_t held_up = 0;
    std::promise<void> begun;
    std::promise<void> go_on;
    std::vector<std::future<std::optional<std::string>>> asked;
    Names names{[this](const std::set<int>& numbers) { return answer(numbers); }};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_asks_alone_is_answered_alone, Fixture) {
    BOOST_TEST(names.ask(3).value() == "number 3");
    BOOST_TEST(!names.ask(12).has_value());
    BOOST_TEST((calls == std::vector<std::set<int>>{{3}, {12}}));
}

BOOST_FIXTURE_TEST_CASE(what_is_asked_during_a_call_is_answered_by_the_next_one_together, Fixture) {
    hold_up_while_asked(1, {2, 3, 4});

    for (auto& one : asked) BOOST_TEST(one.get().has_value());
    BOOST_TEST((calls == std::vector<std::set<int>>{{1}, {2, 3, 4}}));
}

BOOST_FIXTURE_TEST_CASE(no_answer_is_older_than_its_question, Fixture) {
    hold_up_while_asked(1, {1});

    for (auto& one : asked) BOOST_TEST(one.get().value() == "number 1");
    BOOST_TEST((calls == std::vector<std::set<int>>{{1}, {1}}));
}

BOOST_FIXTURE_TEST_CASE(a_call_that_fails_fails_for_those_who_asked_and_for_nobody_else, Fixture) {
    hold_up_while_asked(1, {13, 2});

    BOOST_TEST(asked[0].get().value() == "number 1");
    BOOST_CHECK_THROW(asked[1].get(), std::runtime_error);
    BOOST_CHECK_THROW(asked[2].get(), std::runtime_error);
    BOOST_TEST(names.ask(2).value() == "number 2");
}

BOOST_FIXTURE_TEST_CASE(many_threads_get_their_own_answers, Fixture) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 500; ++i) {
                const int number = 1 + (thread + i) % 9;
                if (names.ask(number) == "number " + std::to_string(number)) ++right;
            }
        });
    }
    for (auto& thread : threads) thread.join();

    BOOST_TEST(right == 8 * 500);
}

BOOST_AUTO_TEST_SUITE_END()
