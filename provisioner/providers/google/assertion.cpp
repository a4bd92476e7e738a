#include "provisioner/providers/google/assertion.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <stdexcept>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/json.hpp"

namespace provisioner::providers::google {

namespace {

struct KeyDeleter {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(BIO* text) const { BIO_free(text); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using PrivateKey = std::unique_ptr<EVP_PKEY, KeyDeleter>;

/// Without it OpenSSL would ask the terminal for a passphrase.
int no_passphrase(char*, int, int, void*) {
    return -1;
}

PrivateKey read_private_key(const base::Secret& pem) {
    const std::string& text = pem.reveal();
    const std::unique_ptr<BIO, KeyDeleter> source(
        BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    if (!source) throw std::bad_alloc();
    PrivateKey key(PEM_read_bio_PrivateKey(source.get(), nullptr, no_passphrase, nullptr));
    if (key && EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA) key.reset();
    return key;
}

std::string signed_by(EVP_PKEY* key, const std::string& text) {
    const std::unique_ptr<EVP_MD_CTX, KeyDeleter> context(EVP_MD_CTX_new());
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
        EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1) {
        throw std::runtime_error("OpenSSL cannot sign with the key of the service account");
    }
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    if (EVP_DigestSign(context.get(), out, &size, bytes, text.size()) != 1) {
        throw std::runtime_error("OpenSSL cannot sign with the key of the service account");
    }
    signature.resize(size);
    return signature;
}

}  // namespace

bool is_private_key(const base::Secret& pem) {
    return read_private_key(pem) != nullptr;
}

std::string base64_url(std::string_view bytes) {
    std::string text = base::base64(bytes);
    text.erase(text.find_last_not_of('=') + 1);
    for (char& c : text) {
        if (c == '+') c = '-';
        if (c == '/') c = '_';
    }
    return text;
}

std::string assertion(const ServiceKey& key, std::string_view scope, base::Timestamp now) {
    const PrivateKey private_key = read_private_key(key.private_key);
    if (!private_key) throw std::runtime_error("the service account's key cannot be read");
    base::Json header = {{"alg", "RS256"}, {"typ", "JWT"}};
    if (!key.key_id.empty()) header["kid"] = key.key_id;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    constexpr long long an_hour = 3600;
    const base::Json claims = {{"iss", key.email},
                               {"scope", scope},
                               {"aud", key.token_uri},
                               {"iat", seconds},
                               {"exp", seconds + an_hour}};
    const std::string text =
        base64_url(base::to_text(header)) + "." + base64_url(base::to_text(claims));
    return text + "." + base64_url(signed_by(private_key.get(), text));
}

}  // namespace provisioner::providers::google
