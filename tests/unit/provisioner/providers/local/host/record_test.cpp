#include "provisioner/providers/local/host/record.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_record)

namespace {

Record a_record() {
    return {.name = "m1",
            .cluster = "c1",
            .task = 17,
            .hostname = "web-1.demo.local",
            .ssh_user = "root",
            .address = "10.77.0.5",
            .host_key = "ssh-ed25519 KEY",
            .limits = "none asked for",
            .tenant = "3",
            .open_ports = {"80/tcp", "8000-8100/udp"},
            .first_id = 2001010688,
            .process = {.pid = 42, .started = 98765, .boot = "b"},
            .complete = true};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_record_comes_back_as_it_was_written) {
    BOOST_TEST((record_of(text_of(a_record())) == a_record()));
}

BOOST_AUTO_TEST_CASE(a_text_without_a_name_is_no_record) {
    BOOST_TEST(!record_of("").has_value());
    BOOST_TEST(!record_of("{}").has_value());
    BOOST_TEST(!record_of(R"({"name":"m","complete":"yes"})")->complete);
    BOOST_TEST(!record_of("{\"name\":").has_value());
}

BOOST_AUTO_TEST_CASE(an_answer_leaves_the_bookkeeping_out) {
    BOOST_TEST(provisioner::base::to_text(answer_of(a_record(), "running")) ==
               R"({"name":"m1","state":"running","cluster":"c1","hostname":"web-1.demo.local",)"
               R"("ssh_user":"root","address":"10.77.0.5","host_key":"ssh-ed25519 KEY",)"
               R"("limits":"none asked for","pid":42})");
}

BOOST_AUTO_TEST_SUITE_END()
