#include "provisioner/providers/refusing_provider.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(refusing_provider)

namespace {

template <class Result>
Result result_of(boost::asio::awaitable<Result> verb) {
    boost::asio::io_context loop;
    auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
    loop.run();
    return result.get();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_verb_is_refused_for_good_with_the_reason) {
    RefusingProvider provider("local", "local.socket is not set");
    const MachineSpec spec;
    const auto results = provisioner::base::Json::object();

    const auto created = result_of(provider.create({}, spec));
    const auto confirmed = result_of(provider.confirm({}, spec, results));
    const auto destroyed = result_of(provider.destroy({}, spec, results));

    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message == "local.socket is not set");
    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
    BOOST_TEST(std::get<Refused>(confirmed).message == refused.message);
    BOOST_TEST(std::get<Refused>(destroyed).message == refused.message);
    BOOST_CHECK_THROW(result_of(provider.machines({})), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
