#include "provisioner/identity/ssh_keys.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using identity::derived_secret;
using identity::public_key_in;
using identity::ssh_key_pair;

namespace {

/// Made by ssh-keygen of OpenSSH 9.2.
constexpr const char* made_by_openssh = R"(-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACAzSHifyXofUnhekGEkjGSHSIZalHJI8VwcF1OoxdGWTAAAAIhvMXfMbzF3
zAAAAAtzc2gtZWQyNTUxOQAAACAzSHifyXofUnhekGEkjGSHSIZalHJI8VwcF1OoxdGWTA
AAAEA8bl4i5DLlCHYFo0J1zwla3ljgvvLPa5TWEfUFlmjcWDNIeJ/Jeh9SeF6QYSSMZIdI
hlqUckjxXBwXU6jF0ZZMAAAAAAECAwQF
-----END OPENSSH PRIVATE KEY-----
)";
constexpr const char* with_a_passphrase = R"(-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDjUa/t2o
SjQlVDuOF0xcEcAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIGpNarDGJdEe7TbY
XzKiQ1bnbF5uTsmKdA4tapY3sFUGAAAAkN6qetaNZlwblpEkfKBY7ZWMGr2qFQdxHd5OfD
ugT127jbsq9yhupvGuY45mRY+pzR4XpxtWtyzmFawCoS1cXv1rZcpny2p9Rc00+jv+w7Fr
CsNDJw5vF6OGQUpSYhTWkjgZhsz/aqZtPsLhqfBWsR0ao3CwGezakonj/dx7bD4HIp+nmy
1mPz9Gp+eizaZpQQ==
-----END OPENSSH PRIVATE KEY-----
)";
constexpr const char* public_key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDNIeJ/Jeh9SeF6QYSSMZIdIhlqUckjxXBwXU6jF0ZZM";
/// The private half of that key: the first 32 bytes of what the file has.
constexpr std::array<unsigned char, 32> seed_of_it{
    0x3c, 0x6e, 0x5e, 0x22, 0xe4, 0x32, 0xe5, 0x08, 0x76, 0x05, 0xa3, 0x42, 0x75, 0xcf, 0x09, 0x5a,
    0xde, 0x58, 0xe0, 0xbe, 0xf2, 0xcf, 0x6b, 0x94, 0xd6, 0x11, 0xf5, 0x05, 0x96, 0x68, 0xdc, 0x58};

base::Secret secret(std::string text) {
    return base::Secret(std::move(text));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_pair_of_a_seed_is_the_one_that_openssh_has) {
    const auto pair = ssh_key_pair(secret(std::string(seed_of_it.begin(), seed_of_it.end())));
    BOOST_TEST(pair.public_key == public_key);
    // Two numbers that OpenSSH draws differ; all else is the same, line by line.
    const std::string text = pair.private_key.reveal();
    BOOST_TEST(text.size() == std::string_view(made_by_openssh).size());
    BOOST_TEST(text.substr(0, 164) == std::string_view(made_by_openssh).substr(0, 164));
    BOOST_TEST(text.substr(192) == std::string_view(made_by_openssh).substr(192));
    BOOST_TEST(public_key_in(text).value() == public_key);
}

BOOST_AUTO_TEST_CASE(a_seed_of_another_length_is_refused) {
    BOOST_CHECK_THROW(ssh_key_pair(secret("short")), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_public_key_is_read_from_a_private_key_file) {
    BOOST_TEST(public_key_in(made_by_openssh).value() == public_key);
}

BOOST_AUTO_TEST_CASE(files_that_are_no_open_keys_of_openssh_give_none) {
    BOOST_TEST(!public_key_in("").has_value());
    BOOST_TEST(!public_key_in(with_a_passphrase).has_value());
    BOOST_TEST(!public_key_in("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n").has_value());
    const std::string whole = made_by_openssh;
    const std::string end = "-----END OPENSSH PRIVATE KEY-----\n";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto key = public_key_in(whole.substr(0, size) + end);
        if (key) BOOST_TEST(*key == public_key);
    }
}

BOOST_AUTO_TEST_CASE(secrets_of_two_purposes_and_of_two_secrets_differ) {
    const auto one = derived_secret(secret("a"), "x");
    BOOST_TEST(one.reveal().size() == 32U);
    BOOST_TEST((derived_secret(secret("a"), "x") == one));
    BOOST_TEST((derived_secret(secret("a"), "y") != one));
    BOOST_TEST((derived_secret(secret("b"), "x") != one));
}
