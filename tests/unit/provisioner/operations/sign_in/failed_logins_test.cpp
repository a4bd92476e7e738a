#include "provisioner/operations/sign_in/failed_logins.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(failed_logins)

BOOST_AUTO_TEST_CASE(the_mail_says_how_often_when_and_from_where) {
    const base::Timestamp at = base::from_sql("2026-11-26 17:50:00");
    store::FailedLoginNews news{.user_name = "ann",
                                .tenant = "acme",
                                .from = {{.address = "192.0.2.1", .tries = 3}},
                                .first_at = at,
                                .last_at = at + 20min};

    auto mail = operations::mail_about_failed_logins(news, "https://c.example");
    BOOST_TEST(mail.subject == "3 failed logins to Cooperage as ann");
    BOOST_TEST(
        mail.body.starts_with("Somebody tried to log in as ann of the tenant acme and "
                              "failed: 3 times between 2026-11-26 17:50 UTC and "
                              "2026-11-26 18:10 UTC.\n\nFrom these addresses:\n"
                              "192.0.2.1: 3 times\n\nIf that was you"));
    BOOST_TEST(mail.body.ends_with("https://c.example/profile/notifications\n"));

    for (int i = 0; i < 21; ++i) news.from.push_back({.address = "192.0.2.2", .tries = 1});
    mail = operations::mail_about_failed_logins(news, "");
    BOOST_TEST(mail.subject == "24 failed logins to Cooperage as ann");
    BOOST_TEST(mail.body.find("\n2 more addresses: 2 times\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_right_password_with_a_wrong_second_factor_is_told) {
    const store::FailedLoginNews news{
        .user_name = "ann",
        .tenant = "acme",
        .from = {{.address = "192.0.2.1", .tries = 3, .with_password = 2}}};

    const auto mail = operations::mail_about_failed_logins(news, "https://c.example");

    BOOST_TEST(mail.body.find("The password was right and the second factor wrong: 2 times. If "
                              "that was not you, somebody knows your password: change it.\n"
                              "https://c.example/profile/password\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
