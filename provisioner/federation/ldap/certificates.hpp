#pragma once

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

/// Whether a text has a certificate in PEM. Pure.
bool has_certificate(const std::string& pem);

/// Why a client does not accept this certificate (DER), all reasons at once; empty if it finds none
/// by this certificate alone: others that a server sends are not looked at. Pure.
std::string problem_with_certificate(std::string_view der, const CertificateExpectation& expected);

}  // namespace provisioner::federation
