#include "provisioner/identity/codes/one_time_codes.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace provisioner;
using namespace provisioner::identity;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(one_time_codes)

namespace {

/// The secret of the test vectors of RFC 4226 and RFC 6238: "12345678901234567890".
const base::Secret rfc(base32("12345678901234567890"));

base::Timestamp at(std::int64_t seconds) {
    return base::Timestamp{} + std::chrono::seconds{seconds};
}

}  // namespace

BOOST_AUTO_TEST_CASE(codes_are_those_of_rfc_4226_appendix_d) {
    const std::vector<std::string> expected{"755224", "287082", "359152", "969429", "338314",
                                            "254676", "287922", "162583", "399871", "520489"};
    for (std::size_t step = 0; step < expected.size(); ++step) {
        BOOST_TEST(code_of_step(rfc, static_cast<std::int64_t>(step)) == expected[step]);
    }
}

BOOST_AUTO_TEST_CASE(codes_are_the_last_six_digits_of_rfc_6238_appendix_b) {
    const std::vector<std::pair<std::int64_t, std::string>> vectors{
        {59, "287082"},         {1111111109, "081804"}, {1111111111, "050471"},
        {1234567890, "005924"}, {2000000000, "279037"}, {20000000000, "353130"}};
    for (const auto& [seconds, code] : vectors) {
        BOOST_TEST(code_of_step(rfc, code_step(at(seconds))) == code, seconds);
    }
}

BOOST_AUTO_TEST_CASE(base32_is_that_of_rfc_4648) {
    const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                   {"f", "MY"},
                                                                   {"fo", "MZXQ"},
                                                                   {"foo", "MZXW6"},
                                                                   {"foob", "MZXW6YQ"},
                                                                   {"fooba", "MZXW6YTB"},
                                                                   {"foobar", "MZXW6YTBOI"}};
    for (const auto& [bytes, text] : vectors) {
        BOOST_TEST(base32(bytes) == text);
        BOOST_TEST(from_base32(text).value() == bytes);
    }
    BOOST_TEST(!from_base32("MZ1").has_value());
}

BOOST_AUTO_TEST_CASE(a_code_works_once_in_its_own_step) {
    const auto now = at(1'000'000'020);
    const auto step = code_step(now);

    BOOST_TEST(matching_step(rfc, code_of_step(rfc, step), now, 0).value() == step);
    BOOST_TEST(!matching_step(rfc, code_of_step(rfc, step), now, step).has_value());
    for (const std::int64_t drift : {-2, -1, 1, 2}) {
        const auto code = code_of_step(rfc, step + drift);
        BOOST_TEST(!matching_step(rfc, code, now + 10s, 0).has_value(), drift);
    }
}

BOOST_AUTO_TEST_CASE(the_code_before_is_taken_for_ten_seconds_only) {
    const std::int64_t begin = 1'000'000'020;
    const auto step = code_step(at(begin));
    BOOST_REQUIRE(code_step(at(begin - 1)) == step - 1);
    const auto before = code_of_step(rfc, step - 1);

    BOOST_TEST(matching_step(rfc, before, at(begin), 0).value() == step - 1);
    BOOST_TEST(matching_step(rfc, before, at(begin + 10) - 1us, 0).value() == step - 1);
    BOOST_TEST(!matching_step(rfc, before, at(begin + 10), 0).has_value());
    // A newer code makes the older one useless.
    BOOST_TEST(!matching_step(rfc, before, at(begin), step).has_value());
    BOOST_TEST(!matching_step(rfc, before, at(begin), step - 1).has_value());
    for (const std::int64_t drift : {-2, 1}) {
        const auto code = code_of_step(rfc, step + drift);
        BOOST_TEST(!matching_step(rfc, code, at(begin), 0).has_value(), drift);
    }
}

BOOST_AUTO_TEST_CASE(codes_are_read_as_people_type_them) {
    const auto now = at(59);

    BOOST_TEST(matching_step(rfc, " 287 082 ", now, 0).has_value());
    for (const char* wrong : {"", "28708", "2870820", "287083", "abcdef", "28708２"}) {
        BOOST_TEST(!matching_step(rfc, wrong, now, 0).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_CASE(an_app_is_told_whose_code_it_is) {
    BOOST_TEST(code_address(base::Secret("ABC"), "ann müller@acme/x") ==
               "otpauth://totp/Cooperage:ann%20m%C3%BCller%40acme%2Fx?secret=ABC"
               "&issuer=Cooperage&algorithm=SHA1&digits=6&period=30");
}

BOOST_AUTO_TEST_CASE(recovery_codes_differ_and_are_read_in_any_spelling) {
    const auto codes = new_recovery_codes();
    std::set<std::string> hashes;
    for (const auto& code : codes) {
        std::string letters = code.reveal();
        BOOST_TEST(letters.size() == 32U);
        std::erase(letters, '-');
        // 128 bits in 26 letters of 5 bits.
        BOOST_TEST(letters.size() == 26U);
        hashes.insert(hash_of_recovery_code(code.reveal()));
    }

    BOOST_TEST(hashes.size() == 10U);
    BOOST_TEST(hash_of_recovery_code("abcd-efgh-ijkl-mnop") ==
               hash_of_recovery_code(" ABCDEFGH ijklmnop"));
    BOOST_TEST(new_code_secret().reveal().size() == 32U);
    BOOST_TEST(!(new_code_secret() == new_code_secret()));
}

BOOST_AUTO_TEST_SUITE_END()
