#include "provisioner/providers/cloudstack/signature.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::providers::cloudstack {

namespace {

bool stays(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == '*';
}

std::string hmac_sha1(const std::string& key, const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(text.data());
    if (::HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), data, text.size(),
               bytes.data(), &size) == nullptr) {
        throw std::runtime_error("OpenSSL cannot compute HMAC-SHA1");
    }
    return {reinterpret_cast<const char*>(bytes.data()), size};
}

}  // namespace

std::string encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        if (stays(c)) {
            result += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result += '%';
        result += digits[byte >> 4];
        result += digits[byte & 15];
    }
    return result;
}

std::string signature_of(const Params& params, const base::Secret& key) {
    Params sorted;
    for (const auto& [name, value] : params) sorted[base::in_small_letters(name)] = value;
    std::string text;
    for (const auto& [name, value] : sorted) {
        text += (text.empty() ? "" : "&") + name + "=" + encoded(value);
    }
    return base::base64(hmac_sha1(key.reveal(), base::in_small_letters(text)));
}

std::string signed_form(const Params& params, const base::Secret& key) {
    std::string form;
    for (const auto& [name, value] : params) form += encoded(name) + "=" + encoded(value) + "&";
    return form + "signature=" + encoded(signature_of(params, key));
}

}  // namespace provisioner::providers::cloudstack
