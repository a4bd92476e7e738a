#include "provisioner/daemon/redaction/secret_automaton.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

using provisioner::daemon::SecretAutomaton;

BOOST_AUTO_TEST_SUITE(secret_automaton)

namespace {

std::size_t longest_end(const std::string& seen, const std::vector<std::string>& texts) {
    std::size_t longest = 0;
    for (const std::string& text : texts) {
        if (seen.ends_with(text)) longest = std::max(longest, text.size());
    }
    return longest;
}

/// The longest end of what was seen that begins a longer text.
std::size_t begun(const std::string& seen, const std::vector<std::string>& texts) {
    std::size_t longest = 0;
    for (const std::string& text : texts) {
        for (std::size_t size = 1; size < text.size(); ++size) {
            if (seen.ends_with(text.substr(0, size))) longest = std::max(longest, size);
        }
    }
    return longest;
}

std::string random_text(std::mt19937& random, std::size_t longest) {
    std::string text(random() % (longest + 1), 'a');
    for (char& byte : text) byte = static_cast<char>('a' + random() % 2);
    return text;
}

void check(const std::vector<std::string>& texts, const std::string& read) {
    const SecretAutomaton automaton(texts);
    SecretAutomaton::State state = 0;
    std::string seen;
    for (const char next : read) {
        seen += next;
        state = automaton.after(state, next);
        BOOST_TEST(automaton.longest_end(state) == longest_end(seen, texts), seen);
        BOOST_TEST(automaton.begun(state) == begun(seen, texts), seen);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_text_ends_with_is_what_a_look_at_every_ending_finds) {
    check({"abaab", "aab", "b"}, "xababaabaabaxabaabb");
    check({"he", "she", "his", "hers", "he"}, "ushershishe");
    check({"", "aaaa"}, "aaaaaabaaa");
    check({}, "abc");
    check({std::string("\xff\x00\x80", 3)}, std::string("\xff\xff\x00\x80\x00", 5));
}

BOOST_AUTO_TEST_CASE(so_it_is_for_any_texts) {
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        std::vector<std::string> texts(random() % 5);
        for (std::string& text : texts) text = random_text(random, 6);
        check(texts, random_text(random, 40));
    }
}

BOOST_AUTO_TEST_SUITE_END()
