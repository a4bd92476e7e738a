#include "provisioner/http_client/smtp.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::http_client;

BOOST_AUTO_TEST_SUITE(smtp)

BOOST_AUTO_TEST_CASE(a_server_is_named_by_scheme_host_and_port) {
    for (const char* good : {"smtp://mail.example.com:587", "smtps://mail.example.com",
                             "smtp://[2001:db8::1]:25", "smtp://localhost:25"}) {
        BOOST_TEST(read_mail_server(good).is_valid, good);
    }
    for (const char* bad :
         {"", "mail.example.com", "http://mail.example.com", "smtp://", "smtp://:25",
          "smtp://user:password@mail.example.com", "smtp://mail.example.com/?x",
          "smtp://mail example.com", "smtp://[::1].example.com", "smtp://mail.example.com:x"}) {
        BOOST_TEST(!read_mail_server(bad).is_valid, bad);
    }
}

BOOST_AUTO_TEST_CASE(only_this_machine_is_spoken_to_without_encryption) {
    for (const char* plain : {"smtp://localhost:25", "smtp://127.0.0.1:25", "smtp://[::1]"}) {
        BOOST_TEST(read_mail_server(plain).is_plain, plain);
    }
    for (const char* other :
         {"smtps://localhost", "smtp://mail.example.com:25", "smtp://localhost.example.com",
          "smtp://127.0.0.1.example.com", "smtp://[::1].example.com"}) {
        BOOST_TEST(!read_mail_server(other).is_plain, other);
    }
}

BOOST_AUTO_TEST_SUITE_END()
