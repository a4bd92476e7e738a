#include "provisioner/providers/local/host/root_image.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_root_image)

BOOST_AUTO_TEST_CASE(the_mirror_is_where_this_machine_has_its_own_packages_from) {
    constexpr auto targets =
        "http://security.example/debian-security bookworm-security\n"
        "http://packages.example/node nodistro\n"
        "http://mirror.example/debian bookworm-updates\n"
        "http://mirror.example/debian bookworm\n";

    BOOST_TEST(mirror_of(targets, "fallback") == "http://mirror.example/debian");
}

BOOST_AUTO_TEST_CASE(a_machine_without_debian_sources_takes_the_public_mirror) {
    BOOST_TEST(mirror_of("", "fallback") == "fallback");
    BOOST_TEST(mirror_of("http://packages.example/node nodistro\n", "fallback") == "fallback");
}

BOOST_AUTO_TEST_CASE(the_root_gets_updates_and_security_fixes) {
    BOOST_TEST(sources_of("http://m/debian", "http://s/debian-security") ==
               "deb http://m/debian bookworm main\n"
               "deb http://m/debian bookworm-updates main\n"
               "deb http://s/debian-security bookworm-security main\n");
}

BOOST_AUTO_TEST_CASE(only_settings_about_fetching_are_taken_over) {
    constexpr auto dump =
        "APT::Install-Recommends \"1\";\n"
        "Acquire::http::Proxy \"http://proxy:3128\";\n"
        "Acquire::GzipIndexes \"true\";\n"
        "Acquire::Check-Valid-Until \"false\";\n";

    BOOST_TEST(fetch_settings_of(dump) ==
               "Acquire::http::Proxy \"http://proxy:3128\";\n"
               "Acquire::Check-Valid-Until \"false\";\n");
}

BOOST_AUTO_TEST_SUITE_END()
