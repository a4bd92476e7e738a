#include "provisioner/identity/sealing.hpp"

#include <sodium.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {
namespace {

constexpr std::size_t key_bytes = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t wrapped_bytes = nonce_bytes + key_bytes + tag_bytes;
constexpr std::size_t boxed_bytes = crypto_box_SEALBYTES + key_bytes;
static_assert(crypto_box_SECRETKEYBYTES == key_bytes && crypto_box_PUBLICKEYBYTES == key_bytes);
/// Stands before the number of a key of daemons, and between that and its fingerprint.
constexpr char mark_of_daemons = 'd';
constexpr char before_fingerprint = '-';
constexpr std::size_t fingerprint_bytes = 8;
constexpr int base64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::string_view purpose_of_wrapping = "cooperage data key ";

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return bytes;
}

/// A random nonce, then the ciphertext with its tag. `bound_to` is authenticated and not stored. 24
/// bytes of random nonce cannot collide in practice.
std::string encrypted(std::string_view text, std::string_view key, std::string_view bound_to) {
    const std::string nonce = random_bytes(nonce_bytes);
    std::string box(text.size() + tag_bytes, '\0');
    unsigned long long size = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(box), &size, bytes_of(text), text.size(),
                                               bytes_of(bound_to), bound_to.size(), nullptr,
                                               bytes_of(nonce), bytes_of(key));
    return nonce + box;
}

/// Inverse of encrypted(); nothing when `box`, `key` or `bound_to` differs.
std::optional<std::string> decrypted(std::string_view box, std::string_view key,
                                     std::string_view bound_to) {
    if (box.size() < nonce_bytes + tag_bytes) return std::nullopt;
    const std::string_view nonce = box.substr(0, nonce_bytes);
    box.remove_prefix(nonce_bytes);
    std::string text(box.size() - tag_bytes, '\0');
    unsigned long long size = 0;
    const int failed = crypto_aead_xchacha20poly1305_ietf_decrypt(
        bytes_of(text), &size, nullptr, bytes_of(box), box.size(), bytes_of(bound_to),
        bound_to.size(), bytes_of(nonce), bytes_of(key));
    if (failed != 0) return std::nullopt;
    return text;
}

std::string encoded(std::string_view bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), base64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), base64);
    text.pop_back();
    return text;
}

std::optional<std::string> decoded(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    const int failed = sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(),
                                         nullptr, &size, &end, base64);
    if (failed != 0 || end != text.data() + text.size()) return std::nullopt;
    bytes.resize(size);
    return bytes;
}

/// Parts of a sealed text.
struct Envelope {
    KeyName key;
    std::string wrapped_key;
    std::string box;
};

/// Authenticated with a wrapped key, so that its number in the sealed text cannot be changed.
std::string bound_to_key(const KeyName& key) {
    return std::string(purpose_of_wrapping) + std::to_string(key.number);
}

std::string text_of(const Envelope& envelope) {
    const KeyName& key = envelope.key;
    std::string name = std::to_string(key.number);
    if (key.is_of_daemons) name = mark_of_daemons + name + before_fingerprint + key.fingerprint;
    return name + "." + encoded(envelope.wrapped_key + envelope.box);
}

/// Throws VaultError for a text of another form.
Envelope envelope_in(std::string_view sealed) {
    Envelope envelope;
    envelope.key.is_of_daemons = sealed.starts_with(mark_of_daemons);
    if (envelope.key.is_of_daemons) sealed.remove_prefix(1);
    const std::size_t wrapped = envelope.key.is_of_daemons ? boxed_bytes : wrapped_bytes;
    const char* const end = sealed.data() + sealed.size();
    auto [at, error] = std::from_chars(sealed.data(), end, envelope.key.number);
    if (envelope.key.is_of_daemons && error == std::errc{} && at != end &&
        *at == before_fingerprint && end - at > 2 * static_cast<long>(fingerprint_bytes)) {
        envelope.key.fingerprint.assign(at + 1, 2 * fingerprint_bytes);
        at += 1 + 2 * fingerprint_bytes;
    }
    const bool is_named = envelope.key.is_of_daemons != envelope.key.fingerprint.empty();
    if (error == std::errc{} && is_named && at != end && *at == '.') {
        const auto bytes = decoded({at + 1, static_cast<std::size_t>(end - at - 1)});
        if (bytes && bytes->size() >= wrapped + nonce_bytes + tag_bytes) {
            envelope.wrapped_key = bytes->substr(0, wrapped);
            envelope.box = bytes->substr(wrapped);
            return envelope;
        }
    }
    throw VaultError("this is no sealed secret");
}

std::string hex_of(std::string_view bytes) {
    std::string text(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes_of(bytes), bytes.size());
    text.pop_back();
    return text;
}

std::string public_half(const base::Secret& private_key) {
    std::string half(key_bytes, '\0');
    crypto_scalarmult_base(bytes_of(half), bytes_of(private_key.reveal()));
    return half;
}

std::string fingerprint_of(const std::string& public_half) {
    std::string hash(crypto_generichash_BYTES, '\0');
    crypto_generichash(bytes_of(hash), hash.size(), bytes_of(public_half), public_half.size(),
                       nullptr, 0);
    return hex_of(std::string_view(hash).substr(0, fingerprint_bytes));
}

SealingKey named(int number, std::string half) {
    return {.name = {.is_of_daemons = true, .number = number, .fingerprint = fingerprint_of(half)},
            .bytes = base::Secret(std::move(half))};
}

