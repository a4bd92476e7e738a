#include "provisioner/identity/security_keys/security_key.hpp"

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <sodium.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/identity/constant_time.hpp"
#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {
namespace {

using base::unexpected;

/// Longest text that is looked at: an attestation with certificates has a few thousand bytes.
constexpr std::size_t longest = 65536;
constexpr auto variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t hash_length = 32;
/// Flags of authenticator data.
constexpr unsigned backed_up = 0x10;

using Bytes = std::vector<unsigned char>;

std::optional<Bytes> base64url_bytes(std::string_view text) {
    if (text.empty() || text.size() > longest) return std::nullopt;
    Bytes bytes(text.size());
    std::size_t length = 0;
    if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &length,
                          nullptr, variant) != 0) {
        return std::nullopt;
    }
    bytes.resize(length);
    return bytes;
}

std::string base64url_text(const unsigned char* bytes, std::size_t length) {
    std::string text(sodium_base64_encoded_len(length, variant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes, length, variant);
    text.pop_back();  // the zero behind it
    return text;
}

void make_ready() {
    static std::once_flag once;
    std::call_once(once, [] {
        make_sodium_ready();
        fido_init(0);
    });
}

std::string challenge_of_step(const KeyCeremony& ceremony, std::int64_t step) {
    // Apart from the csrf token and the hash that is stored, which are also made of the token.
    const std::string domain = "cooperage security key " + std::to_string(step);
    const std::string& token = ceremony.session.reveal();
    unsigned char hash[hash_length];
    crypto_generichash(hash, sizeof hash, reinterpret_cast<const unsigned char*>(domain.data()),
                       domain.size(), reinterpret_cast<const unsigned char*>(token.data()),
                       std::min<std::size_t>(token.size(), crypto_generichash_KEYBYTES_MAX));
    return base64url_text(hash, sizeof hash);
}

std::int64_t step_of(base::Timestamp now) {
    constexpr std::chrono::minutes step{5};
    return now.time_since_epoch() / step;
}

bool is_challenge(const std::string& text, const KeyCeremony& ceremony) {
    const auto step = step_of(ceremony.now);
    return are_equal_in_constant_time(text, challenge_of_step(ceremony, step)) ||
           are_equal_in_constant_time(text, challenge_of_step(ceremony, step - 1));
}

/// What the browser says about the ceremony. Source: Web Authentication, section 5.8.1.
std::optional<std::string> problem_with_client_data(const Bytes& bytes, const std::string& type,
                                                    const KeyCeremony& ceremony) {
    const auto json = base::parse_json(std::string(bytes.begin(), bytes.end()));
    const std::string unreadable = "The browser's answer cannot be read.";
    if (!json || !json->is_object()) return unreadable;
    const auto text = [&](const char* name) { return base::text_at(*json, name); };
    if (text("type") != type) return unreadable;
    if (text("origin") != ceremony.site.origin) {
        return "The key was asked by " + text("origin") + ", not by " + ceremony.site.origin + ".";
    }
    const base::Json* crossed = base::member(*json, "crossOrigin");
    if (crossed != nullptr && *crossed != false) return "The key was asked by another site.";
    if (!is_challenge(text("challenge"), ceremony)) return "That took too long. Try again.";
    return std::nullopt;
}

bool is_for_host(const unsigned char* data, std::size_t length, const std::string& host) {
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(host.data()), host.size());
    return length >= sizeof hash && sodium_memcmp(hash, data, sizeof hash) == 0;
}

/// The data that the key itself has written, out of the envelope of its maker's statement. The
/// parser goes one call deeper for each nested value, so what is long is not looked at: without a
/// statement an attestation has some hundred bytes.
std::optional<Bytes> authenticator_data_in(const Bytes& attestation) {
    constexpr std::size_t longest_attestation = 8192;
    if (attestation.size() > longest_attestation) return std::nullopt;
    const auto json = base::Json::from_cbor(attestation, true, false);
    if (!json.is_object()) return std::nullopt;
    const auto found = json.find("authData");
    if (found == json.end() || !found->is_binary()) return std::nullopt;
    return static_cast<const Bytes&>(found->get_binary());
}

struct FreeCredential {
    void operator()(fido_cred_t* one) const { fido_cred_free(&one); }
};
struct FreeAssertion {
    void operator()(fido_assert_t* one) const { fido_assert_free(&one); }
};
using FidoCredential = std::unique_ptr<fido_cred_t, FreeCredential>;

/// A credential of the first algorithm that its public key has.
FidoCredential parsed(const Bytes& data) {
    for (const int algorithm : key_algorithms) {
        FidoCredential one(fido_cred_new());
        if (one && fido_cred_set_type(one.get(), algorithm) == FIDO_OK &&
            fido_cred_set_authdata_raw(one.get(), data.data(), data.size()) == FIDO_OK) {
            return one;
        }
    }
    return nullptr;
}

