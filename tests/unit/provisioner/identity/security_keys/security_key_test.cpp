#include "provisioner/identity/security_keys/security_key.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/soft_security_key.hpp"

using namespace provisioner;
using namespace provisioner::identity;
using namespace std::chrono_literals;
using tests::SoftSecurityKey;

BOOST_AUTO_TEST_SUITE(security_keys)

namespace {

const base::Timestamp some_day{std::chrono::sys_days{std::chrono::year{2026} / 11 / 2}};

/// A session on one site, and a key that it knows.
struct Known {
    KeyCeremony ceremony{
        .site = {.origin = "https://cooperage.example:8443", .host = "cooperage.example"},
        .session = base::Secret("coop_" + std::string(64, 'a')),
        .now = some_day};
    SoftSecurityKey key;
    Credential credential = read_new_key(key.make(SoftSecurityKey::to(ceremony)), ceremony).value();

    SoftSecurityKey::Answering right() const { return SoftSecurityKey::to(ceremony); }

    std::string error_of(const SoftSecurityKey::Answering& answering) {
        const auto checked = check_key_answer(key.sign(answering), credential, ceremony);
        return checked ? "" : checked.error();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_key_that_was_added_signs, Known) {
    BOOST_TEST(credential.id == key.id());
    BOOST_TEST(credential.algorithm == -7);
    BOOST_TEST(credential.count == 0U);

    const auto count = check_key_answer(key.sign(right()), credential, ceremony);

    BOOST_REQUIRE(count.has_value());
    BOOST_TEST(*count == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_signature_of_another_key_is_refused, Known) {
    SoftSecurityKey other;
    auto answer = other.sign(right());
    answer.credential = credential.id;
    const auto checked = check_key_answer(answer, credential, ceremony);
    BOOST_REQUIRE(!checked.has_value());
    BOOST_TEST(checked.error() == "The signature of the key is wrong.");
}

BOOST_FIXTURE_TEST_CASE(what_was_signed_cannot_be_changed, Known) {
    auto answer = key.sign(right());
    auto data = answer.authenticator_data;
    // The count: the last four bytes.
    data.back() = data.back() == 'A' ? 'B' : 'A';
    answer.authenticator_data = data;
    BOOST_TEST(!check_key_answer(answer, credential, ceremony).has_value());
    BOOST_TEST(!check_key_answer({}, credential, ceremony).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_key_answers_for_one_site_only, Known) {
    auto phished = right();
    phished.origin = "https://cooperage.example.evil";
    BOOST_TEST(error_of(phished).find("was asked by https://cooperage.example.evil") !=
               std::string::npos);
    auto relayed = right();
    relayed.host = "cooperage.example.evil";
    BOOST_TEST(error_of(relayed) == "The signature of the key is wrong.");
    auto framed = right();
    framed.is_framed = true;
    BOOST_TEST(error_of(framed) == "The key was asked by another site.");
}

BOOST_FIXTURE_TEST_CASE(an_answer_belongs_to_one_session_for_some_minutes, Known) {
    KeyCeremony other = ceremony;
    other.session = base::Secret("coop_" + std::string(64, 'b'));
    auto foreign = right();
    foreign.challenge = key_challenge(other);
    BOOST_TEST(error_of(foreign) == "That took too long. Try again.");

    const auto answer = key.sign(right());
    ceremony.now = some_day + 9min;
    BOOST_TEST(check_key_answer(answer, credential, ceremony).has_value());
    ceremony.now = some_day + 10min;
    BOOST_TEST(!check_key_answer(answer, credential, ceremony).has_value());
}

BOOST_FIXTURE_TEST_CASE(an_answer_to_another_question_is_refused, Known) {
    auto other = right();
    other.type = "webauthn.create";
    BOOST_TEST(error_of(other) == "The browser's answer cannot be read.");
    auto untouched = right();
    untouched.is_touched = false;
    BOOST_TEST(error_of(untouched) == "The signature of the key is wrong.");
}

BOOST_FIXTURE_TEST_CASE(a_count_that_does_not_grow_shows_a_copy, Known) {
    credential.count = 5;
    auto late = right();
    late.count = 5;
    BOOST_TEST(error_of(late).find("somebody may have a copy") != std::string::npos);
    late.count = 0;
    BOOST_TEST(error_of(late).find("somebody may have a copy") != std::string::npos);
    late.count = 6;
    BOOST_TEST(error_of(late).empty());
    credential.count = 0;
    late.count = 0;
    BOOST_TEST(error_of(late).empty(), "keys that do not count say 0 each time");
}

BOOST_FIXTURE_TEST_CASE(a_new_key_is_checked_like_an_answer, Known) {
    const auto error = [&](const SoftSecurityKey::Answering& answering) {
        const auto read = read_new_key(key.make(answering), ceremony);
        return read ? std::string() : read.error();
    };
    auto wrong = right();
    wrong.host = "elsewhere.example";
    BOOST_TEST(error(wrong) == "The key was made for another site than cooperage.example.");
    wrong = right();
    wrong.is_touched = false;
    BOOST_TEST(error(wrong) == "The key was not touched.");
    wrong = right();
    wrong.challenge = "AAAA";
    BOOST_TEST(error(wrong) == "That took too long. Try again.");
    wrong = right();
    wrong.type = "webauthn.get";
    BOOST_TEST(error(wrong) == "The browser's answer cannot be read.");
}

BOOST_FIXTURE_TEST_CASE(bytes_that_are_no_key_are_refused, Known) {
    const std::string client_data = key.make(right()).client_data;
    const std::string good = key.make(right()).attestation;
    for (const std::string& attestation :
         {std::string(), std::string("!!!"), tests::base64url(""), tests::base64url("\xa0"),
          tests::base64url(std::string(1000, '\x81')), good.substr(0, good.size() / 2),
          std::string(1 << 20, 'A'), tests::base64url(std::string(48'700, '\x81'))}) {
        const auto read = read_new_key({client_data, attestation}, ceremony);
        BOOST_TEST(!read.has_value());
    }
    for (std::size_t length = 0; length < good.size(); ++length) {
        BOOST_TEST(!read_new_key({client_data, good.substr(0, length)}, ceremony).has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()
