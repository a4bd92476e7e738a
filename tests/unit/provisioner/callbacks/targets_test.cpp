#include "provisioner/callbacks/targets.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using callbacks::targets_from;
using model::CallbackEvent;
using model::Operation;

namespace {

callbacks::Targets read(const std::string& settings) {
    return targets_from(base::Config::parse(settings));
}

std::string url(const callbacks::Targets& targets, CallbackEvent event, Operation operation) {
    return targets.url_for(event, operation).value_or("nobody");
}

}  // namespace

BOOST_AUTO_TEST_CASE(nobody_is_told_what_no_address_is_set_for) {
    const auto targets = read("callback.success.url = http://a/\n");

    BOOST_TEST(url(targets, CallbackEvent::success, Operation::cluster_create) == "http://a/");
    BOOST_TEST(url(targets, CallbackEvent::failure, Operation::cluster_create) == "nobody");
}

BOOST_AUTO_TEST_CASE(triggers_choose_operations_in_any_case_and_unknown_ones_are_skipped) {
    const auto targets = read(
        "callback.start.url = http://a/\n"
        "callback.start.triggers = Cluster_Configure, bogus,STOP_SERVICES\n");

    BOOST_TEST(url(targets, CallbackEvent::start, Operation::cluster_configure) == "http://a/");
    BOOST_TEST(url(targets, CallbackEvent::start, Operation::stop_services) == "http://a/");
    BOOST_TEST(url(targets, CallbackEvent::start, Operation::cluster_create) == "nobody");
}

BOOST_AUTO_TEST_CASE(triggers_of_unknown_words_only_mean_none_and_not_all) {
    const auto targets = read(
        "callback.start.url = http://a/\n"
        "callback.start.triggers = bogus\n");

    BOOST_TEST(url(targets, CallbackEvent::start, Operation::cluster_create) == "nobody");
}

BOOST_AUTO_TEST_CASE(a_secret_stands_in_the_settings_or_in_a_file_and_not_in_both) {
    BOOST_TEST((read("callback.secret = s3cret\n").secret.reveal() == "s3cret"));
    BOOST_CHECK_THROW(read("callback.secret = s3cret\ncallback.secret_file = /k\n"),
                      std::runtime_error);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_lease_is_no_operation_s_doing) {
    const auto targets = read(
        "callback.expiring.url = http://a/\n"
        "callback.expiring.triggers = cluster_delete\n"
        "lease.warning_hours = 2\n");

    BOOST_TEST(url(targets, CallbackEvent::expiring, Operation::cluster_create) == "http://a/");
    BOOST_TEST((targets.warning == std::chrono::hours{2}));
}
