#include "provisioner/federation/oidc/addresses.hpp"

#include <algorithm>
#include <sstream>

#include "provisioner/federation/base64url.hpp"
#include "provisioner/identity/sha256.hpp"

namespace provisioner::federation {

namespace {

std::string encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
                              c == '~';
        if (is_plain) {
            made += c;
        } else {
            made += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return made;
}

/// The words with "openid" among them.
std::string scopes_with_openid(const std::string& scopes) {
    std::istringstream in(scopes);
    std::string all = "openid";
    for (std::string word; in >> word;) {
        if (word != "openid") all += ' ' + word;
    }
    return all;
}

/// Base64 with padding, as HTTP has it.
std::string base64(std::string_view bytes) {
    std::string text = base64url(bytes);
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    while (text.size() % 4 != 0) text += '=';
    return text;
}

}  // namespace

std::string form_text(const Parameters& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) {
        if (!text.empty()) text += '&';
        text += encoded(name) + '=' + encoded(value);
    }
    return text;
}

std::string with_query(const std::string& address, const Parameters& parameters) {
    const char divider = address.find('?') == std::string::npos ? '?' : '&';
    return address + divider + form_text(parameters);
}

std::string challenge_of(const base::Secret& verifier) {
    identity::Sha256 hash;
    hash.add(verifier.reveal());
    return base64url(bytes_of_hex(hash.finish()));
}

std::string authorization_address(const std::string& endpoint, const Authorization& wanted) {
    Parameters parameters{{"response_type", "code"},
                          {"client_id", wanted.client_id},
                          {"redirect_uri", wanted.redirect},
                          {"scope", scopes_with_openid(wanted.scopes)},
                          {"state", wanted.state},
                          {"nonce", wanted.nonce},
                          {"code_challenge", challenge_of(wanted.verifier)},
                          {"code_challenge_method", "S256"}};
    if (wanted.again) {
        parameters.emplace_back("prompt", "login");
        parameters.emplace_back("max_age", "0");
    }
    return with_query(endpoint, parameters);
}

base::Secret basic_credentials(const std::string& client_id, const base::Secret& secret) {
    return base::Secret("Basic " + base64(encoded(client_id) + ':' + encoded(secret.reveal())));
}

}  // namespace provisioner::federation
