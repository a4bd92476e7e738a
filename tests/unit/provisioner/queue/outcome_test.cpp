#include "provisioner/queue/outcome.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

#include "provisioner/base/utf8.hpp"

using namespace provisioner;
using base::Json;
using queue::Failed;
using queue::storable;
using queue::Succeeded;
using queue::Waiting;

BOOST_AUTO_TEST_SUITE(outcome)

namespace {

Failed failed(const std::string& text) {
    Failed failure;
    failure.message = text;
    failure.stdout_tail = text;
    failure.stderr_tail = text;
    return std::get<Failed>(storable(failure));
}

Json facts(Json facts) {
    Succeeded success;
    success.facts = std::move(facts);
    return std::get<Succeeded>(storable(success)).facts;
}

std::string bytes(std::mt19937& random, std::size_t most) {
    std::string text(random() % most, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
}

Json nested(int depth) {
    Json json = 1;
    for (int i = 0; i < depth; ++i) json = Json::array({json});
    return json;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_valid_stays_as_it_is) {
    Succeeded success;
    success.facts = {{"ports", {80, 443}}, {"name", "caf\xC3\xA9"}};
    success.addresses = {{"access_v4", "10.0.0.3"}};
    success.hostname = "web-1.example.net";

    const auto stored = std::get<Succeeded>(storable(success));

    BOOST_TEST(stored.facts == success.facts);
    BOOST_TEST((stored.addresses == success.addresses));
    BOOST_TEST(stored.hostname == success.hostname);
    BOOST_TEST(failed("exit code 3: \xE2\x82\xAC").message == "exit code 3: \xE2\x82\xAC");
}

BOOST_AUTO_TEST_CASE(a_latin_1_letter_and_a_nul_are_replaced) {
    const Failed failure = failed(std::string("caf\xE9\0!", 6));

    BOOST_TEST(failure.message == "caf\xEF\xBF\xBD\xEF\xBF\xBD!");
    BOOST_TEST(failure.stdout_tail == failure.message);
    BOOST_TEST(failure.stderr_tail == failure.message);
}

BOOST_AUTO_TEST_CASE(of_a_message_the_beginning_is_kept_and_of_a_tail_the_end) {
    const std::string text = "first " + std::string(100'000, '\xE9') + " last";

    const Failed failure = failed(text);

    BOOST_TEST(failure.message.size() <= 8192U);
    BOOST_TEST(failure.message.starts_with("first "));
    BOOST_TEST(failure.stderr_tail.size() <= 8192U);
    BOOST_TEST(failure.stderr_tail.starts_with("[snipped]"));
    BOOST_TEST(failure.stderr_tail.ends_with(" last"));
    BOOST_TEST(base::is_utf8(failure.message));
    BOOST_TEST(base::is_utf8(failure.stderr_tail));
}

BOOST_AUTO_TEST_CASE(facts_that_no_server_takes_are_named_and_left_out) {
    const Json kept = facts({{"deep", nested(21)},
                             {"large", std::string(70'000, 'x')},
                             {"bad\xFF", Json::array({"caf\xE9"})},
                             {"good", nested(20)}});

    BOOST_TEST(kept.at("deep") == "(left out: nested deeper than 20 levels)");
    BOOST_TEST(kept.at("large") == "(left out: 70007 bytes)");
    BOOST_TEST(kept.at("bad\xEF\xBF\xBD").at(0) == "caf\xEF\xBF\xBD");
    BOOST_TEST(kept.at("good") == nested(20));
}

BOOST_AUTO_TEST_CASE(all_facts_together_are_bounded) {
    Json many = Json::object();
    for (int i = 0; i < 10; ++i) many["fact" + std::to_string(i)] = std::string(60'000, 'x');

    BOOST_TEST(base::to_text(facts(many)).size() < 257U * 1024U);
}

BOOST_AUTO_TEST_CASE(facts_that_are_no_object_are_none) {
    BOOST_TEST(facts(Json::array({1})) == Json::object());
    BOOST_TEST(facts("text") == Json::object());
}

BOOST_AUTO_TEST_CASE(a_hostname_that_is_none_is_left_out) {
    for (const std::string& name : {std::string("web 1"), std::string("web\n"),
                                    std::string("caf\xC3\xA9"), std::string(254, 'x')}) {
        Succeeded success;
        success.hostname = name;
        BOOST_TEST(std::get<Succeeded>(storable(success)).hostname.empty(), name);
    }
}

BOOST_AUTO_TEST_CASE(any_bytes_in_any_field_become_valid_and_bounded) {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        Succeeded success;
        success.facts = {{bytes(random, 400), bytes(random, 5000)}};
        success.addresses = {{bytes(random, 400), bytes(random, 400)}};
        success.hostname = bytes(random, 400);
        const auto kept = std::get<Succeeded>(storable(success));
        const Failed failure = failed(bytes(random, 20'000));
        Waiting waiting;
        waiting.reason = bytes(random, 20'000);
        const auto waits = std::get<Waiting>(storable(waiting));

        for (const auto& [type, address] : kept.addresses) {
            BOOST_TEST(base::is_utf8(type));
            BOOST_TEST(base::is_utf8(address));
            BOOST_TEST(type.size() <= 255U);
            BOOST_TEST(address.size() <= 255U);
        }
        BOOST_TEST(base::is_utf8(kept.facts.dump()));
        for (const std::string* text :
             {&failure.message, &failure.stdout_tail, &failure.stderr_tail, &waits.reason}) {
            BOOST_TEST(base::is_utf8(*text));
            BOOST_TEST(text->size() <= 8192U);
            BOOST_TEST(text->find('\0') == std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
