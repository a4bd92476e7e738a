#include "provisioner/connection/settings.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace provisioner;
using connection::Tls;

namespace {

connection::Settings read(const std::string& lines) {
    return connection::settings_of(
        base::Config::parse("database.name = c\ndatabase.user = u\n" + lines));
}

std::string refusal_of(const std::string& lines) {
    try {
        connection::settings_of(base::Config::parse(lines));
        return "";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_socket_is_used_where_no_host_is_set_and_has_no_encryption) {
    const auto settings = read("database.socket = /run/s\ndatabase.tls = verify\n");

    BOOST_REQUIRE(settings.addresses.size() == 1U);
    BOOST_TEST(connection::name_of(settings.addresses[0]) == "/run/s");
    BOOST_TEST((settings.addresses[0].tls == Tls::off));
    BOOST_TEST(
        connection::name_of(read("database.socket = /run/s\ndatabase.host = db\n").addresses[0]) ==
        "db:3306");
}

BOOST_AUTO_TEST_CASE(hosts_keep_their_order_and_ports) {
    const auto settings =
        read("database.hosts = db1.example , db2.example:3307,[2001:db8::1]:3308, [::1]\n");

    std::string names;
    for (const auto& address : settings.addresses) names += connection::name_of(address) + " ";
    BOOST_TEST(names == "db1.example:3306 db2.example:3307 [2001:db8::1]:3308 [::1]:3306 ");
}

BOOST_AUTO_TEST_CASE(one_host_has_a_port_of_its_own) {
    BOOST_TEST(connection::name_of(read("database.host = db\n").addresses.front()) == "db:3306");
    BOOST_TEST(connection::name_of(
                   read("database.host = ::1\ndatabase.port = 3310\n").addresses.front()) ==
               "[::1]:3310");
}

BOOST_AUTO_TEST_CASE(other_machines_are_verified_unless_the_settings_say_otherwise) {
    const std::string hosts = "database.hosts = db, localhost, 127.0.0.1, [::1]\n";
    const auto by_default = read(hosts).addresses;

    BOOST_TEST((by_default[0].tls == Tls::verify));
    for (std::size_t i = 1; i < 4; ++i) BOOST_TEST((by_default[i].tls == Tls::off));
    for (const auto& address : read(hosts + "database.tls = required\n").addresses) {
        BOOST_TEST((address.tls == Tls::required));
    }
    for (const auto& address : read(hosts + "database.tls = off\n").addresses) {
        BOOST_TEST((address.tls == Tls::off));
    }
}

BOOST_AUTO_TEST_CASE(every_wrong_setting_is_named_at_once) {
    const std::string refusal = refusal_of(
        "database.name =\ndatabase.hosts = a:b:c, db:0, db:70000, [::1, a b, \ndatabase.tls = yes\n"
        "database.tls_ca = /nowhere/ca\ndatabase.tls_cert = /nowhere/cert\n"
        "database.password_file = /nowhere/password\ndatabase.password = x\n");

    for (const char* part :
         {"database.name: is empty", "lacks database.user", "\"a:b:c\"", "\"db:0\"", "\"db:70000\"",
          "\"[::1\"", "\"a b\"", "database.tls: must be off, required or verify",
          "cannot read /nowhere/ca: No such file", "cannot read /nowhere/cert",
          "database.tls_key go together", "cannot read /nowhere/password: No such file",
          "database.password exclude each other"}) {
        BOOST_TEST(refusal.find(part) != std::string::npos, part << " in " << refusal);
    }
}

BOOST_AUTO_TEST_CASE(addresses_that_contradict_each_other_are_refused) {
    BOOST_TEST(refusal_of("database.user = u\ndatabase.host = a\ndatabase.hosts = b\n") ==
               "database.hosts: and database.host exclude each other");
    BOOST_TEST(refusal_of("database.user = u\ndatabase.host = a\ndatabase.port = x\n") ==
               "database.port: must be 1 to 65535");
}
