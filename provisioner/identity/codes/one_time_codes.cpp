#include "provisioner/identity/codes/one_time_codes.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/identity/constant_time.hpp"

namespace provisioner::identity {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::int64_t step_seconds = 30;
/// How long the code of a step is taken after it: typing and clocks take a moment.
constexpr std::chrono::seconds late_code{10};
constexpr std::size_t code_digits = 6;
constexpr std::uint32_t code_modulus = 1'000'000;

std::string random_code_bytes(std::size_t number) {
    const std::string hex = base::random_hex(number);
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    }
    return bytes;
}

std::string big_endian(std::int64_t number) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
    return bytes;
}

std::array<unsigned char, 20> hmac_sha1(const std::string& key, const std::string& message) {
    std::array<unsigned char, 20> digest{};
    unsigned int size = digest.size();
    const auto* text = reinterpret_cast<const unsigned char*>(message.data());  // NOLINT
    if (HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()), text, message.size(),
             digest.data(), &size) == nullptr ||
        size != digest.size()) {
        throw std::runtime_error("HMAC-SHA-1 failed");
    }
    return digest;
}

std::string without_blanks(std::string_view text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](char c) { return c != ' ' && c != '-' && c != '\t'; });
    return kept;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
        if (is_plain) {
            encoded += c;
        } else {
            encoded += {'%', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return encoded;
}

}  // namespace

std::string base32(std::string_view bytes) {
    std::string text;
    std::uint32_t buffer = 0;
    int bits = 0;
    for (const char c : bytes) {
        buffer = (buffer << 8) | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(buffer >> (bits - 5)) & 31];
        buffer &= 31;
    }
    if (bits > 0) text += alphabet[(buffer << (5 - bits)) & 31];
    return text;
}

std::optional<std::string> from_base32(std::string_view text) {
    std::string bytes;
    std::uint32_t buffer = 0;
    int bits = 0;
    for (const char c : text) {
        const auto value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        buffer = ((buffer << 5) | static_cast<std::uint32_t>(value)) & 0xFFF;
        bits += 5;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>((buffer >> bits) & 0xFF);
    }
    return bytes;
}

base::Secret new_code_secret() {
    return base::Secret(base32(random_code_bytes(20)));
}

std::int64_t code_step(base::Timestamp moment) {
    return std::chrono::floor<std::chrono::seconds>(moment.time_since_epoch()).count() /
           step_seconds;
}

std::string code_of_step(const base::Secret& secret, std::int64_t step) {
    const auto key = from_base32(secret.reveal());
    if (!key || key->empty()) throw std::invalid_argument("a secret of codes is no base32");
    const auto digest = hmac_sha1(*key, big_endian(step));
    // RFC 4226, 5.3: the last four bits say where the 31 bits begin.
    const std::size_t offset = digest.back() & 15U;
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < 4; ++at) number = (number << 8) | digest.at(offset + at);
    std::string code = std::to_string((number & 0x7FFF'FFFFU) % code_modulus);
    code.insert(0, code_digits - code.size(), '0');
    return code;
}

std::optional<std::int64_t> matching_step(const base::Secret& secret, std::string_view typed,
                                          base::Timestamp now, std::int64_t last_used) {
    const std::string code = without_blanks(typed);
    std::optional<std::int64_t> found;
    const std::int64_t present = code_step(now);
    const auto begin = base::Timestamp{} + std::chrono::seconds{present * step_seconds};
    const std::int64_t first = now < begin + late_code ? present - 1 : present;
    // Both are compared, so that the time says nothing.
    for (const std::int64_t step : {present - 1, present}) {
        const bool is_it = are_equal_in_constant_time(code_of_step(secret, step), code);
        if (is_it && step >= first && step > last_used && !found) found = step;
    }
    return found;
}

std::string code_address(const base::Secret& secret, std::string_view account) {
    return "otpauth://totp/Cooperage:" + percent_encoded(account) + "?secret=" + secret.reveal() +
           "&issuer=Cooperage&algorithm=SHA1&digits=6&period=30";
}

std::vector<base::Secret> new_recovery_codes() {
    constexpr int number = 10;
    std::vector<base::Secret> codes;
    for (int i = 0; i < number; ++i) {
        std::string text = base32(random_code_bytes(16));
        std::transform(text.begin(), text.end(), text.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        for (const std::size_t at : {24, 20, 16, 12, 8, 4}) text.insert(at, "-");
        codes.emplace_back(std::move(text));
    }
    return codes;
}

std::string hash_of_recovery_code(std::string_view typed) {
    std::string text = without_blanks(typed);
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return checksum("recovery code " + text);
}

}  // namespace provisioner::identity
