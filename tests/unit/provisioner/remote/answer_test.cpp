#include "provisioner/remote/answer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(answer)

namespace {

/// A reader and what it gives away: "out:" and "err:" before pieces of the streams.
struct Reading {
    std::string passed;
    const OutputSink sink = [this](Stream stream, std::string_view piece) {
        passed += (stream == Stream::out ? "out:" : "err:") + std::string(piece) + ";";
    };
    AnswerReader reader{"cafe", sink};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_a_step_prints_passes_at_once, Reading) {
    reader.pass("first line\nno end");

    BOOST_TEST(passed == "out:first line\nno end;");
    BOOST_TEST(!reader.take_answer().has_value());
    BOOST_TEST(reader.passed() == 17u);
}

BOOST_FIXTURE_TEST_CASE(the_answer_is_taken_out_once, Reading) {
    reader.pass("last wordscafe exit 3\n");

    BOOST_TEST(passed == "out:last words;");
    BOOST_TEST(reader.take_answer().value() == "exit 3");
    BOOST_TEST(!reader.take_answer().has_value());
}

BOOST_FIXTURE_TEST_CASE(both_streams_come_over_one, Reading) {
    reader.pass("cafe out\none\ncafe err\ntwo");
    reader.pass("\ncafe out\nthree\ncafe err\ncafe exit 0\n");

    BOOST_TEST(passed == "out:one\n;err:two;err:\n;out:three\n;");
    BOOST_TEST(reader.take_answer().value() == "exit 0");
}

BOOST_FIXTURE_TEST_CASE(a_step_that_goes_on_is_answered_for_again_and_again, Reading) {
    reader.pass("cafe on\n");
    BOOST_TEST(reader.take_answer().value() == goes_on);

    reader.pass("cafe err\nmore\ncafe on\n");

    BOOST_TEST(reader.take_answer().value() == goes_on);
    BOOST_TEST(passed == "err:more\n;");
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_does_not_end_is_refused, Reading) {
    reader.pass("cafe ");

    BOOST_CHECK_THROW(for (int i = 0; i < 100; ++i) reader.pass(std::string(10'000, 'x')),
                      NodeRefusal);
}

BOOST_FIXTURE_TEST_CASE(what_comes_after_the_end_is_dropped, Reading) {
    reader.pass("cafe exit 0\n");

    for (int i = 0; i < 100; ++i) reader.pass(std::string(10'000, 'x'));

    BOOST_TEST(passed == "");
    BOOST_TEST(reader.take_answer().value() == "exit 0");
}

BOOST_FIXTURE_TEST_CASE(an_answer_may_arrive_byte_by_byte, Reading) {
    for (const char c : std::string("abccafe err\ndcafe exit 0\n")) reader.pass({&c, 1});

    BOOST_TEST(passed == "out:a;out:b;out:c;err:d;");
    BOOST_TEST(reader.take_answer().value() == "exit 0");
}

BOOST_FIXTURE_TEST_CASE(what_only_begins_like_an_answer_is_output, Reading) {
    reader.pass("xca");
    reader.pass("kecafecaf");
    reader.pass("x");

    BOOST_TEST(passed == "out:x;out:cakecafe;out:cafx;");
}

BOOST_FIXTURE_TEST_CASE(an_answer_without_its_line_end_is_none, Reading) {
    reader.pass("cafe exit 25");

    BOOST_TEST(!reader.take_answer().has_value());
}

BOOST_AUTO_TEST_CASE(each_ending_is_read) {
    BOOST_TEST(read_answer("exit 255").exit_code == 255);
    BOOST_TEST(read_answer("fenced 12").fenced_off);
    BOOST_TEST(read_answer("another").is_another);
    BOOST_TEST(read_answer("expired").timed_out);
    BOOST_TEST(read_answer("expired").exit_code == 124);
    BOOST_TEST(read_answer("stopped").stopped);
    BOOST_TEST(read_answer("stopped").exit_code == 143);
    BOOST_TEST(!read_answer("exit 143").stopped);
    BOOST_TEST(read_answer("lost").exit_code == 137);
    BOOST_TEST(!read_answer("lost").timed_out);
}

BOOST_AUTO_TEST_CASE(anything_else_is_a_transport_error_with_its_text) {
    const auto names_the_reason = [](const TransportError& error) {
        return std::string(error.what()).find("cannot make /x") != std::string::npos;
    };

    BOOST_CHECK_EXCEPTION(read_answer("broken cannot make /x"), TransportError, names_the_reason);
    BOOST_CHECK_THROW(read_answer("exit"), TransportError);
    BOOST_CHECK_THROW(read_answer("exit 256"), TransportError);
    BOOST_CHECK_THROW(read_answer("exit -1"), TransportError);
}

BOOST_AUTO_TEST_SUITE_END()
