#include "provisioner/daemon/redaction/redact.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(redact)

namespace {

/// With a mark on every byte of every place of a secret.
std::string masked_by_looking(const std::string& text, const std::vector<std::string>& secrets) {
    // Whether a byte is part of a secret, and whether it belongs to the mask of the byte before it.
    std::vector<bool> hidden(text.size());
    std::vector<bool> joined(text.size() + 1);
    for (const std::string& secret : secrets) {
        for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 1)) {
            for (std::size_t i = at; i < at + secret.size(); ++i) {
                hidden[i] = true;
                if (i > at) joined[i] = true;
            }
        }
    }
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!hidden[i]) shown += text[i];
        if (hidden[i] && !joined[i]) shown += "********";
    }
    return shown;
}

void check_however_it_is_divided(const std::string& text, const std::vector<std::string>& secrets) {
    for (std::size_t size = 1; size <= text.size(); ++size) {
        daemon::StreamRedactor redactor(secrets);
        std::string shown;
        for (std::size_t at = 0; at < text.size(); at += size) {
            shown += redactor.next("out", text.substr(at, size));
        }
        for (const auto& [stream, rest] : redactor.rest()) shown += rest;
        BOOST_TEST(shown == daemon::redacted(text, secrets), size);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_secret_is_masked_wherever_it_stands) {
    BOOST_TEST(daemon::redacted("key=s3cret&again=s3crets3cret", {"s3cret", "other"}) ==
               "key=********&again=****************");
    BOOST_TEST(daemon::redacted("nothing here", {"s3cret"}) == "nothing here");
    BOOST_TEST(daemon::redacted("****", {"****"}) == "********");
}

BOOST_AUTO_TEST_CASE(of_a_text_with_a_very_short_secret_nothing_is_left) {
    BOOST_TEST(daemon::redacted("the password \"abc\" is wrong", {"abc"}) == "********");
    BOOST_TEST(daemon::redacted("the password is wrong", {"abc", ""}) == "the password is wrong");
}

BOOST_AUTO_TEST_CASE(of_a_secret_that_begins_with_another_nothing_is_left) {
    BOOST_TEST(daemon::redacted("no hunter2-extra here", {"hunter2", "hunter2-extra"}) ==
               "no ******** here");
}

BOOST_AUTO_TEST_CASE(a_secret_of_several_lines_is_masked_whatever_the_line_ends_are) {
    const std::vector<std::string> secrets{"-----BEGIN KEY-----\nAAAABBBBCCCCDDDDEEEE\nshort\n"};

    BOOST_TEST(daemon::redacted(secrets[0], secrets) == "********");
    // Without its last line end, as a terminal prints it, and some lines of it.
    BOOST_TEST(daemon::redacted("-----BEGIN KEY-----\nAAAABBBBCCCCDDDDEEEE\nshort", secrets) ==
               "********");
    BOOST_TEST(daemon::redacted("-----BEGIN KEY-----\r\nAAAABBBBCCCCDDDDEEEE\r\nshort\r\n",
                                secrets) == "********\r\n");
    BOOST_TEST(daemon::redacted("AAAABBBBCCCCDDDDEEEE\r\nanother", secrets) ==
               "********\r\nanother");
    BOOST_TEST(daemon::redacted("it is hunter2.", {"hunter2\n"}) == "it is ********.");
}

BOOST_AUTO_TEST_CASE(who_asks_with_the_same_secrets_shares_what_looks_for_them) {
    const std::vector<std::string> secrets{"swordfish", "hunter2"};
    const auto first = daemon::automaton_of(secrets);

    BOOST_TEST(daemon::automaton_of(secrets) == first);
    BOOST_TEST(daemon::automaton_of({"swordfish"}) != first);
    BOOST_TEST(daemon::automaton_of({"swordfishhunter2"}) !=
               daemon::automaton_of({"sword", "fishhunter2"}));
}

BOOST_AUTO_TEST_CASE(a_secret_is_masked_however_the_pieces_of_output_divide_it) {
    const std::vector<std::string> secrets{"swordfish", "abab", "sword", "swordfish-2"};
    const std::string text = "the swordfish, ababab and swordfish-2 of sword; swo";

    check_however_it_is_divided(text, secrets);
}

BOOST_AUTO_TEST_CASE(secrets_made_of_their_own_beginnings_are_masked_however_they_are_divided) {
    const std::vector<std::string> secrets{std::string(40, 'a') + "b", "aaaaa", "baab"};
    std::string text;
    for (const int run : {3, 4, 5, 39, 40, 41, 80, 1}) text += std::string(run, 'a') + 'b';

    check_however_it_is_divided(text, secrets);
}

BOOST_AUTO_TEST_CASE(secrets_that_overlap_have_one_mask_and_nothing_of_either_is_left) {
    BOOST_TEST(daemon::redacted("xabcabcay", {"abca"}) == "x********y");
    BOOST_TEST(daemon::redacted("the swordfishnet", {"swordfish", "fishnet"}) == "the ********");
    BOOST_TEST(daemon::redacted("aaaaaaaaa", {"aaaa"}) == "********");
}

BOOST_AUTO_TEST_CASE(what_is_shown_is_what_a_mask_over_every_place_of_a_secret_leaves) {
    std::mt19937 random(11);
    const auto text_of = [&](std::size_t least, std::size_t most) {
        std::string text(least + random() % (most - least + 1), 'a');
        for (char& byte : text) byte = static_cast<char>('a' + random() % 2);
        return text;
    };
    for (int i = 0; i < 300; ++i) {
        std::vector<std::string> secrets(1 + random() % 3);
        for (std::string& secret : secrets) secret = text_of(4, 7);
        const std::string text = text_of(0, 40);

        BOOST_TEST(daemon::redacted(text, secrets) == masked_by_looking(text, secrets), text);
        check_however_it_is_divided(text, secrets);
    }
}

BOOST_AUTO_TEST_CASE(output_that_is_nothing_but_overlapping_secrets_is_not_kept) {
    std::vector<std::string> secrets;
    for (int i = 0; i < 199; ++i) secrets.push_back(std::string(4 + i, 'a'));
    daemon::StreamRedactor redactor(secrets);
    const std::string piece(65'536, 'a');
    std::size_t shown = 0;

    for (int i = 0; i < 100; ++i) {
        shown += redactor.next("out", piece).size();
        BOOST_TEST(redactor.kept_back("out") <= secrets.back().size());
    }

    BOOST_TEST(shown == 8U);
    BOOST_TEST(redactor.next("out", "b and more") == "b and more");
}

BOOST_AUTO_TEST_CASE(at_most_the_longest_secret_is_kept_back) {
    daemon::StreamRedactor redactor({"abcabcabd", "cabc"});

    for (int i = 0; i < 200; ++i) {
        redactor.next("out", "abc");
        BOOST_TEST(redactor.kept_back("out") <= 9U);
    }
}

BOOST_AUTO_TEST_CASE(long_secrets_and_endless_output_cost_what_they_are_long) {
    // A search that begins anew at each byte would take hours for this.
    const std::string secret(500'000, 'a');
    daemon::StreamRedactor redactor({secret + "c", secret + "d", "aaaa"});
    std::size_t shown = 0;
    for (int i = 0; i < 20; ++i) {
        shown += redactor.next("out", std::string(100'000, 'a')).size();
        shown += redactor.next("out", "b").size();
    }
    BOOST_TEST(shown > 0U);
}

BOOST_AUTO_TEST_CASE(streams_are_masked_each_for_itself_and_keep_back_no_more_than_needed) {
    daemon::StreamRedactor redactor({"swordfish"});

    BOOST_TEST(redactor.next("out", "a line\nsword") == "a line\n");
    BOOST_TEST(redactor.next("err", "fish") == "fish");
    BOOST_TEST(redactor.next("out", "fight\n") == "swordfight\n");
    BOOST_TEST(redactor.rest().empty());
}

BOOST_AUTO_TEST_CASE(everything_a_failure_tells_is_masked) {
    queue::Failed failure;
    failure.message = "login as s3cret refused";
    failure.stdout_tail = "s3cret";
    failure.stderr_tail = "why s3cret";
    queue::Outcome outcome = failure;

    daemon::redact(outcome, {"s3cret"});

    const auto& told = std::get<queue::Failed>(outcome);
    BOOST_TEST(told.message == "login as ******** refused");
    BOOST_TEST(told.stdout_tail == "********");
    BOOST_TEST(told.stderr_tail == "why ********");
}

BOOST_AUTO_TEST_CASE(so_is_what_a_task_waits_for) {
    queue::Outcome outcome = queue::Waiting{.poll_in = {}, .reason = "s3cret is busy"};

    daemon::redact(outcome, {"s3cret"});

    BOOST_TEST(std::get<queue::Waiting>(outcome).reason == "******** is busy");
}

BOOST_AUTO_TEST_SUITE_END()
