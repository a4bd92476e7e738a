#include "provisioner/base/memo.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using provisioner::base::Memo;

BOOST_AUTO_TEST_SUITE(memo)

BOOST_AUTO_TEST_CASE(a_value_is_made_once_and_shared) {
    Memo memo;
    int made = 0;
    const auto make = [&] { return std::to_string(++made); };

    const auto first = memo.get<std::string>("one", make);
    const auto again = memo.get<std::string>("one", make);
    const auto other = memo.get<std::string>("two", make);

    BOOST_TEST(*first == "1");
    BOOST_TEST((first == again));
    BOOST_TEST(*other == "2");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_made_is_tried_again) {
    Memo memo;
    bool works = false;
    const auto make = [&] {
        if (!works) throw std::runtime_error("not yet");
        return 7;
    };

    BOOST_CHECK_THROW(memo.get<int>("one", make), std::runtime_error);
    works = true;

    BOOST_TEST(*memo.get<int>("one", make) == 7);
}

BOOST_AUTO_TEST_CASE(a_value_may_be_made_of_another) {
    Memo memo;
    const auto two =
        memo.get<int>("two", [&] { return *memo.get<int>("one", [] { return 1; }) + 1; });
    BOOST_TEST(*two == 2);
}

BOOST_AUTO_TEST_CASE(many_threads_make_it_once) {
    Memo memo;
    std::atomic<int> made = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] { memo.get<int>("one", [&] { return ++made; }); });
    }
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_SUITE_END()
