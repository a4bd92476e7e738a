#include "fcgi/auth/sign_ins.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/settings.hpp"

BOOST_AUTO_TEST_SUITE(sign_ins)

using fcgi::auth::name_to_record;

BOOST_AUTO_TEST_CASE(a_name_that_was_tried_is_recorded) {
    for (const char* name :
         {"ada", "s4-boss", "ada.lov", "root", "user01", "ada@lab.example.com"}) {
        BOOST_TEST(name_to_record(name) == name);
    }
    BOOST_TEST(name_to_record("administrator") == "adm…");
    BOOST_TEST(name_to_record("ada.love") == "ada…");
}

BOOST_AUTO_TEST_CASE(what_may_be_a_password_in_the_field_of_the_name_is_not_recorded) {
    for (const char* typed : {"", "Summer2026", "abc12345", "correct horse", "p@ss", "pass!",
                              "1234", "Tr0ub4dor&3", "ada@lab", "ada@lab.example.com@x", "-rf",
                              "ada.", "<b>ada</b>", "d\xc3\xa4tlef", "ada\nroot"}) {
        BOOST_TEST(name_to_record(typed) == "unknown", typed);
    }
    BOOST_TEST(name_to_record("correcthorsebatterystaple") == "cor…");
    BOOST_TEST(name_to_record("summer202") == "sum…");
}

BOOST_AUTO_TEST_CASE(two_names_that_are_not_told_whole_have_marks_that_tell_them_apart) {
    const provisioner::base::Secret key("a key of the installation");
    const std::string nobody = name_to_record("s5-nobody", key);

    BOOST_TEST(nobody.starts_with("s5-… ["), nobody);
    BOOST_TEST(nobody.size() == std::string("s5-… [00]").size());
    BOOST_TEST(name_to_record("s5-nobody", key) == nobody);
    BOOST_TEST(name_to_record("s5-ghost", key) != nobody);
    BOOST_TEST(name_to_record("s5-nobody", provisioner::base::Secret("another")) != nobody);
    BOOST_TEST(name_to_record("Summer2026", key).starts_with("unknown ["));
    BOOST_TEST(name_to_record("ada", key) == "ada");
    BOOST_TEST(name_to_record("", key) == "unknown");
    BOOST_TEST(fcgi::auth::is_shortened_name(nobody));
    BOOST_TEST(!fcgi::auth::is_shortened_name("ada"));
}

BOOST_AUTO_TEST_CASE(the_audit_log_has_the_technical_reason_of_an_identity_provider_on_one_line) {
    provisioner::operations::SignInResult result;
    using fcgi::auth::reason_to_record;
    BOOST_TEST(reason_to_record(result) == "wrong_password");
    result.end = provisioner::operations::SignInResult::End::provider_refused;
    result.reason = "Corp did not confirm who you are.";
    result.advice = "Ask your administrator.";
    BOOST_TEST(reason_to_record(result) == "provider_refused: Corp did not confirm who you are.");

    result.technical_reason = "the signature\nis \xff wrong";
    BOOST_TEST(reason_to_record(result) ==
               "provider_refused: Corp did not confirm who you are. Technical reason: the "
               "signature\\x0ais \\xff wrong");
    result.technical_reason = std::string(5'000, 'x');
    BOOST_TEST(reason_to_record(result).size() < 800U);
}

BOOST_AUTO_TEST_CASE(no_password_is_so_short_that_it_is_recorded_whole) {
    const auto* const length = provisioner::base::find_setting("auth.password_length");
    BOOST_REQUIRE(length != nullptr);
    const std::string shortest(static_cast<std::size_t>(length->least), 'a');
    BOOST_TEST(name_to_record(shortest) == "aaa…");
}

BOOST_AUTO_TEST_SUITE_END()
