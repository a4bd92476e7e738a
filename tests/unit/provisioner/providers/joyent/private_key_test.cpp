#include "provisioner/providers/joyent/private_key.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/joyent/keys.hpp"

using provisioner::base::Secret;
using provisioner::providers::joyent::PrivateKey;

BOOST_AUTO_TEST_SUITE(joyent_private_key)

BOOST_AUTO_TEST_CASE(an_rsa_key_signs_alike_in_both_forms) {
    const auto pem = PrivateKey::read(Secret(joyent_keys::rsa_pem));
    const auto openssh = PrivateKey::read(Secret(joyent_keys::rsa_openssh));

    BOOST_REQUIRE(pem);
    BOOST_REQUIRE(openssh);
    BOOST_TEST(pem->algorithm() == "rsa-sha256");
    BOOST_TEST(pem->sign(joyent_keys::text) == joyent_keys::rsa_signature);
    BOOST_TEST(openssh->sign(joyent_keys::text) == joyent_keys::rsa_signature);
}

BOOST_AUTO_TEST_CASE(an_ed25519_key_signs) {
    const auto key = PrivateKey::read(Secret(joyent_keys::ed25519));

    BOOST_REQUIRE(key);
    BOOST_TEST(key->algorithm() == "ed25519-sha512");
    BOOST_TEST(key->sign(joyent_keys::text) == joyent_keys::ed25519_signature);
}

BOOST_AUTO_TEST_CASE(an_ecdsa_key_is_read_from_pem) {
    const auto key = PrivateKey::read(Secret(joyent_keys::ecdsa_pem));

    BOOST_REQUIRE(key);
    BOOST_TEST(key->algorithm() == "ecdsa-sha256");
    BOOST_TEST(!key->sign("text").empty());
}

BOOST_AUTO_TEST_CASE(a_passphrase_is_told_and_not_asked_for) {
    const auto openssh = PrivateKey::read(Secret(joyent_keys::ed25519_with_passphrase));
    const auto pem = PrivateKey::read(
        Secret("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n"));

    BOOST_TEST(openssh.error() == "the key has a passphrase: upload one without");
    BOOST_TEST(pem.error() == "the key has a passphrase: upload one without");
}

BOOST_AUTO_TEST_CASE(other_texts_are_no_keys_and_every_cut_of_a_key_is_one) {
    BOOST_TEST(PrivateKey::read(Secret("")).error() ==
               "the file is no private key in PEM or OpenSSH's form");
    const std::string whole = joyent_keys::rsa_openssh;
    const std::string end = "\n-----END OPENSSH PRIVATE KEY-----\n";
    const std::size_t body = whole.find("\n-----END");
    for (std::size_t size = 40; size + 8 < body; size += 7) {
        BOOST_TEST(!PrivateKey::read(Secret(whole.substr(0, size) + end)), size);
    }
}

BOOST_AUTO_TEST_SUITE_END()
