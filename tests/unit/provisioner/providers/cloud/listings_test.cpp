#include "provisioner/providers/cloud/listings.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

/// Listings that take until the test lets them end.
struct ListingSite {
    Listings::Fetch fetch() {
        return [this]() -> asio::awaitable<std::vector<CloudMachine>> {
            ++begun;
            asio::steady_timer timer(loop, asio::steady_timer::time_point::max());
            under_way = &timer;
            boost::system::error_code ignored;
            co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            under_way = nullptr;
            if (fails) throw Lost("no answer");
            co_return std::vector<CloudMachine>(static_cast<std::size_t>(begun));
        };
    }
    void ask(std::chrono::milliseconds age = 0ms) {
        asio::co_spawn(
            loop,
            [this, age]() -> asio::awaitable<void> {
                Listings* listings = co_await Listings::here();
                try {
                    auto machines = co_await listings->get("account", age, fetch());
                    answers.push_back(std::to_string(machines->size()));
                } catch (const Lost& lost) {
                    answers.emplace_back(lost.what());
                }
            },
            asio::detached);
        loop.poll();
    }
    void end() {
        under_way->cancel();
        loop.poll();
    }

    asio::io_context loop{1};
    asio::steady_timer* under_way = nullptr;
    int begun = 0;
    bool fails = false;
    std::vector<std::string> answers;
    asio::executor_work_guard<asio::io_context::executor_type> alive{loop.get_executor()};
};

using Answers = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(all_that_ask_while_a_listing_is_under_way_share_the_next_one) {
    ListingSite site;
    site.ask();
    site.ask();
    site.ask();
    BOOST_TEST(site.begun == 1);
    site.end();
    BOOST_TEST((site.answers == Answers{"1"}));
    BOOST_TEST(site.begun == 2);
    site.end();
    BOOST_TEST((site.answers == Answers{"1", "2", "2"}));
}

BOOST_AUTO_TEST_CASE(a_listing_that_is_fresh_enough_is_shared_and_an_older_one_is_not) {
    ListingSite site;
    site.ask();
    site.ask(1h);
    site.end();
    BOOST_TEST((site.answers == Answers{"1", "1"}));
    site.ask(1h);
    BOOST_TEST(site.begun == 1);
    site.ask();
    BOOST_TEST(site.begun == 2);
    site.end();
}

BOOST_AUTO_TEST_CASE(a_failure_is_shared_and_the_next_that_asks_tries_again) {
    ListingSite site;
    site.fails = true;
    site.ask(1h);
    site.ask(1h);
    site.end();
    BOOST_TEST((site.answers == Answers{"no answer", "no answer"}));
    site.fails = false;
    site.ask();
    site.end();
    BOOST_TEST(site.answers.back() == "2");
}

BOOST_AUTO_TEST_CASE(a_loop_that_ends_in_the_middle_of_a_listing_takes_it_along) {
    std::vector<std::string> answers;
    {
        ListingSite site;
        site.ask();
        site.ask();
        answers = site.answers;
    }
    BOOST_TEST(answers.empty());
}

BOOST_AUTO_TEST_CASE(work_that_many_ask_for_at_once_is_done_for_the_first_and_then_for_all_others) {
    asio::io_context loop{1};
    asio::steady_timer first_turn(loop, asio::steady_timer::time_point::max());
    int begun = 0;
    int served = 0;
    const auto work = [&]() -> asio::awaitable<void> {
        boost::system::error_code ignored;
        if (++begun == 1) {
            co_await first_turn.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
    };
    const auto ask = [&]() -> asio::awaitable<void> {
        Listings* listings = co_await Listings::here();
        co_await listings->share("firewall of 1", work);
        ++served;
    };
    for (int i = 0; i < 200; ++i) asio::co_spawn(loop, ask(), asio::detached);
    loop.poll();
    BOOST_TEST(begun == 1);
    first_turn.cancel();
    loop.run();
    BOOST_TEST(served == 200);
    BOOST_TEST(begun == 2);
}

BOOST_AUTO_TEST_CASE(the_age_of_an_account_is_that_of_its_last_listing) {
    ListingSite site;
    Listings& listings = asio::use_service<Listings>(site.loop);
    BOOST_TEST((listings.age("account") == 0ms));
    site.ask();
    site.end();
    const auto before = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < before + 5ms) continue;
    BOOST_TEST((listings.age("account") >= 5ms));
    BOOST_TEST((listings.age("another") == 0ms));
}
