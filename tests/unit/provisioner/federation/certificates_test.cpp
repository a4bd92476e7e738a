#include "provisioner/federation/certificates.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/federation/base64url.hpp"

BOOST_AUTO_TEST_SUITE(certificates)

namespace {

using provisioner::federation::problem_with_certificate;

constexpr auto authority = R"(-----BEGIN CERTIFICATE-----
MIIBfjCCASOgAwIBAgIUdNlFYcV29hvxO6qF5rUsa4Zk0h0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJQXV0aG9yaXR5MB4XDTI2MTEzMDA1NTQ1M1oXDTM2MTEyNzA1
NTQ1M1owFDESMBAGA1UEAwwJQXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEdTtVwUOb1oxqqSAIU9cF0F2cbM887cGT/I5i7FvhizwpjqRdtMLN+NWf
3nEyGJApmGyisALEfLHmuzCXQn78paNTMFEwHQYDVR0OBBYEFOpoVIZxFqwxGUtj
dNqBhoTEjuRiMB8GA1UdIwQYMBaAFOpoVIZxFqwxGUtjdNqBhoTEjuRiMA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhALbXRuKqah+Ag//mdspQAbh5
Ia3SNLufUGBGVU9rXZpVAiEA5kCZjjjEDx7QUOE2DIq7tDJZzzZDeeTLai3cC5M5
Mpw=
-----END CERTIFICATE-----
)";

constexpr auto stranger = R"(-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUOxCtLW2cFDHkjmRqzLkRJTDtgxQwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIU3RyYW5nZXIwHhcNMjYxMTMwMDU1NDUzWhcNMzYxMTI3MDU1
NDUzWjATMREwDwYDVQQDDAhTdHJhbmdlcjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABJwDaPcrDXbcg6LnVxOUEsXfxnlp+3fzAofhNQMmkTP4lVm9EYiEqf1bs6VP
7gs5bqA/4hPqvk28YFR7yksgTdCjUzBRMB0GA1UdDgQWBBQDr3M5SSjmgbocTo3u
ZqJU2d3EYzAfBgNVHSMEGDAWgBQDr3M5SSjmgbocTo3uZqJU2d3EYzAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQD/iRanmqV9gUuyLOS0c4GZUYKD
g0/crufHaAaaRFQhUQIgbfcg8HsJlT0GyJKUH2Y6a0UEMpu7SS84LN+nS6jmYh0=
-----END CERTIFICATE-----
)";

/// For ldap.example and 192.0.2.7, from the authority, valid for a year from November 2026 on.
constexpr auto certificate =
    "3082018c30820131a003020102021408228c8d1475d3879c22af1be7f00860d260c220300a06082a8648ce3d"
    "04030230143112301006035504030c09417574686f72697479301e170d3236313133303035353435345a170d"
    "3237313133303035353435345a30143112301006035504030c096469726563746f72793059301306072a8648"
    "ce3d020106082a8648ce3d03010703420004f5d5f94172457f4b15588b0fef3643cd02dd89d48175e111e155"
    "77848e4c9e08a2c33b23f34a95a2d15c61f424d204daf3ce067b96c179765983ab9c9835eb0ca361305f301d"
    "0603551d1104163014820c6c6461702e6578616d706c658704c0000207301d0603551d0e0416041421bc75b0"
    "947678ac294919a4dd65fa86fcc6053c301f0603551d23041830168014ea6854867116ac31194b6374da8186"
    "84c48ee462300a06082a8648ce3d0403020349003046022100d2b88cd411069dcfde49345e426f34bf44945e"
    "dfa100497f52e9791fb2a0a0c4022100865ef30d2f3fc5dd7c54a3aa2a4d54e7677a6d7fa6a838b8c883787b"
    "753c0a19";

std::string problem(const std::string& host, const std::string& authorities,
                    const char* now = "2027-05-01 00:00:00") {
    return problem_with_certificate(
               provisioner::federation::bytes_of_hex(certificate),
               {.authorities = authorities, .host = host, .now = provisioner::base::from_sql(now)})
        .words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_authorities_each_certificate_has_to_be_readable) {
    using provisioner::federation::problem_with_authorities;
    const std::string broken = "-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n";
    BOOST_TEST(problem_with_authorities(authority) == "");
    BOOST_TEST(problem_with_authorities(std::string("Of the office:\n") + authority + stranger) ==
               "");
    BOOST_TEST(problem_with_authorities(authority + broken) ==
               "Certificate 2 of 2 cannot be read.");
    BOOST_TEST(problem_with_authorities(std::string(authority) + broken + stranger) ==
               "Certificate 2 of 3 cannot be read.");
    for (const std::string& none : {std::string("hello"), broken}) {
        BOOST_TEST(problem_with_authorities(none) == "This is no certificate in PEM.", none);
    }
}

