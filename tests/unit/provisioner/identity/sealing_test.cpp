#include "provisioner/identity/sealing.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Secret;
using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(sealing)

namespace {

const std::string first_line = "1 " + std::string(64, 'a') + "\n";
const std::string second_line = "2 " + std::string(64, 'b') + "\n";

Keys first_key() {
    return keys_in(first_line);
}

Keys both_keys() {
    return keys_in(first_line + second_line);
}

std::string complaint_about(const std::string& key_text) {
    try {
        keys_in(key_text);
    } catch (const VaultError& error) {
        return error.what();
    }
    return "";
}

std::string refusal_to_open(const Keys& keys, const std::string& sealed, const std::string& place) {
    try {
        open(keys, sealed, place);
    } catch (const VaultError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_sealed_opens_in_its_place) {
    const std::string text("p\0ss \xff word, longer than chance could spell", 43);

    const std::string sealed =
        seal(newest_of(first_key()), Secret(text), "acme/provider/cloud/key");

    BOOST_TEST(open(first_key(), sealed, "acme/provider/cloud/key").reveal() == text);
    BOOST_TEST(sealed.find("longer than chance") == std::string::npos);
    BOOST_TEST(sealed.starts_with("1."));
}

BOOST_AUTO_TEST_CASE(an_empty_secret_is_a_secret_too) {
    BOOST_TEST(open(first_key(), seal(newest_of(first_key()), Secret(""), "here"), "here").empty());
}

BOOST_AUTO_TEST_CASE(the_same_secret_never_looks_the_same) {
    BOOST_TEST(seal(newest_of(first_key()), Secret("one"), "here") !=
               seal(newest_of(first_key()), Secret("one"), "here"));
}

BOOST_AUTO_TEST_CASE(in_another_place_it_does_not_open) {
    const std::string sealed =
        seal(newest_of(first_key()), Secret("one"), "acme/provider/cloud/key");

    BOOST_TEST(refusal_to_open(first_key(), sealed, "evil/provider/cloud/key") ==
               "a sealed secret was changed, or belongs somewhere else");
}

BOOST_AUTO_TEST_CASE(any_changed_byte_is_noticed) {
    const std::string sealed = seal(newest_of(first_key()), Secret("one"), "here");

    for (std::size_t i = 0; i < sealed.size(); ++i) {
        std::string changed = sealed;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        BOOST_TEST(refusal_to_open(first_key(), changed, "here") != "", "byte " << i);
    }
    for (const char* nonsense : {"", "1", "1.", "x", "1.AAAA", "99999999999.AAAA", ".AAAA"}) {
        BOOST_TEST(refusal_to_open(first_key(), nonsense, "here") == "this is no sealed secret");
    }
}

BOOST_AUTO_TEST_CASE(the_newest_key_seals_and_the_old_one_still_opens) {
    const std::string old = seal(newest_of(first_key()), Secret("one"), "here");

    BOOST_TEST(open(both_keys(), old, "here").reveal() == "one");
    BOOST_TEST(seal(newest_of(both_keys()), Secret("two"), "here").starts_with("2."));
}

BOOST_AUTO_TEST_CASE(rewrapped_it_opens_without_the_old_key) {
    const std::string old = seal(newest_of(first_key()), Secret("one"), "here");

    const auto fresh = rewrapped(both_keys(), old, newest_of(both_keys()));

    BOOST_REQUIRE(fresh.has_value());
    const Keys only_second = keys_in(second_line);
    BOOST_TEST(open(only_second, *fresh, "here").reveal() == "one");
    BOOST_TEST(refusal_to_open(only_second, *fresh, "there") != "");
    BOOST_TEST(!rewrapped(both_keys(), *fresh, newest_of(both_keys())).has_value());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_missing_or_another_one_is_named) {
    const std::string sealed = seal(newest_of(both_keys()), Secret("one"), "here");

    BOOST_TEST(refusal_to_open(first_key(), sealed, "here") ==
               "master key 2, under which a secret was sealed, is not there");
    BOOST_TEST(refusal_to_open(keys_in("2 " + std::string(64, 'c')), sealed, "here") ==
               "master key 2 is not the one a secret was sealed under");
    BOOST_CHECK_EXCEPTION(newest_of({}), VaultError, [](const auto& error) {
        return std::string(error.what()) == "there is no master key";
    });
}

BOOST_AUTO_TEST_CASE(a_new_key_has_the_next_number_and_never_the_same_digits) {
    const std::string third = new_key(both_keys());

    BOOST_TEST(new_key({}).starts_with("1 "));
    BOOST_TEST(third.starts_with("3 "));
    BOOST_TEST(third != new_key(both_keys()));
    BOOST_TEST(keys_in(first_line + second_line + third).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_key_file_that_is_wrong_is_told_without_its_keys) {
    BOOST_TEST(complaint_about("1 abc") == "key 1 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about("1 " + std::string(64, 'g')) ==
               "key 1 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about("0 " + std::string(64, 'a')) ==
               "key 0 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about(first_line + first_line) == "key 1 is there twice");
    BOOST_TEST(complaint_about("key " + std::string(64, 'a')) == "a key has no number");
    BOOST_TEST(complaint_about("") == "");
}

BOOST_AUTO_TEST_CASE(what_is_sealed_under_a_public_half_opens_with_the_private_one_alone) {
    const SealingKey half = public_half_of(first_key());
    const std::string sealed = seal(half, Secret("one"), "here");

    BOOST_TEST(sealed.starts_with("d1-" + half.name.fingerprint + "."));
    BOOST_TEST((key_name_of(sealed) == half.name));
    BOOST_TEST(to_words(half.name) == "daemon key 1 (" + half.name.fingerprint + ")");
    BOOST_TEST(open(first_key(), sealed, "here").reveal() == "one");
    BOOST_TEST(refusal_to_open(first_key(), sealed, "there") ==
               "a sealed secret was changed, or belongs somewhere else");
    // The public half is no key of the other kind.
    BOOST_TEST(refusal_to_open({{1, half.bytes}}, sealed, "here") ==
               to_words(half.name) + ", under which a secret was sealed, is not there");
    BOOST_TEST(refusal_to_open({}, sealed, "here") ==
               to_words(half.name) + ", under which a secret was sealed, is not there");
    BOOST_TEST(has_key(first_key(), half.name));
    BOOST_TEST(!has_key(keys_in("1 " + std::string(64, 'c')), half.name));
    BOOST_TEST(seal(half, Secret("one"), "here") != sealed);
    BOOST_CHECK_THROW(public_half_of({}), VaultError);
}

BOOST_AUTO_TEST_CASE(any_changed_byte_of_what_daemons_open_is_noticed) {
    const std::string sealed = seal(public_half_of(first_key()), Secret("one"), "here");

    for (std::size_t i = 0; i < sealed.size(); ++i) {
        std::string changed = sealed;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        BOOST_TEST(refusal_to_open(first_key(), changed, "here") != "", "byte " << i);
    }
    for (const char* nonsense :
         {"d", "d1", "d1.", "d1.AAAA", "dd1.AAAA", "d1-", "d1-0123456789abcdef",
          "d1-0123456789abcdef.", "d1-0123456789abcdef.AAAA", "1-0123456789abcdef.AAAA"}) {
        BOOST_TEST(refusal_to_open(first_key(), nonsense, "here") == "this is no sealed secret");
    }
    // The kind of key is a part of the form.
    BOOST_TEST(refusal_to_open(first_key(), sealed.substr(1), "here") != "");
    const std::string other = seal(newest_of(first_key()), Secret("one"), "here");
    BOOST_TEST(refusal_to_open(first_key(), "d" + other, "here") != "");
}

BOOST_AUTO_TEST_CASE(a_secret_of_every_program_becomes_one_of_daemons_alone) {
    const std::string old = seal(newest_of(first_key()), Secret("one"), "here");
    const Keys daemon_keys = keys_in("1 " + std::string(64, 'd'));

    const auto fresh = rewrapped(first_key(), old, public_half_of(daemon_keys));

    BOOST_REQUIRE(fresh.has_value());
    BOOST_TEST(open(daemon_keys, *fresh, "here").reveal() == "one");
    BOOST_TEST(refusal_to_open(first_key(), *fresh, "here") != "");
    BOOST_TEST(!rewrapped(daemon_keys, *fresh, public_half_of(daemon_keys)).has_value());
    const Keys both = keys_in("1 " + std::string(64, 'd') + "\n" + second_line);
    const auto newer = rewrapped(both, *fresh, public_half_of(both));
    BOOST_REQUIRE(newer.has_value());
    BOOST_TEST(newer->starts_with("d2-"));
    BOOST_TEST(open(both, *newer, "here").reveal() == "one");
}

BOOST_AUTO_TEST_CASE(the_line_of_a_public_half_is_read_as_it_was_written) {
    const SealingKey half = public_half_of(both_keys());

    const SealingKey read = public_half_in(line_of_public_half(half));

    BOOST_TEST((read.name == half.name));
    BOOST_TEST(read.name.number == 2);
    BOOST_TEST(read.name.fingerprint.size() == 16U);
    BOOST_TEST((read.bytes == half.bytes));
    BOOST_TEST(line_of_public_half(half).find(std::string(64, 'b')) == std::string::npos);
    for (const std::string& wrong :
         {std::string(), first_line + second_line, std::string("1 abc\n")}) {
        BOOST_CHECK_THROW(public_half_in(wrong), VaultError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
