#include "provisioner/base/log.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

using namespace provisioner::base;

namespace {

class StoppedClock final : public Clock {
 public:
    Timestamp now() const override { return from_millis(1795217282123); }
};

struct Lines {
    std::ostringstream out;
    StoppedClock clock;
    Log log{out, clock};
};

const std::string moment = "2026-11-20T23:28:02.123000Z ";

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_event_is_one_line_of_moment_level_name_and_values, Lines) {
    log.info("task.claimed", {{"task", 12}, {"worker", "host"}, {"bytes", std::size_t{3}}});
    log.warn("slow");
    log.error("lost", {{"id", 9223372036854775807LL}, {"left", -1L}});

    BOOST_TEST(out.str() == moment + "info task.claimed task=12 worker=host bytes=3\n" + moment +
                                "warn slow\n" + moment +
                                "error lost id=9223372036854775807 left=-1\n");
}

BOOST_FIXTURE_TEST_CASE(a_value_that_would_be_misread_is_quoted, Lines) {
    log.info("e", {{"a", ""}, {"b", "x y"}, {"c", "k=v"}, {"d", "\"q\""}, {"f", "back\\"}});

    BOOST_TEST(out.str() == moment + R"(info e a="" b="x y" c="k=v" d="\"q\"" f="back\\")" + "\n");
}

BOOST_FIXTURE_TEST_CASE(no_value_can_start_a_line_or_move_the_cursor, Lines) {
    log.info("e", {{"a", "x\ny\r\tz"}, {"b", "\x1b[2J"}, {"c", "\x7f"}});

    BOOST_TEST(out.str() == moment + R"(info e a="x\ny\r\tz" b="\x1b[2J" c="\x7f")" + "\n");
}

BOOST_FIXTURE_TEST_CASE(characters_that_are_not_seen_are_written_by_their_bytes, Lines) {
    log.info("e", {{"csi",
                    "\xc2\x9b"
                    "2J"},
                   {"line", "a\xe2\x80\xa8z"},
                   {"turn",
                    "\xe2\x80\xae"
                    "abc"},
                   {"isolate", "\xe2\x81\xa6"}});

    BOOST_TEST(out.str() == moment +
                                R"(info e csi="\xc2\x9b2J" line="a\xe2\x80\xa8z" )"
                                R"(turn="\xe2\x80\xaeabc" isolate="\xe2\x81\xa6")" +
                                "\n");
}

BOOST_FIXTURE_TEST_CASE(whatever_bytes_a_value_has_an_event_is_one_line, Lines) {
    std::string bytes;
    for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
    log.info("e", {{"a", bytes}, {"b", "z"}});

    const std::string line = out.str();
    BOOST_TEST(std::count(line.begin(), line.end(), '\n') == 1);
    BOOST_TEST(line.ends_with("\" b=z\n"));
    BOOST_TEST(std::all_of(line.begin(), line.end() - 1,
                           [](char c) { return static_cast<unsigned char>(c) >= 0x20; }));
}

BOOST_FIXTURE_TEST_CASE(letters_of_other_languages_are_left_alone, Lines) {
    log.info("e", {{"name", "caf\xc3\xa9"}});

    BOOST_TEST(out.str() == moment + "info e name=caf\xc3\xa9\n");
}
