#include "fcgi/pages/jobs/task_log.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;

BOOST_AUTO_TEST_SUITE(logs_of_tasks)

namespace {

using provisioner::store::TranscriptPiece;

TranscriptPiece piece(int attempt, const char* stream, const std::string& body,
                      std::int64_t missing = 0) {
    TranscriptPiece made;
    made.attempt = attempt;
    made.stream = stream;
    made.body = body;
    made.missing = missing;
    return made;
}

std::vector<LogLine> read(const std::vector<TranscriptPiece>& pieces, std::size_t longest = 100) {
    TaskLog log(longest);
    for (const auto& one : pieces) log.add(one);
    return log.lines();
}

/// "1 out text | 2 err text | -- mark"
std::string drawn_log(const std::vector<LogLine>& lines) {
    std::string text;
    for (const LogLine& line : lines) {
        const bool is_mark = line.kind == LogKind::mark;
        const std::string kind = line.kind == LogKind::err    ? " err "
                                 : line.kind == LogKind::note ? " note "
                                                              : " out ";
        text += (text.empty() ? "" : " | ") +
                (is_mark ? "-- " : std::to_string(line.number) + kind) + line.text();
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_keep_the_stream_that_they_were_printed_to) {
    BOOST_TEST(drawn_log(read({piece(1, "note", "hello\n"), piece(1, "out", "a\n\nb\n"),
                               piece(1, "err", "c\n")})) ==
               "1 note hello | 2 out a | 3 out  | 4 out b | 5 err c");
    BOOST_TEST(drawn_log(read({})) == "");
}

BOOST_AUTO_TEST_CASE(a_line_keeps_its_place_and_number_while_the_other_stream_prints) {
    const std::vector<TranscriptPiece> begun{piece(1, "out", "Loading..."),
                                             piece(1, "err", "E1\n")};
    BOOST_TEST(drawn_log(read(begun)) == "1 out Loading... | 2 err E1");

    auto more = begun;
    more.push_back(piece(1, "out", " done\nnext"));

    BOOST_TEST(drawn_log(read(more)) == "1 out Loading... done | 2 err E1 | 3 out next");
}

BOOST_AUTO_TEST_CASE(sequences_and_characters_go_on_in_the_next_piece_of_their_stream) {
    const auto lines = read({piece(1, "out", "\x1b[3"), piece(1, "err", "plain\n"),
                             piece(1, "out", "1mred \xc3"), piece(1, "out", "\xbc\n")});

    BOOST_TEST(drawn_log(lines) == "1 err plain | 2 out red ü");
    BOOST_TEST((lines[1].spans.front().style == TerminalStyle{.ink = 1}));
    BOOST_TEST((lines[0].spans.front().style == TerminalStyle{}));
}

BOOST_AUTO_TEST_CASE(attempts_and_gaps_are_said_between_lines) {
    BOOST_TEST(drawn_log(read({piece(1, "out", "\x1b[31ma\nb"), piece(2, "out", "c\n")})) ==
               "-- Attempt 1 | 1 out a | 2 out b | -- Attempt 2 | 3 out c");
    BOOST_TEST(drawn_log(read({piece(3, "out", "c\n")})) == "-- Attempt 3 | 1 out c");
    BOOST_TEST(drawn_log(read({piece(1, "out", "a\n"), piece(1, "out", "z\n", 1234567)})) ==
               "1 out a | -- 1,234,567 bytes of output are not kept | 2 out z");
}

BOOST_AUTO_TEST_CASE(a_style_does_not_go_on_in_the_next_attempt_or_behind_a_gap) {
    const auto lines =
        read({piece(1, "out", "\x1b[31ma\n"), piece(1, "out", "b\n", 9), piece(2, "out", "c\n")});

    for (const LogLine& line : lines) {
        if (line.kind == LogKind::mark || line.text() == "a") continue;
        BOOST_TEST((line.spans.front().style == TerminalStyle{}), line.text());
    }
}

BOOST_AUTO_TEST_CASE(a_search_is_for_plain_text_whatever_the_case) {
    const auto lines =
        read({piece(1, "out", "Error: a.b\n\x1b[31mER\x1b[0mROR\nfine\n"), piece(2, "out", "x\n")});

    BOOST_TEST((lines_with(lines, "error") == std::vector{1, 2}));
    BOOST_TEST((lines_with(lines, "A.B") == std::vector{1}));
    BOOST_TEST(lines_with(lines, "a?b").empty());
    BOOST_TEST(lines_with(lines, "").empty());
    BOOST_TEST(lines_with(lines, "Attempt").empty());
    BOOST_TEST((places_of("aaAa", "aa") == std::vector<std::size_t>{0, 2}));
}

BOOST_AUTO_TEST_CASE(a_download_is_text_without_sequences) {
    TaskLog log(4);
    std::string text;
    for (const auto& one : {piece(1, "out", "\x1b[31mred\x1b[0m\r\n"), piece(1, "err", "E\n"),
                            piece(2, "out", "123456")}) {
        log.add(one);
        text += log.finished();
    }
    BOOST_TEST(text == "[Attempt 1]\nred\nE\n[Attempt 2]\n");
    for (const LogLine& line : log.lines()) text += text_of(line);
    BOOST_TEST(text == "[Attempt 1]\nred\nE\n[Attempt 2]\n1234 [2 characters more]\n");
}

BOOST_AUTO_TEST_CASE(a_log_that_is_written_while_it_is_read_keeps_few_lines) {
    TaskLog log(100);
    log.add(piece(1, "err", "not ended"));
    std::string text = log.finished();
    BOOST_TEST(text == "[Attempt 1]\n");

    log.add(piece(1, "out", "a\n"));
    BOOST_TEST(log.finished().empty());

    std::string many;
    for (int i = 0; i < 10'001; ++i) many += "b\n";
    log.add(piece(1, "out", many));
    BOOST_TEST(log.finished().starts_with("not ended\na\nb\n"));
    log.add(piece(1, "err", " yet\n"));
    BOOST_TEST(log.finished() == " yet\n");
}

BOOST_AUTO_TEST_CASE(the_last_of_very_many_lines_are_kept_with_their_numbers) {
    TaskLog log(100, 10);
    for (int i = 1; i <= 95; ++i) log.add(piece(1, "out", std::to_string(i) + "\n"));
    const auto lines = log.lines();

    BOOST_TEST(lines.size() >= 10U);
    BOOST_TEST(lines.size() <= 20U);
    for (const LogLine& line : lines) BOOST_TEST(line.text() == std::to_string(line.number));
    BOOST_TEST(lines.back().number == 95);
}

BOOST_AUTO_TEST_CASE(a_line_that_stays_open_while_very_many_are_printed_goes_on_in_another_one) {
    TaskLog log(100, 10);
    log.add(piece(1, "err", "first"));
    for (int i = 0; i < 95; ++i) log.add(piece(1, "out", "x\n"));
    log.add(piece(1, "err", " and last\n"));
    const auto lines = log.lines();

    BOOST_TEST(lines.size() <= 21U);
    BOOST_TEST(lines.back().text() == " and last");
    BOOST_TEST(lines.back().number == 97);
}

BOOST_AUTO_TEST_SUITE_END()