bool was_touched(const Bytes& data) {
    return data.size() > hash_length && (data[32] & 1U) != 0;
}

template <class Key, Key* make(), void release(Key**), int fill(Key*, const void*, std::size_t)>
int verify_with(const fido_assert_t* assertion, int algorithm, const Bytes& public_key) {
    Key* key = make();
    int result = FIDO_ERR_INTERNAL;
    if (key != nullptr && fill(key, public_key.data(), public_key.size()) == FIDO_OK) {
        result = fido_assert_verify(assertion, 0, algorithm, key);
    }
    release(&key);
    return result;
}

int verify(const fido_assert_t* assertion, int algorithm, const Bytes& key) {
    switch (algorithm) {
        case COSE_ES256:
            return verify_with<es256_pk_t, es256_pk_new, es256_pk_free, es256_pk_from_ptr>(
                assertion, algorithm, key);
        case COSE_EDDSA:
            return verify_with<eddsa_pk_t, eddsa_pk_new, eddsa_pk_free, eddsa_pk_from_ptr>(
                assertion, algorithm, key);
        case COSE_RS256:
            return verify_with<rs256_pk_t, rs256_pk_new, rs256_pk_free, rs256_pk_from_ptr>(
                assertion, algorithm, key);
        default:
            return FIDO_ERR_UNSUPPORTED_ALGORITHM;
    }
}

}  // namespace

std::string key_challenge(const KeyCeremony& ceremony) {
    make_ready();
    return challenge_of_step(ceremony, step_of(ceremony.now));
}

base::expected<Credential, std::string> read_new_key(const NewKeyAnswer& answer,
                                                     const KeyCeremony& ceremony) {
    make_ready();
    const auto client_data = base64url_bytes(answer.client_data);
    const auto attestation = base64url_bytes(answer.attestation);
    if (!client_data || !attestation) return unexpected(std::string("The browser sent no key."));
    if (auto problem = problem_with_client_data(*client_data, "webauthn.create", ceremony)) {
        return unexpected(*problem);
    }
    const auto data = authenticator_data_in(*attestation);
    const auto key = data ? parsed(*data) : nullptr;
    if (!key) return unexpected(std::string("This kind of key is not understood."));
    if (!is_for_host(data->data(), data->size(), ceremony.site.host)) {
        return unexpected("The key was made for another site than " + ceremony.site.host + ".");
    }
    if (!was_touched(*data)) return unexpected(std::string("The key was not touched."));
    return Credential{
        .id = base64url_text(fido_cred_id_ptr(key.get()), fido_cred_id_len(key.get())),
        .algorithm = fido_cred_type(key.get()),
        .public_key =
            base64url_text(fido_cred_pubkey_ptr(key.get()), fido_cred_pubkey_len(key.get())),
        .count = fido_cred_sigcount(key.get()),
        .is_backed_up = (fido_cred_flags(key.get()) & backed_up) != 0};
}

base::expected<std::uint32_t, std::string> check_key_answer(const KeyAnswer& answer,
                                                            const Credential& credential,
                                                            const KeyCeremony& ceremony) {
    make_ready();
    const auto client_data = base64url_bytes(answer.client_data);
    const auto data = base64url_bytes(answer.authenticator_data);
    const auto signature = base64url_bytes(answer.signature);
    const auto public_key = base64url_bytes(credential.public_key);
    if (!client_data || !data || !signature || !public_key) {
        return unexpected(std::string("The browser sent no signature of a key."));
    }
    if (auto problem = problem_with_client_data(*client_data, "webauthn.get", ceremony)) {
        return unexpected(*problem);
    }
    const std::unique_ptr<fido_assert_t, FreeAssertion> assertion(fido_assert_new());
    fido_assert_t* one = assertion.get();
    const bool is_read =
        one != nullptr &&
        fido_assert_set_clientdata(one, client_data->data(), client_data->size()) == FIDO_OK &&
        fido_assert_set_rp(one, ceremony.site.host.c_str()) == FIDO_OK &&
        fido_assert_set_count(one, 1) == FIDO_OK &&
        fido_assert_set_authdata_raw(one, 0, data->data(), data->size()) == FIDO_OK &&
        fido_assert_set_sig(one, 0, signature->data(), signature->size()) == FIDO_OK &&
        fido_assert_set_up(one, FIDO_OPT_TRUE) == FIDO_OK;
    if (!is_read || verify(one, credential.algorithm, *public_key) != FIDO_OK) {
        return unexpected(std::string("The signature of the key is wrong."));
    }
    const std::uint32_t count = fido_assert_sigcount(one, 0);
    if ((count != 0 || credential.count != 0) && count <= credential.count) {
        return unexpected(std::string(
            "The key has signed fewer times than it should have: somebody may have a copy of it."));
    }
    return count;
}

}  // namespace provisioner::identity
