#include "provisioner/identity/sealing.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Secret;
using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(sealing)

namespace {

const std::string first_line = "1 " + std::string(64, 'a') + "\n";
const std::string second_line = "2 " + std::string(64, 'b') + "\n";

MasterKeys first_key() {
    return master_keys_in(first_line);
}

MasterKeys both_keys() {
    return master_keys_in(first_line + second_line);
}

std::string complaint_about(const std::string& key_text) {
    try {
        master_keys_in(key_text);
    } catch (const VaultError& error) {
        return error.what();
    }
    return "";
}

std::string refusal_to_open(const MasterKeys& keys, const std::string& sealed,
                            const std::string& place) {
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

    const std::string sealed = seal(first_key(), Secret(text), "acme/provider/cloud/key");

    BOOST_TEST(open(first_key(), sealed, "acme/provider/cloud/key").reveal() == text);
    BOOST_TEST(sealed.find("longer than chance") == std::string::npos);
    BOOST_TEST(sealed.starts_with("1."));
}

BOOST_AUTO_TEST_CASE(an_empty_secret_is_a_secret_too) {
    BOOST_TEST(open(first_key(), seal(first_key(), Secret(""), "here"), "here").empty());
}

BOOST_AUTO_TEST_CASE(the_same_secret_never_looks_the_same) {
    BOOST_TEST(seal(first_key(), Secret("one"), "here") !=
               seal(first_key(), Secret("one"), "here"));
}

BOOST_AUTO_TEST_CASE(in_another_place_it_does_not_open) {
    const std::string sealed = seal(first_key(), Secret("one"), "acme/provider/cloud/key");

    BOOST_TEST(refusal_to_open(first_key(), sealed, "evil/provider/cloud/key") ==
               "a sealed secret was changed, or belongs somewhere else");
}

BOOST_AUTO_TEST_CASE(any_changed_byte_is_noticed) {
    const std::string sealed = seal(first_key(), Secret("one"), "here");

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
    const std::string old = seal(first_key(), Secret("one"), "here");

    BOOST_TEST(open(both_keys(), old, "here").reveal() == "one");
    BOOST_TEST(seal(both_keys(), Secret("two"), "here").starts_with("2."));
}

BOOST_AUTO_TEST_CASE(rewrapped_it_opens_without_the_old_key) {
    const std::string old = seal(first_key(), Secret("one"), "here");

    const auto fresh = rewrapped(both_keys(), old);

    BOOST_REQUIRE(fresh.has_value());
    const MasterKeys only_second = master_keys_in(second_line);
    BOOST_TEST(open(only_second, *fresh, "here").reveal() == "one");
    BOOST_TEST(refusal_to_open(only_second, *fresh, "there") != "");
    BOOST_TEST(!rewrapped(both_keys(), *fresh).has_value());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_missing_or_another_one_is_named) {
    const std::string sealed = seal(both_keys(), Secret("one"), "here");

    BOOST_TEST(refusal_to_open(first_key(), sealed, "here") ==
               "master key 2, under which a secret was sealed, is not there");
    BOOST_TEST(refusal_to_open(master_keys_in("2 " + std::string(64, 'c')), sealed, "here") ==
               "master key 2 is not the one a secret was sealed under");
    BOOST_CHECK_EXCEPTION(seal({}, Secret("one"), "here"), VaultError, [](const auto& error) {
        return std::string(error.what()) == "there is no master key";
    });
}

BOOST_AUTO_TEST_CASE(a_new_key_has_the_next_number_and_never_the_same_digits) {
    const std::string third = new_master_key(both_keys());

    BOOST_TEST(new_master_key({}).starts_with("1 "));
    BOOST_TEST(third.starts_with("3 "));
    BOOST_TEST(third != new_master_key(both_keys()));
    BOOST_TEST(master_keys_in(first_line + second_line + third).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_key_file_that_is_wrong_is_told_without_its_keys) {
    BOOST_TEST(complaint_about("1 abc") == "master key 1 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about("1 " + std::string(64, 'g')) ==
               "master key 1 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about("0 " + std::string(64, 'a')) ==
               "master key 0 is not 64 hexadecimal digits");
    BOOST_TEST(complaint_about(first_line + first_line) == "master key 1 is there twice");
    BOOST_TEST(complaint_about("key " + std::string(64, 'a')) == "a master key has no number");
    BOOST_TEST(complaint_about("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
