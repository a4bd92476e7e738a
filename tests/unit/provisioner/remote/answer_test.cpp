#include "provisioner/remote/answer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(answer)

namespace {

const std::string mark = "\036cafe ";

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_step_prints_passes_at_once) {
    AnswerFilter filter("cafe");

    BOOST_TEST(filter.pass("first line\nno end") == "first line\nno end");
    BOOST_TEST(!filter.answer().has_value());
}

BOOST_AUTO_TEST_CASE(the_answer_is_taken_out) {
    AnswerFilter filter("cafe");

    BOOST_TEST(filter.pass("last words" + mark + "exit 3\n") == "last words");
    BOOST_TEST(filter.answer().value() == "exit 3");
    BOOST_TEST(filter.rest() == "");
}

BOOST_AUTO_TEST_CASE(an_answer_that_does_not_end_is_refused) {
    AnswerFilter filter("cafe");
    filter.pass(mark);

    BOOST_CHECK_THROW(for (int i = 0; i < 100; ++i) filter.pass(std::string(10'000, 'x')),
                      NodeRefusal);
}

BOOST_AUTO_TEST_CASE(what_comes_after_the_answer_is_not_kept) {
    AnswerFilter filter("cafe");
    filter.pass(mark + "exit 0\n");

    for (int i = 0; i < 100; ++i) BOOST_TEST(filter.pass(std::string(10'000, 'x')) == "");

    BOOST_TEST(filter.answer().value() == "exit 0");
}

BOOST_AUTO_TEST_CASE(an_answer_may_arrive_byte_by_byte) {
    AnswerFilter filter("cafe");
    std::string passed;

    for (const char c : "abc" + mark + "exit 0\n") passed += filter.pass(std::string(1, c));

    BOOST_TEST(passed == "abc");
    BOOST_TEST(filter.answer().value() == "exit 0");
}

BOOST_AUTO_TEST_CASE(what_only_begins_like_an_answer_is_output) {
    AnswerFilter filter("cafe");

    BOOST_TEST(filter.pass("x\036ca") == "x");
    BOOST_TEST(filter.pass("ke") == "\036cake");
    BOOST_TEST(filter.pass("\036\036caf") == "\036");
    BOOST_TEST(filter.rest() == "\036caf");
}

BOOST_AUTO_TEST_CASE(an_answer_without_its_line_end_is_none) {
    AnswerFilter filter("cafe");

    filter.pass(mark + "exit 25");

    BOOST_TEST(!filter.answer().has_value());
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
