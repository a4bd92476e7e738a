#include "provisioner/base/base64.hpp"

#include <cstdint>

namespace provisioner::base {

namespace {

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::uint32_t group =
            byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
        text += digits[group >> 18];
        text += digits[group >> 12 & 63];
        text += at + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
        text += at + 2 < bytes.size() ? digits[group & 63] : '=';
    }
    return text;
}

}  // namespace provisioner::base
