#include "tests/support/soft_security_key.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <stdexcept>
#include <vector>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/json.hpp"

namespace tests {

using provisioner::base::Json;
using provisioner::identity::KeyAnswer;
using provisioner::identity::KeyCeremony;
using provisioner::identity::NewKeyAnswer;

namespace {

std::string sha256(std::string_view text) {
    std::string hash(SHA256_DIGEST_LENGTH, '\0');
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(hash.data()));
    return hash;
}

std::string big_endian(std::uint32_t number, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        text += static_cast<char>(number >> shift);
    }
    return text;
}

/// A short byte string of CBOR.
std::string cbor_bytes(const std::string& bytes) {
    return std::string("\x58") + static_cast<char>(bytes.size()) + bytes;
}

std::string client_data(const std::string& type, const SoftSecurityKey::Answering& answering) {
    Json json;
    json["type"] = answering.type.empty() ? type : answering.type;
    json["challenge"] = answering.challenge;
    json["origin"] = answering.origin;
    json["crossOrigin"] = answering.is_framed;
    return json.dump();
}

}  // namespace

struct SoftSecurityKey::Inner {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    std::string id = provisioner::base::random_hex(16);
    std::uint32_t count = 0;

    ~Inner() { EVP_PKEY_free(key); }

    std::string coordinate(const char* name) const {
        BIGNUM* number = nullptr;
        if (EVP_PKEY_get_bn_param(key, name, &number) != 1) throw std::runtime_error("no key");
        std::string bytes(32, '\0');
        BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), 32);
        BN_free(number);
        return bytes;
    }

    /// The public key as COSE has it: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    std::string cose() const {
        return std::string("\xa5\x01\x02\x03\x26\x20\x01\x21") +
               cbor_bytes(coordinate(OSSL_PKEY_PARAM_EC_PUB_X)) + "\x22" +
               cbor_bytes(coordinate(OSSL_PKEY_PARAM_EC_PUB_Y));
    }

    std::string data(const Answering& answering, bool is_new) {
        if (!is_new) ++count;
        const std::uint32_t shown =
            answering.count < 0 ? count : static_cast<std::uint32_t>(answering.count);
        const unsigned flags = (answering.is_touched ? 1U : 0U) | (is_new ? 0x40U : 0U);
        std::string bytes =
            sha256(answering.host) + static_cast<char>(flags) + big_endian(shown, 4);
        if (!is_new) return bytes;
        return bytes + std::string(16, '\0') +
               big_endian(static_cast<std::uint32_t>(id.size()), 2) + id + cose();
    }

    std::string signature(const std::string& text) const {
        EVP_MD_CTX* context = EVP_MD_CTX_new();
        std::size_t length = 0;
        EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key);
        const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
        EVP_DigestSign(context, nullptr, &length, bytes, text.size());
        std::string signature(length, '\0');
        EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &length, bytes,
                       text.size());
        signature.resize(length);
        EVP_MD_CTX_free(context);
        return signature;
    }
};

SoftSecurityKey::SoftSecurityKey() : inner_(std::make_unique<Inner>()) {}
SoftSecurityKey::~SoftSecurityKey() = default;
SoftSecurityKey::SoftSecurityKey(SoftSecurityKey&&) noexcept = default;
SoftSecurityKey& SoftSecurityKey::operator=(SoftSecurityKey&&) noexcept = default;

SoftSecurityKey::Answering SoftSecurityKey::to(const KeyCeremony& ceremony) {
    return {.origin = ceremony.site.origin,
            .host = ceremony.site.host,
            .challenge = provisioner::identity::key_challenge(ceremony)};
}

NewKeyAnswer SoftSecurityKey::make(const Answering& answering) {
    const std::string data = inner_->data(answering, true);
    // {"fmt": "none", "attStmt": {}, "authData": bytes}
    const std::string attestation = std::string("\xa3\x63") + "fmt\x64none\x67" +
                                    "attStmt\xa0\x68" + "authData\x59" +
                                    big_endian(static_cast<std::uint32_t>(data.size()), 2) + data;
    return {.client_data = base64url(client_data("webauthn.create", answering)),
            .attestation = base64url(attestation)};
}

KeyAnswer SoftSecurityKey::sign(const Answering& answering) {
    const std::string said = client_data("webauthn.get", answering);
    const std::string data = inner_->data(answering, false);
    return {.credential = id(),
            .client_data = base64url(said),
            .authenticator_data = base64url(data),
            .signature = base64url(inner_->signature(data + sha256(said)))};
}

std::string SoftSecurityKey::id() const {
    return base64url(inner_->id);
}

std::string base64url(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                       reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    while (text.ends_with('=')) text.pop_back();
    for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    return text;
}

}  // namespace tests
