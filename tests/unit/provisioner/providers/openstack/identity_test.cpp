#include "provisioner/providers/openstack/identity.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/openstack/api.hpp"

BOOST_AUTO_TEST_SUITE(openstack_identity)

using namespace provisioner;
using namespace provisioner::providers::openstack;

BOOST_AUTO_TEST_CASE(ends_of_tokens_are_read_with_decimals_and_offsets) {
    const auto noon = base::from_sql("2026-11-23 12:00:00");

    BOOST_TEST((time_in("2026-11-23T12:00:00.000000Z") == noon));
    BOOST_TEST((time_in("2026-11-23T12:00:00Z") == noon));
    BOOST_TEST((time_in("2026-11-23T07:00:00.999-05:00") == noon));
    BOOST_TEST((time_in("2026-11-23T17:30:00+05:30") == noon));
}

BOOST_AUTO_TEST_CASE(a_token_whose_end_cannot_be_read_is_not_used) {
    for (const char* text : {"", "tomorrow", "2026-11-23", "2026-13-23T12:00:00Z",
                             "2026-11-23T12:00:00-0500", "2026-11-23T12:00:00.5x"}) {
        BOOST_TEST_CONTEXT(text) BOOST_CHECK_THROW(time_in(text), providers::cloud::Lost);
    }
}

BOOST_AUTO_TEST_CASE(an_account_is_named_by_host_and_port_without_a_password_in_the_address) {
    BOOST_TEST(host_of("https://cloud.example.org:5000/v3") == "cloud.example.org:5000");
    BOOST_TEST(host_of("http://user:secret@cloud/identity?x=@y") == "cloud");
    BOOST_TEST(host_of("cloud.example.org/v3") == "cloud.example.org");
}

BOOST_AUTO_TEST_CASE(the_next_page_is_asked_for_by_its_marker_whatever_host_the_link_names) {
    const auto servers = *base::parse_json(R"({"servers": [{"id": "a"}, {"id": "b"}],
        "servers_links": [{"rel": "next", "href": "http://inside:8774/v2.1/servers?marker=b"}]})");
    const auto images = *base::parse_json(
        R"({"images": [{"id": "c"}], "next": "/v2/images?marker=c", "first": "/v2/images"})");
    const auto last = *base::parse_json(
        R"({"networks": [{"id": "d"}], "networks_links": [{"rel": "previous", "href": "x"}]})");

    BOOST_TEST(next_marker(servers, "servers") == "b");
    BOOST_TEST(next_marker(images, "images") == "c");
    BOOST_TEST(next_marker(last, "networks") == "");
    BOOST_TEST(next_marker({{"servers", base::Json::array()}}, "servers") == "");
}

BOOST_AUTO_TEST_SUITE_END()
