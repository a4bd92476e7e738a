#include "provisioner/remote/methods.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(methods)

BOOST_AUTO_TEST_CASE(what_the_library_has_is_offered_the_strongest_first) {
    // libssh2 1.10.
    BOOST_TEST(strong_methods(MethodKind::cipher,
                              {"aes256-ctr", "aes192-ctr", "aes128-ctr", "aes256-cbc",
                               "rijndael-cbc@lysator.liu.se", "arcfour", "3des-cbc"}) ==
               "aes256-ctr,aes192-ctr,aes128-ctr");
    BOOST_TEST(strong_methods(MethodKind::hash, {"hmac-sha2-256", "hmac-sha2-512", "hmac-sha1",
                                                 "hmac-md5"}) == "hmac-sha2-256,hmac-sha2-512");
    // Later ones.
    BOOST_TEST(
        strong_methods(MethodKind::cipher, {"chacha20-poly1305@openssh.com", "aes128-ctr",
                                            "aes256-gcm@openssh.com", "aes128-gcm@openssh.com"}) ==
        "aes256-gcm@openssh.com,aes128-gcm@openssh.com,aes128-ctr,"
        "chacha20-poly1305@openssh.com");
    BOOST_TEST(strong_methods(MethodKind::hash, {"hmac-sha2-256", "hmac-sha1-etm@openssh.com",
                                                 "hmac-sha2-256-etm@openssh.com"}) ==
               "hmac-sha2-256-etm@openssh.com,hmac-sha2-256");
}

BOOST_AUTO_TEST_CASE(nothing_weak_or_unknown_is_offered) {
    BOOST_TEST(strong_methods(MethodKind::exchange,
                              {"diffie-hellman-group1-sha1", "diffie-hellman-group14-sha1",
                               "diffie-hellman-group-exchange-sha1", "new-exchange"}) == "");
    BOOST_TEST(strong_methods(MethodKind::cipher, {"none", "aes256-cbc", "blowfish-cbc"}) == "");
    BOOST_TEST(strong_methods(MethodKind::hash, {"none", "hmac-md5-96", "hmac-ripemd160"}) == "");
    BOOST_TEST(strong_methods(MethodKind::exchange, {"diffie-hellman-group14-sha256", "none",
                                                     "curve25519-sha256"}) == "curve25519-sha256");
    // What nodes of old systems have: OpenSSH since 6.5, 5.7 and 7.3, and 5.3 of CentOS 6.
    BOOST_TEST(strong_methods(MethodKind::exchange,
                              {"ecdh-sha2-nistp256", "diffie-hellman-group14-sha256",
                               "diffie-hellman-group16-sha512", "curve25519-sha256"}) ==
               "curve25519-sha256,ecdh-sha2-nistp256,diffie-hellman-group16-sha512");
    BOOST_TEST(strong_methods(MethodKind::exchange, {"diffie-hellman-group-exchange-sha256",
                                                     "diffie-hellman-group14-sha1"}) ==
               "diffie-hellman-group-exchange-sha256");
}

BOOST_AUTO_TEST_SUITE_END()
