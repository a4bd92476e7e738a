#include "provisioner/federation/base64url.hpp"

#include <cstdint>

namespace provisioner::federation {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64url(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(c);
        count += 8;
        for (; count >= 6; count -= 6) text += alphabet[(bits >> (count - 6U)) & 63U];
    }
    if (count > 0) text += alphabet[(bits << (6U - static_cast<unsigned>(count))) & 63U];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const auto digit = alphabet.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 255U);
    }
    // A byte is not spread over a single digit.
    if (text.size() % 4 == 1) return std::nullopt;
    return bytes;
}

std::string bytes_of_hex(std::string_view digits) {
    const auto value = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    std::string bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
        bytes += static_cast<char>(value(digits[at]) * 16 + value(digits[at + 1]));
    }
    return bytes;
}

}  // namespace provisioner::federation
