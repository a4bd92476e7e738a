#include "provisioner/model/tenants/mail.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(mail)

BOOST_AUTO_TEST_CASE(an_address_is_a_local_part_and_a_domain) {
    for (const char* good : {"ada@example.com", "a.b+c@x-1.example", "root@localhost"}) {
        BOOST_TEST(is_mail_address(good), good);
    }
    for (const char* bad :
         {"", "ada", "@example.com", "ada@", "a b@example.com", ".a@example.com", "a.@example.com",
          "a..b@example.com", "ada@exa_mple.com", "ada@.com", "ada@example.com\r\nBcc: eve@x.org",
          "ada@example.com>", "\"a\"@example.com", "a@[127.0.0.1]", "\xC3\xA4@example.com",
          "eve@x.org,ada@example.com"}) {
        BOOST_TEST(!is_mail_address(bad), bad);
    }
    BOOST_TEST(is_mail_address(std::string(64, 'a') + "@example.com"));
    BOOST_TEST(!is_mail_address(std::string(65, 'a') + "@example.com"));
}

BOOST_AUTO_TEST_SUITE_END()
