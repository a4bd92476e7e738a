#pragma once

#include <string>

namespace provisioner::http_client {

/// The parts of an address, as libcurl reads them: what it connects to.
struct UrlParts {
    /// "https". What is missing in the address is guessed, as libcurl does for proxies.
    std::string scheme;
    /// "api.example.com", "10.0.0.1" (however the number was written), "[2001:db8::1]".
    std::string host;
    /// Empty where the address has none.
    std::string port;
};

/// Reads an address; all parts are empty when libcurl takes it for none.
UrlParts parts_of(const std::string& url);

}  // namespace provisioner::http_client
