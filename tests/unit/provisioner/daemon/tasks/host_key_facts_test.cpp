#include "provisioner/daemon/tasks/host_key_facts.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::daemon;
using provisioner::base::Json;
using provisioner::base::to_text;

BOOST_AUTO_TEST_SUITE(host_key_facts_test)

BOOST_AUTO_TEST_CASE(a_key_that_was_remembered_is_known_again) {
    for (const char* key : {"ssh-ed25519 AAAA", "ssh-rsa BBBB", "ecdsa-sha2-nistp256 CCCC",
                            "simulated 00000001-1000"}) {
        BOOST_TEST(known_host_key(host_key_facts(key)) == key);
    }
}

BOOST_AUTO_TEST_CASE(the_fact_names_the_type_as_the_wire_contract_does) {
    BOOST_TEST(to_text(host_key_facts("ssh-ed25519 AAAA")) ==
               R"({"ssh_host_keys":{"ed25519":"AAAA"}})");
}

BOOST_AUTO_TEST_CASE(of_several_keys_the_ed25519_key_is_taken) {
    const Json results = {{"ssh_host_keys", {{"rsa", "BBBB"}, {"ed25519", "AAAA"}}}};

    BOOST_TEST(known_host_key(results) == "ssh-ed25519 AAAA");
}

BOOST_AUTO_TEST_CASE(without_a_usable_key_none_is_known) {
    BOOST_TEST(known_host_key(Json::object()) == "");
    BOOST_TEST(known_host_key({{"ssh_host_keys", Json::object()}}) == "");
    BOOST_TEST(known_host_key({{"ssh_host_keys", "AAAA"}}) == "");
    BOOST_TEST(known_host_key({{"ssh_host_keys", {{"ed25519", 5}}}}) == "");
    BOOST_TEST(to_text(host_key_facts("")) == "{}");
}

BOOST_AUTO_TEST_SUITE_END()
