#include "provisioner/providers/joyent/private_key.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "provisioner/base/base64.hpp"
#include "provisioner/providers/joyent/openssh_key.hpp"

namespace provisioner::providers::joyent {

namespace {

template <auto free>
struct Freed {
    template <class T>
    void operator()(T* owned) const {
        free(owned);
    }
};

using Bio = std::unique_ptr<BIO, Freed<BIO_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_clear_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;

constexpr std::size_t ed25519_seed = 32;

/// Keeps OpenSSL from asking for a passphrase at the terminal: there is none.
int no_passphrase(char*, int, int, void*) {
    return -1;
}

EVP_PKEY* rsa_key(const RsaParts& parts) {
    const std::array<std::pair<const char*, const std::string*>, 5> members{
        {{OSSL_PKEY_PARAM_RSA_N, &parts.n},
         {OSSL_PKEY_PARAM_RSA_E, &parts.e},
         {OSSL_PKEY_PARAM_RSA_D, &parts.d},
         {OSSL_PKEY_PARAM_RSA_FACTOR1, &parts.p},
         {OSSL_PKEY_PARAM_RSA_FACTOR2, &parts.q}}};
    const Builder builder(OSSL_PARAM_BLD_new());
    std::vector<Number> numbers;
    for (const auto& [name, bytes] : members) {
        const auto* data = reinterpret_cast<const unsigned char*>(bytes->data());
        numbers.emplace_back(BN_bin2bn(data, static_cast<int>(bytes->size()), nullptr));
        OSSL_PARAM_BLD_push_BN(builder.get(), name, numbers.back().get());
    }
    const Params params(OSSL_PARAM_BLD_to_param(builder.get()));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
    EVP_PKEY* key = nullptr;
    if (!params || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, params.get()) != 1) {
        return nullptr;
    }
    return key;
}

/// The name in an Authorization header; empty for keys that CloudAPI does not take.
std::string algorithm_of(const EVP_PKEY* key) {
    switch (EVP_PKEY_get_base_id(key)) {
        case EVP_PKEY_RSA:
            return "rsa-sha256";
        case EVP_PKEY_ED25519:
            return "ed25519-sha512";
        case EVP_PKEY_EC:
            return EVP_PKEY_get_bits(key) > 384   ? "ecdsa-sha512"
                   : EVP_PKEY_get_bits(key) > 256 ? "ecdsa-sha384"
                                                  : "ecdsa-sha256";
        default:
            return "";
    }
}

/// ed25519 has its digest inside.
const EVP_MD* digest_of(const std::string& algorithm) {
    if (algorithm.starts_with("ed25519")) return nullptr;
    if (algorithm.ends_with("sha512")) return EVP_sha512();
    return algorithm.ends_with("sha384") ? EVP_sha384() : EVP_sha256();
}

}  // namespace

void PrivateKey::Deleter::operator()(evp_pkey_st* key) const {
    EVP_PKEY_free(key);
}

PrivateKey::Handle PrivateKey::read_pem(const std::string& text) {
    const Bio file(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    return Handle(PEM_read_bio_PrivateKey(file.get(), nullptr, no_passphrase, nullptr));
}

base::expected<PrivateKey::Handle, std::string> PrivateKey::read_openssh(const std::string& text) {
    auto parts = openssh_key_in(text);
    if (!parts) return base::unexpected(parts.error());
    if (const auto* rsa = std::get_if<RsaParts>(&*parts)) return Handle(rsa_key(*rsa));
    const auto& seed = std::get<Ed25519Seed>(*parts).bytes;
    const auto* data = reinterpret_cast<const unsigned char*>(seed.data());
    return Handle(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, data, ed25519_seed));
}

base::expected<PrivateKey, std::string> PrivateKey::read(const base::Secret& text) {
    const std::string& file = text.reveal();
    Handle key;
    if (file.find("BEGIN OPENSSH PRIVATE KEY") != std::string::npos) {
        auto found = read_openssh(file);
        if (!found) return base::unexpected(found.error());
        key = *std::move(found);
    } else if (file.find("ENCRYPTED") != std::string::npos) {
        return base::unexpected(std::string("the key has a passphrase: upload one without"));
    } else {
        key = read_pem(file);
    }
    if (!key)
        return base::unexpected(std::string("the file is no private key in PEM or OpenSSH's form"));
    std::string algorithm = algorithm_of(key.get());
    if (algorithm.empty())
        return base::unexpected(std::string("the key is neither RSA, ed25519 nor ECDSA"));
    return PrivateKey(std::move(key), std::move(algorithm));
}

std::string PrivateKey::sign(std::string_view text) const {
    const DigestContext context(EVP_MD_CTX_new());
    const auto* data = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    const bool begins = context && EVP_DigestSignInit(context.get(), nullptr, digest_of(algorithm_),
                                                      nullptr, key_.get()) == 1;
    if (!begins || EVP_DigestSign(context.get(), nullptr, &size, data, text.size()) != 1) {
        throw std::runtime_error("OpenSSL cannot sign with this key");
    }
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    if (EVP_DigestSign(context.get(), out, &size, data, text.size()) != 1) {
        throw std::runtime_error("OpenSSL cannot sign with this key");
    }
    signature.resize(size);
    return base::base64(signature);
}

}  // namespace provisioner::providers::joyent