BOOST_AUTO_TEST_CASE(a_certificate_of_an_authority_has_no_problem) {
    BOOST_TEST(problem("ldap.example", authority) == "");
    BOOST_TEST(problem("192.0.2.7", std::string(stranger) + authority) == "");
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_not_accepted_says_why_and_where_to_mend_it) {
    const std::string untrusted =
        "is signed by CN=Authority, which is not trusted: enter this authority under Authorities.";
    BOOST_TEST(problem("ldap.example", stranger) == "The certificate of ldap.example " + untrusted);
    BOOST_TEST(problem("other.example", authority) ==
               "The certificate of other.example is for ldap.example, not for other.example.");
    BOOST_TEST(problem("192.0.2.8", stranger, "2030-01-01 00:00:00") ==
               "The certificate of 192.0.2.8 expired on 2027-11-30; it is for ldap.example, not "
               "for 192.0.2.8; it " +
                   untrusted);
    BOOST_TEST(problem("ldap.example", authority, "2026-01-01 00:00:00") ==
               "The certificate of ldap.example is valid from 2026-11-30.");
}

BOOST_AUTO_TEST_CASE(what_is_no_certificate_has_no_reason) {
    BOOST_TEST(problem_with_certificate("", {}).words == "");
    BOOST_TEST(problem_with_certificate("hello", {}).words == "");
}

BOOST_AUTO_TEST_CASE(a_result_of_verification_has_the_same_words) {
    using provisioner::federation::problem_of_verification;
    const auto self_signed = problem_of_verification("id.example", 18);
    BOOST_TEST(self_signed.words ==
               "The certificate of id.example is self-signed: enter it under Authorities.");
    BOOST_TEST(self_signed.is_untrusted);
    for (const long result : {2L, 19L, 20L, 21L}) {
        BOOST_TEST(problem_of_verification("id.example", result).words ==
                       "The certificate of id.example is signed by an authority, which is not "
                       "trusted: enter this authority under Authorities.",
                   result);
    }
    BOOST_TEST(problem_of_verification("id.example", 10).words ==
               "The certificate of id.example has expired.");
    BOOST_TEST(!problem_of_verification("id.example", 10).is_untrusted);
    BOOST_TEST(problem_of_verification("id.example", 9).words ==
               "The certificate of id.example is not valid yet.");
    BOOST_TEST(problem_of_verification("id.example", std::nullopt).words ==
               "The certificate of id.example is for another host.");
    BOOST_TEST(problem_of_verification("id.example", 23).words.ends_with("certificate revoked."));
}

BOOST_AUTO_TEST_CASE(with_the_certificate_a_result_of_verification_has_names_and_dates) {
    const auto words = [](std::optional<long> result, const std::string& host, const char* now) {
        return provisioner::federation::problem_of_verification(
                   host, result, provisioner::federation::bytes_of_hex(certificate),
                   provisioner::base::from_sql(now))
            .words;
    };
    const char* const valid = "2027-05-01 00:00:00";
    const char* const late = "2030-01-01 00:00:00";
    const std::string untrusted =
        "is signed by CN=Authority, which is not trusted: enter this authority under Authorities.";
    BOOST_TEST(words(20, "ldap.example", valid) == "The certificate of ldap.example " + untrusted);
    BOOST_TEST(words(std::nullopt, "other.example", valid) ==
               "The certificate of other.example is for ldap.example, not for other.example.");
    BOOST_TEST(words(10, "ldap.example", late) ==
               "The certificate of ldap.example expired on 2027-11-30.");
    BOOST_TEST(words(20, "ldap.example", late) ==
               "The certificate of ldap.example expired on 2027-11-30; it " + untrusted);
    BOOST_TEST(words(10, "ldap.example", valid) == "The certificate of ldap.example has expired.",
               "another one of its chain");
}

BOOST_AUTO_TEST_SUITE_END()
