#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"

namespace provisioner::federation {

/// What a client expects of a server's certificate.
struct CertificateExpectation {
    /// Certificates in PEM that are trusted.
    std::string authorities{};
    /// Name or address of the server.
    std::string host{};
    base::Timestamp now{};
};

/// Why the certificate of a server is not accepted.
struct CertificateProblem {
    /// "The certificate of d.example is self-signed: enter it under Authorities."; empty: unknown.
    std::string words{};
    /// Whether its authority, among the trusted ones, would help.
    bool is_untrusted = false;
};

/// What is wrong with the trusted certificates (PEM) of a setting; empty if all of them can be
/// read. A text without any is wrong. Pure.
std::string problem_with_authorities(const std::string& pem);

/// Why a client does not accept this certificate (DER), all reasons at once; no words if it finds
/// none by this certificate alone: others that a server sends are not looked at. Pure.
CertificateProblem problem_with_certificate(std::string_view der,
                                            const CertificateExpectation& expected);

/// The same by the result of a verification: X509_V_ERR_..., or nothing if the certificate is of
/// another host. Without the certificate (DER) it has neither names nor dates. Pure.
CertificateProblem problem_of_verification(const std::string& host, std::optional<long> result,
                                           std::string_view der = {}, base::Timestamp now = {});

}  // namespace provisioner::federation
