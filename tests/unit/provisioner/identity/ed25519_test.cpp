#include "provisioner/identity/ed25519.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/vault.hpp"

using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(ed25519)

// RFC 8032, section 7.1, test 1.
BOOST_AUTO_TEST_CASE(signs_as_the_standard_says) {
    const auto key =
        SigningKey::from_text("ed25519-seed:nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=");

    BOOST_TEST(key.public_key() == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
    BOOST_TEST(key.sign("") ==
               "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkK"
               "M7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==");
}

BOOST_AUTO_TEST_CASE(a_signature_holds_for_its_bytes_and_key_only) {
    const auto key = SigningKey::from_text(new_signing_key().reveal().substr(0, 57));
    const auto other = SigningKey::from_text(new_signing_key().reveal().substr(0, 57));
    const auto signature = key.sign("text");

    BOOST_TEST(is_signed("text", signature, key.public_key()));
    BOOST_TEST(!is_signed("Text", signature, key.public_key()));
    BOOST_TEST(!is_signed("text", signature, other.public_key()));
    BOOST_TEST(!is_signed("text", other.sign("text"), key.public_key()));
    BOOST_TEST(!is_signed("text", "", key.public_key()));
    BOOST_TEST(!is_signed("text", signature, "no key"));
}

BOOST_AUTO_TEST_CASE(a_text_without_a_key_is_refused) {
    for (const char* text : {"", "ed25519-seed:", "ed25519-seed:AAAA", "nWGxne", "1:abc"}) {
        BOOST_CHECK_THROW(SigningKey::from_text(text), VaultError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