std::string wrapped(const std::string& data_key, const SealingKey& key) {
    if (!key.name.is_of_daemons) {
        return encrypted(data_key, key.bytes.reveal(), bound_to_key(key.name));
    }
    std::string box(boxed_bytes, '\0');
    if (crypto_box_seal(bytes_of(box), bytes_of(data_key), data_key.size(),
                        bytes_of(key.bytes.reveal())) != 0) {
        throw VaultError(to_words(key.name) + " is no public key");
    }
    return box;
}

/// Inverse of wrapped(); nothing when `key` is another one.
std::optional<std::string> unwrapped(const Envelope& envelope, const base::Secret& key) {
    if (!envelope.key.is_of_daemons) {
        return decrypted(envelope.wrapped_key, key.reveal(), bound_to_key(envelope.key));
    }
    std::string data_key(key_bytes, '\0');
    const int failed = crypto_box_seal_open(bytes_of(data_key), bytes_of(envelope.wrapped_key),
                                            envelope.wrapped_key.size(), bytes_of(public_half(key)),
                                            bytes_of(key.reveal()));
    if (failed != 0) return std::nullopt;
    return data_key;
}

/// Unwraps the data key. Throws VaultError when the key is missing or is another one.
std::string data_key_of(const Envelope& envelope, const Keys& keys) {
    const auto found = keys.find(envelope.key.number);
    if (found == keys.end() || (envelope.key.is_of_daemons && !has_key(keys, envelope.key))) {
        throw LackingKey(to_words(envelope.key) +
                         ", under which a secret was sealed, is not there");
    }
    auto key = unwrapped(envelope, found->second);
    if (key) return *std::move(key);
    throw VaultError(to_words(envelope.key) + " is not the one a secret was sealed under");
}

}  // namespace

Keys keys_in(const std::string& text) {
    Keys keys;
    std::istringstream words(text);
    int number = 0;
    for (std::string digits; words >> number >> digits;) {
        std::string key(key_bytes, '\0');
        std::size_t size = 0;
        const int failed = sodium_hex2bin(bytes_of(key), key.size(), digits.data(), digits.size(),
                                          nullptr, &size, nullptr);
        if (failed != 0 || digits.size() != 2 * key_bytes || number < 1) {
            throw VaultError("key " + std::to_string(number) + " is not 64 hexadecimal digits");
        }
        if (!keys.emplace(number, std::move(key)).second) {
            throw VaultError("key " + std::to_string(number) + " is there twice");
        }
    }
    if (!words.eof()) throw VaultError("a key has no number");
    return keys;
}

std::string new_key(const Keys& keys) {
    make_sodium_ready();
    const int number = keys.empty() ? 1 : keys.rbegin()->first + 1;
    return std::to_string(number) + " " + hex_of(random_bytes(key_bytes)) + "\n";
}

std::string to_words(const KeyName& name) {
    if (!name.is_of_daemons) return "master key " + std::to_string(name.number);
    return "daemon key " + std::to_string(name.number) + " (" + name.fingerprint + ")";
}

SealingKey newest_of(const Keys& master_keys) {
    if (master_keys.empty()) throw VaultError("there is no master key");
    const auto& [number, key] = *master_keys.rbegin();
    return {.name = {.number = number}, .bytes = key};
}

SealingKey public_half_of(int number, const base::Secret& daemon_key) {
    make_sodium_ready();
    return named(number, public_half(daemon_key));
}

SealingKey public_half_of(const Keys& daemon_keys) {
    if (daemon_keys.empty()) throw VaultError("there is no daemon key");
    return public_half_of(daemon_keys.rbegin()->first, daemon_keys.rbegin()->second);
}

bool has_key(const Keys& daemon_keys, const KeyName& name) {
    const auto found = daemon_keys.find(name.number);
    return found != daemon_keys.end() && public_half_of(found->first, found->second).name == name;
}

std::string line_of_public_half(const SealingKey& key) {
    return std::to_string(key.name.number) + " " + hex_of(key.bytes.reveal()) + "\n";
}

SealingKey public_half_in(const std::string& text) {
    make_sodium_ready();
    const Keys keys = keys_in(text);
    if (keys.size() != 1) throw VaultError("there is not one public key");
    return named(keys.begin()->first, keys.begin()->second.reveal());
}

std::string seal(const SealingKey& key, const base::Secret& secret, std::string_view place) {
    make_sodium_ready();
    const std::string data_key = random_bytes(key_bytes);
    return text_of({.key = key.name,
                    .wrapped_key = wrapped(data_key, key),
                    .box = encrypted(secret.reveal(), data_key, place)});
}

base::Secret open(const Keys& keys, std::string_view sealed, std::string_view place) {
    make_sodium_ready();
    const Envelope envelope = envelope_in(sealed);
    auto text = decrypted(envelope.box, data_key_of(envelope, keys), place);
    if (!text) throw VaultError("a sealed secret was changed, or belongs somewhere else");
    return base::Secret(*std::move(text));
}

KeyName key_name_of(std::string_view sealed) {
    make_sodium_ready();
    return envelope_in(sealed).key;
}

std::optional<std::string> rewrapped(const Keys& keys, std::string_view sealed,
                                     const SealingKey& to) {
    make_sodium_ready();
    Envelope envelope = envelope_in(sealed);
    if (envelope.key == to.name) return std::nullopt;
    const std::string data_key = data_key_of(envelope, keys);
    envelope.key = to.name;
    envelope.wrapped_key = wrapped(data_key, to);
    return text_of(envelope);
}

}  // namespace provisioner::identity
