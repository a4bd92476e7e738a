#include "fcgi/pages/jobs/terminal.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;

BOOST_AUTO_TEST_SUITE(terminal_lines)

namespace {

/// What is shown of printed text that is one line: "[b c1 g4]text" for each style, plain text
/// without brackets.
std::string shown_line(const std::string& printed, std::size_t longest = 1000) {
    TerminalLine line(longest);
    for (const char byte : printed) line.take(byte);
    std::string text;
    for (const TerminalSpan& span : line.spans()) {
        const TerminalStyle& style = span.style;
        std::string name;
        const auto add = [&](bool is, const std::string& word) {
            if (is) name += (name.empty() ? "" : " ") + word;
        };
        add(style.bold, "bold");
        add(style.faint, "faint");
        add(style.italic, "italic");
        add(style.underlined, "underlined");
        add(style.inverse, "inverse");
        add(style.ink >= 0, "ink" + std::to_string(style.ink));
        add(style.ground >= 0, "ground" + std::to_string(style.ground));
        text += (name.empty() ? (text.empty() ? "" : "[]") : "[" + name + "]") + span.text;
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(styles_are_set_and_taken_back_one_by_one) {
    BOOST_TEST(shown_line("\x1b[1mA\x1b[2mB\x1b[22mC") == "[bold]A[bold faint]B[]C");
    BOOST_TEST(shown_line("\x1b[3;4;7mA\x1b[23mB\x1b[24mC\x1b[27mD") ==
               "[italic underlined inverse]A[underlined inverse]B[inverse]C[]D");
    BOOST_TEST(shown_line("\x1b[31;42mA\x1b[39mB\x1b[49mC") == "[ink1 ground2]A[ground2]B[]C");
    BOOST_TEST(shown_line("\x1b[97;100mA\x1b[0mB") == "[ink15 ground8]A[]B");
    BOOST_TEST(shown_line("\x1b[1;31mA\x1b[mB") == "[bold ink1]A[]B");
    BOOST_TEST(shown_line("\x1b[21mA\x1b[4:0mB\x1b[4:3mC") == "[underlined]A[]B[underlined]C");
}

BOOST_AUTO_TEST_CASE(colours_of_256_and_of_rgb_become_the_nearest_of_the_16) {
    BOOST_TEST(shown_line("\x1b[38;5;9mA") == "[ink9]A");
    BOOST_TEST(shown_line("\x1b[48;5;196mA") == "[ground9]A");
    BOOST_TEST(shown_line("\x1b[38;5;232mA\x1b[38;5;255mB") == "[ink0]A[ink7]B");
    BOOST_TEST(shown_line("\x1b[38;2;250;250;250mA") == "[ink15]A");
    BOOST_TEST(shown_line("\x1b[38:2::250:0:0mA") == "[ink9]A");
    BOOST_TEST(shown_line("\x1b[38:2:0:0:200mA") == "[ink4]A");
    BOOST_TEST(shown_line("\x1b[38:5:2mA") == "[ink2]A");
    // What belongs to the colour is never read as a style.
    BOOST_TEST(shown_line("\x1b[58;5;1;4mA") == "[underlined]A");
    BOOST_TEST(shown_line("\x1b[38;2;1;4;7mA") == "[ink0]A");
    BOOST_TEST(shown_line("\x1b[38;5;999;1mA") == "[bold]A");
    BOOST_TEST(shown_line("\x1b[38mA\x1b[38;5mB\x1b[38;2;1mC") == "A[ink0]BC");
    BOOST_TEST((nearest_colour(0, 0, 0) == 0 && nearest_colour(255, 255, 255) == 15));
}

BOOST_AUTO_TEST_CASE(other_sequences_and_control_characters_leave_nothing_behind) {
    const std::vector<std::string> sequences{"\x1b[2J",
                                             "\x1b[10;20H",
                                             "\x1b[?25l",
                                             "\x1b[>4;1m",
                                             "\x1b[38;5;1$m",
                                             "\x1b]0;title\a",
                                             "\x1b]8;;http://x\x1b\\",
                                             "\x1bP1$r0m\x1b\\",
                                             "\x1b(B",
                                             "\x1b=",
                                             "\x1b_app\x1b\\",
                                             "\x1b^pm\x1b\\",
                                             "\xc2\x9b"
                                             "2J",
                                             "\xc2\x9d"
                                             "0;t\xc2\x9c",
                                             "\x01\x02\x7f",
                                             "\xc2\x85",
                                             "\x1b\x1b[2J",
                                             "\x1b[12\x18"};
    for (const std::string& sequence : sequences) {
        BOOST_TEST(shown_line("A" + sequence + "B") == "AB");
        for (const char byte : shown_line("A" + sequence + "B")) BOOST_TEST(byte >= 0x20);
    }
    BOOST_TEST(shown_line(std::string("A\0B", 3)) == "AB");
    BOOST_TEST(shown_line("A\tB") == "A\tB");
}

BOOST_AUTO_TEST_CASE(a_sequence_that_does_not_end_ends_with_its_line) {
    TerminalLine line(100);
    for (const char byte : std::string("A\x1b]0;title")) BOOST_TEST(!line.take(byte));
    BOOST_TEST(line.take('\n'));
    line.next();
    for (const char byte : std::string("B")) line.take(byte);

    BOOST_TEST(line.spans().front().text == "B");
    // However long it is.
    BOOST_TEST(shown_line("A\x1b[" + std::string(100'000, '1') + "mB") == "AB");
}

BOOST_AUTO_TEST_CASE(what_is_printed_over_a_line_is_what_is_seen) {
    BOOST_TEST(shown_line(" 10 %\r 60 %\r100 %") == "100 %");
    BOOST_TEST(shown_line("downloading\rdone") == "doneloading");
    BOOST_TEST(shown_line("downloading\r\x1b[Kdone") == "done");
    BOOST_TEST(shown_line("downloading\x1b[2K\rdone") == "done");
    BOOST_TEST(shown_line("abcdef\b\b\x1b[1KX") == "    Xf");
    BOOST_TEST(shown_line("abc\b\bX") == "aXc");
    BOOST_TEST(shown_line("text\r") == "text");
    BOOST_TEST(shown_line("\x1b[31mred\r\x1b[32mg") == "[ink2]g[ink1]ed");
    BOOST_TEST(shown_line("\b\b\bA") == "A");
}

BOOST_AUTO_TEST_CASE(what_was_erased_is_blank_and_what_is_written_later_is_seen) {
    BOOST_TEST(shown_line("abcdef\x1b[1K") == "      ");
    BOOST_TEST(shown_line("abcdef\x1b[1Kg") == "      g");
    BOOST_TEST(shown_line("abcdef\x1b[1K\rxy") == "xy    ");
    BOOST_TEST(shown_line("abcdef\b\b\b\x1b[1K") == "    ef");
    BOOST_TEST(shown_line("abcdef\b\b\b\x1b[1K\rab\x1b[1K") == "    ef");
    BOOST_TEST(shown_line("abcdef\r\x1b[Kx") == "x");
    BOOST_TEST(shown_line("abcdef\x1b[2Kg") == "      g");
    BOOST_TEST(shown_line("abc\r\x1b[Kd\x1b[1K\x1b[2K").empty());
    BOOST_TEST(shown_line("abcdef\b\b\x1b[Kx\x1b[1Ky") == "     y");
    BOOST_TEST(shown_line("abcdef\b\b\x1b[K\r\x1b[1Kwxyz") == "wxyz");
}

BOOST_AUTO_TEST_CASE(erasing_costs_what_is_printed_and_not_what_is_erased) {
    // A fill for each of these would write a hundred thousand million cells.
    constexpr int many = 1'000'000;
    TerminalLine line(many);
    for (int i = 0; i < many; ++i) line.take('a');
    for (int i = 0; i < many / 10; ++i) {
        for (const char byte : std::string_view("\bx\x1b[1K\x1b[2Ky\x1b[K")) line.take(byte);
    }
    BOOST_TEST(line.spans().size() <= 2U);
}

BOOST_AUTO_TEST_CASE(characters_are_whole_and_never_turn_the_text_around) {
    BOOST_TEST(shown_line("Grüße, 世界 🙂") == "Grüße, 世界 🙂");
    BOOST_TEST(shown_line("A\xff"
                          "B\xc3") ==
               "A\xef\xbf\xbd"
               "B");
    BOOST_TEST(shown_line("A\xc3"
                          "B") ==
               "A\xef\xbf\xbd"
               "B");
    BOOST_TEST(shown_line("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80") ==
               "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd");
    BOOST_TEST(shown_line("a\u202egnp\u2066") == "a\uFFFDgnp\uFFFD");
    BOOST_TEST(shown_line("ü\rx") == "x");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_very_long_line_is_counted) {
    TerminalLine line(10);
    for (const char byte : std::string(25, 'x')) line.take(byte);

    BOOST_TEST(line.spans().front().text == std::string(10, 'x'));
    BOOST_TEST(line.cut() == 15U);
    line.next();
    BOOST_TEST(line.cut() == 0U);
    BOOST_TEST(!line.has_begun());
}

BOOST_AUTO_TEST_SUITE_END()
