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
    int key_number = 0;
    std::string wrapped_key;
    std::string box;
};

/// Authenticated with a wrapped key, so that its number in the sealed text cannot be changed.
std::string bound_to_key(int number) {
    return std::string(purpose_of_wrapping) + std::to_string(number);
}

std::string text_of(const Envelope& envelope) {
    return std::to_string(envelope.key_number) + "." + encoded(envelope.wrapped_key + envelope.box);
}

/// Throws VaultError for a text of another form.
Envelope envelope_in(std::string_view sealed) {
    Envelope envelope;
    const char* const end = sealed.data() + sealed.size();
    const auto [dot, error] = std::from_chars(sealed.data(), end, envelope.key_number);
    if (error == std::errc{} && dot != end && *dot == '.') {
        const auto bytes = decoded({dot + 1, static_cast<std::size_t>(end - dot - 1)});
        if (bytes && bytes->size() >= wrapped_bytes + nonce_bytes + tag_bytes) {
            envelope.wrapped_key = bytes->substr(0, wrapped_bytes);
            envelope.box = bytes->substr(wrapped_bytes);
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

/// Unwraps the data key. Throws VaultError when the master key is missing or is another one.
std::string data_key_of(const Envelope& envelope, const MasterKeys& keys) {
    const std::string number = std::to_string(envelope.key_number);
    const auto master = keys.find(envelope.key_number);
    if (master == keys.end()) {
        throw LackingMasterKey("master key " + number +
                               ", under which a secret was sealed, is not there");
    }
    auto key =
        decrypted(envelope.wrapped_key, master->second.reveal(), bound_to_key(envelope.key_number));
    if (key) return *std::move(key);
    throw VaultError("master key " + number + " is not the one a secret was sealed under");
}

const std::pair<const int, base::Secret>& newest_of(const MasterKeys& keys) {
    if (keys.empty()) throw VaultError("there is no master key");
    return *keys.rbegin();
}

}  // namespace

MasterKeys master_keys_in(const std::string& text) {
    MasterKeys keys;
    std::istringstream words(text);
    int number = 0;
    for (std::string digits; words >> number >> digits;) {
        std::string key(key_bytes, '\0');
        std::size_t size = 0;
        const int failed = sodium_hex2bin(bytes_of(key), key.size(), digits.data(), digits.size(),
                                          nullptr, &size, nullptr);
        if (failed != 0 || digits.size() != 2 * key_bytes || number < 1) {
            throw VaultError("master key " + std::to_string(number) +
                             " is not 64 hexadecimal digits");
        }
        if (!keys.emplace(number, std::move(key)).second) {
            throw VaultError("master key " + std::to_string(number) + " is there twice");
        }
    }
    if (!words.eof()) throw VaultError("a master key has no number");
    return keys;
}

std::string new_master_key(const MasterKeys& keys) {
    make_sodium_ready();
    const int number = keys.empty() ? 1 : keys.rbegin()->first + 1;
    return std::to_string(number) + " " + hex_of(random_bytes(key_bytes)) + "\n";
}

std::string seal(const MasterKeys& keys, const base::Secret& secret, std::string_view place) {
    make_sodium_ready();
    const auto& [number, master] = newest_of(keys);
    const std::string data_key = random_bytes(key_bytes);
    return text_of({.key_number = number,
                    .wrapped_key = encrypted(data_key, master.reveal(), bound_to_key(number)),
                    .box = encrypted(secret.reveal(), data_key, place)});
}

base::Secret open(const MasterKeys& keys, std::string_view sealed, std::string_view place) {
    make_sodium_ready();
    const Envelope envelope = envelope_in(sealed);
    auto text = decrypted(envelope.box, data_key_of(envelope, keys), place);
    if (!text) throw VaultError("a sealed secret was changed, or belongs somewhere else");
    return base::Secret(*std::move(text));
}

int key_number_of(std::string_view sealed) {
    make_sodium_ready();
    return envelope_in(sealed).key_number;
}

std::optional<std::string> rewrapped(const MasterKeys& keys, std::string_view sealed) {
    make_sodium_ready();
    Envelope envelope = envelope_in(sealed);
    const auto& [number, master] = newest_of(keys);
    if (envelope.key_number == number) return std::nullopt;
    const std::string data_key = data_key_of(envelope, keys);
    envelope.key_number = number;
    envelope.wrapped_key = encrypted(data_key, master.reveal(), bound_to_key(number));
    return text_of(envelope);
}

}  // namespace provisioner::identity
