#include "provisioner/connection/options_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::connection;

namespace {

std::string text_of(Tls tls) {
    const Settings settings{.addresses = {},
                            .user = "u",
                            .password = {},
                            .database = "c",
                            .ca = "/ca.pem",
                            .cert = "/cert.pem",
                            .key = "/key.pem"};
    return options_text(settings, {.host = "db", .tls = tls});
}

}  // namespace

BOOST_AUTO_TEST_CASE(verification_needs_encryption_and_the_authorities) {
    BOOST_TEST(text_of(Tls::verify) ==
               "[cooperage]\nprotocol=1\nssl-enforce=1\ntls-version=TLSv1.2,TLSv1.3\nssl-verify-"
               "server-cert=1\n"
               "ssl-ca=/ca.pem\nssl-cert=/cert.pem\nssl-key=/key.pem\n");
}

BOOST_AUTO_TEST_CASE(encryption_alone_does_not_look_at_the_authorities) {
    BOOST_TEST(text_of(Tls::required) ==
               "[cooperage]\nprotocol=1\nssl-enforce=1\ntls-version=TLSv1.2,TLSv1.3\nssl-cert=/"
               "cert.pem\nssl-key=/key.pem\n");
}

BOOST_AUTO_TEST_CASE(plain_text_has_no_certificates) {
    BOOST_TEST(text_of(Tls::off) == "[cooperage]\nprotocol=1\n");
    BOOST_TEST(options_text({}, {.socket = "/run/s"}) == "[cooperage]\n");
}
