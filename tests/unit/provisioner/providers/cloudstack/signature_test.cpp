#include "provisioner/providers/cloudstack/signature.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::cloudstack;
using provisioner::base::Secret;

BOOST_AUTO_TEST_SUITE(cloudstack_signature)

// Cases of libcloud's own test of its signer.
BOOST_AUTO_TEST_CASE(signatures_are_those_of_libcloud) {
    const Secret secret("abracadabra");
    const Params first{
        {"command", "listVirtualMachines"}, {"apiKey", "fnord"}, {"response", "json"}};
    Params second{{"command", "deployVirtualMachine"},
                  {"name", "fred"},
                  {"displayname", "George"},
                  {"serviceofferingid", "5"},
                  {"templateid", "17"},
                  {"zoneid", "23"},
                  {"networkids", "42"},
                  {"apiKey", "fnord"},
                  {"response", "json"}};

    BOOST_TEST(signature_of(first, secret) == "z/a9Y7J52u48VpqIgiwaGUMCso0=");
    BOOST_TEST(signature_of(second, secret) == "gHTo7mYmadZ+zluKHzlEKb1i/QU=");
    second["displayname"] = "George+Ringo";
    BOOST_TEST(signature_of(second, secret) == "tAgfrreI1ZvWlWLClD3gu4+aKv4=");
}

BOOST_AUTO_TEST_CASE(a_star_stays_and_a_blank_is_percent_20) {
    BOOST_TEST(encoded("a*b c+d/e~f_g.h-i") == "a*b%20c%2Bd%2Fe%7Ef_g.h-i");
}

BOOST_AUTO_TEST_CASE(the_order_is_that_of_the_names_in_lower_case) {
    const Secret secret("fnord");

    BOOST_TEST(signature_of({{"apiKey", "k"}, {"Command", "x"}, {"account", "A"}}, secret) ==
               signature_of({{"account", "a"}, {"apikey", "K"}, {"command", "X"}}, secret));
}

BOOST_AUTO_TEST_CASE(a_form_has_all_parameters_and_the_signature) {
    const std::string form =
        signed_form({{"command", "createTags"}, {"tags[0].key", "a b"}}, Secret("fnord"));

    BOOST_TEST(form.starts_with("command=createTags&tags%5B0%5D.key=a%20b&signature="));
}

BOOST_AUTO_TEST_SUITE_END()
