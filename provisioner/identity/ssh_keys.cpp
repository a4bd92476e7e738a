#include "provisioner/identity/ssh_keys.hpp"

#include <sodium.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "provisioner/base/base64.hpp"
#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {

namespace {

constexpr std::string_view file_begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view file_end = "-----END OPENSSH PRIVATE KEY-----";
/// What every such file begins with, its zero byte included.
constexpr std::string_view magic{"openssh-key-v1\0", 15};
constexpr std::string_view key_type = "ssh-ed25519";
/// As ssh-keygen breaks its lines.
constexpr std::size_t line_length = 70;
/// The private part is filled up to a multiple of this.
constexpr std::size_t block = 8;

const unsigned char* octets(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// An unsigned number of four bytes, the highest first (RFC 4251, section 5).
std::string number(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
}

/// A string with its length (RFC 4251, section 5).
std::string field(std::string_view text) {
    return number(static_cast<std::uint32_t>(text.size())) + std::string(text);
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    const int failed =
        sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                          text.size(), "\r\n \t", &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
    if (failed != 0) return std::nullopt;
    bytes.resize(size);
    return bytes;
}

std::string in_lines(const std::string& text) {
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at += line_length) {
        lines += text.substr(at, line_length) + "\n";
    }
    return lines;
}

/// Reads fields of a blob from its front.
class Reader {
 public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    std::optional<std::uint32_t> number() {
        if (rest_.size() < 4) return std::nullopt;
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(rest_[i]);
        rest_.remove_prefix(4);
        return value;
    }
    std::optional<std::string_view> field() {
        const auto size = number();
        if (!size || *size > rest_.size()) return std::nullopt;
        const std::string_view text = rest_.substr(0, *size);
        rest_.remove_prefix(*size);
        return text;
    }

 private:
    std::string_view rest_;
};

std::string private_part(const std::string& public_bytes, const std::string& secret_bytes) {
    // Two equal numbers, by which a wrong passphrase would be noticed; any will do without one.
    std::string part = number(0) + number(0);
    part += field(key_type) + field(public_bytes) + field(secret_bytes) + field("");
    for (char filler = 1; part.size() % block != 0; ++filler) part += filler;
    return part;
}

}  // namespace

base::Secret derived_secret(const base::Secret& from, std::string_view purpose) {
    make_sodium_ready();
    std::array<unsigned char, crypto_generichash_KEYBYTES> key{};
    crypto_generichash(key.data(), key.size(), octets(from.reveal()), from.reveal().size(), nullptr,
                       0);
    std::string derived(crypto_generichash_BYTES, '\0');
    crypto_generichash(reinterpret_cast<unsigned char*>(derived.data()), derived.size(),
                       octets(purpose), purpose.size(), key.data(), key.size());
    return base::Secret(std::move(derived));
}

base::Secret random_seed() {
    make_sodium_ready();
    std::string seed(crypto_sign_SEEDBYTES, '\0');
    randombytes_buf(seed.data(), seed.size());
    return base::Secret(std::move(seed));
}

SshKeyPair ssh_key_pair(const base::Secret& seed) {
    make_sodium_ready();
    if (seed.reveal().size() != crypto_sign_SEEDBYTES) {
        throw std::invalid_argument("the seed of a key pair has 32 bytes");
    }
    std::string public_bytes(crypto_sign_PUBLICKEYBYTES, '\0');
    std::string secret_bytes(crypto_sign_SECRETKEYBYTES, '\0');
    crypto_sign_seed_keypair(reinterpret_cast<unsigned char*>(public_bytes.data()),
                             reinterpret_cast<unsigned char*>(secret_bytes.data()),
                             octets(seed.reveal()));
    const std::string public_blob = field(key_type) + field(public_bytes);
    std::string file(magic);
    file += field("none") + field("none") + field("") + number(1) + field(public_blob) +
            field(private_part(public_bytes, secret_bytes));
    return {
        .private_key = base::Secret(std::string(file_begin) + "\n" + in_lines(base::base64(file)) +
                                    std::string(file_end) + "\n"),
        .public_key = std::string(key_type) + " " + base::base64(public_blob)};
}

std::optional<std::string> public_key_in(std::string_view private_key) {
    make_sodium_ready();
    const auto begin = private_key.find(file_begin);
    const auto end = private_key.find(file_end);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
        return std::nullopt;
    }
    const auto from = begin + file_begin.size();
    const auto bytes = from_base64(private_key.substr(from, end - from));
    if (!bytes || !bytes->starts_with(magic)) return std::nullopt;
    Reader reader(std::string_view(*bytes).substr(magic.size()));
    const auto cipher = reader.field();
    reader.field();
    reader.field();
    const auto keys = reader.number();
    const auto blob = reader.field();
    if (cipher != "none" || keys != 1U || !blob) return std::nullopt;
    const auto type = Reader(*blob).field();
    if (!type) return std::nullopt;
    return std::string(*type) + " " + base::base64(*blob);
}

}  // namespace provisioner::identity
