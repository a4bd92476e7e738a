#include "provisioner/transcript/bounds.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::transcript;

namespace {

/// Lines of ten bytes that say where they begin.
std::string lines(std::int64_t from, std::int64_t to) {
    std::string text;
    for (; from < to; from += 10) {
        std::string number = std::to_string(from);
        number.insert(0, 9 - number.size(), '0');
        text += number + "\n";
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_little_waits_as_it_came) {
    UnsentOutput waiting;
    waiting.add("out", "one ");
    waiting.add("out", "two ");
    waiting.add("err", "three");
    waiting.add("note", "our words");
    waiting.add("out", "four");

    BOOST_TEST(waiting.size() == 26);
    BOOST_TEST((waiting.take() == std::vector<Piece>{{"out", "one two ", 0},
                                                     {"err", "three", 8},
                                                     {"note", "our words", 13},
                                                     {"out", "four", 13}}));
    BOOST_TEST(waiting.size() == 0);
    BOOST_TEST(waiting.take().empty());
}

BOOST_AUTO_TEST_CASE(positions_go_on_after_a_part_was_taken) {
    UnsentOutput waiting;
    waiting.add("out", "12345");
    waiting.take();
    waiting.add("out", "678");

    BOOST_TEST((waiting.take() == std::vector<Piece>{{"out", "678", 5}}));
}

BOOST_AUTO_TEST_CASE(of_much_output_the_beginning_and_the_end_wait_and_never_more) {
    UnsentOutput waiting;
    constexpr std::int64_t total = 50'000'000;
    for (std::int64_t at = 0; at < total; at += 10'000) {
        waiting.add(at % 20'000 == 0 ? "out" : "err", lines(at, at + 10'000));
        BOOST_REQUIRE(waiting.size() <= kept_first + kept_last + 2 * piece_limit);
    }

    const auto pieces = waiting.take();

    std::string first;
    std::string last;
    for (const Piece& piece : pieces) {
        BOOST_TEST(std::ssize(piece.body) <= piece_limit);
        (piece.from_byte < kept_first ? first : last) += piece.body;
    }
    const std::string all = lines(0, total);
    BOOST_TEST((first == all.substr(0, kept_first)));
    BOOST_TEST(std::ssize(last) >= kept_last);
    BOOST_TEST((last == all.substr(all.size() - last.size())));
}

BOOST_AUTO_TEST_CASE(one_enormous_piece_is_kept_within_the_bounds) {
    UnsentOutput waiting;
    const std::string all = lines(0, 5'000'000);
    waiting.add("out", all);

    BOOST_TEST(waiting.size() <= kept_first + kept_last + 2 * piece_limit);
    const auto last = waiting.take().back();
    BOOST_TEST((last.body == all.substr(static_cast<std::size_t>(last.from_byte))));
}

BOOST_AUTO_TEST_CASE(what_is_skipped_counts_and_does_not_wait) {
    UnsentOutput waiting;
    waiting.add("out", "12345");
    waiting.skip("out", std::string(1000, 'x'));
    waiting.add("out", "678");

    BOOST_TEST((waiting.take() == std::vector<Piece>{{"out", "12345", 0}, {"out", "678", 1005}}));
}

BOOST_AUTO_TEST_CASE(the_end_can_be_kept_shorter_but_not_our_own_words) {
    UnsentOutput waiting;
    waiting.add("out", std::string(kept_first, 'a'));
    waiting.add("out", std::string(piece_limit, 'b'));
    waiting.add("note", "our words");
    waiting.add("out", std::string(piece_limit, 'c'), 1000);
    waiting.add("out", std::string(piece_limit, 'd'), 1000);

    const auto pieces = waiting.take();

    BOOST_TEST(pieces.back().body.front() == 'd');
    BOOST_TEST(pieces.back().from_byte == kept_first + 2 * piece_limit);
    BOOST_TEST(pieces[pieces.size() - 2].body == "our words");
    BOOST_TEST(pieces[pieces.size() - 3].body.front() == 'a');
}

BOOST_AUTO_TEST_CASE(our_own_words_are_not_skipped_and_do_not_count) {
    UnsentOutput waiting;
    waiting.skip("err", "12345");
    waiting.skip("note", "our words");
    waiting.add("out", "678");

    BOOST_TEST((waiting.take() == std::vector<Piece>{{"note", "our words", 5}, {"out", "678", 5}}));
}

BOOST_AUTO_TEST_CASE(our_own_words_wait_within_bounds_of_their_own) {
    UnsentOutput waiting;
    waiting.add("out", "12345");
    for (int i = 0; i < 100; ++i) waiting.add("note", std::string(1000, 'n'));
    BOOST_TEST(waiting.size() == kept_notes + 5);

    waiting.take();
    waiting.add("note", "more");

    BOOST_TEST((waiting.take() == std::vector<Piece>{{"note", "more", 5}}));
}

BOOST_AUTO_TEST_CASE(output_that_changes_its_stream_with_each_byte_makes_few_pieces) {
    UnsentOutput output;
    std::size_t pieces = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        output.add(i % 2 == 0 ? "out" : "err", "x");
        if (i % 50'000 == 0) pieces += output.take().size();
    }
    const auto rest = output.take();

    BOOST_TEST(pieces + rest.size() <= most_changes + 100U);
    BOOST_TEST(rest.back().from_byte + std::ssize(rest.back().body) == 1'000'000);
}
