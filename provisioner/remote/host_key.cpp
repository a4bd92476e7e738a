#include "provisioner/remote/host_key.hpp"

#include <cstdint>

namespace provisioner::remote {

namespace {

constexpr std::string_view trusted_types =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

/// Source: RFC 4648, section 4.
std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
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

}  // namespace

std::string host_key_line(std::string_view key) {
    const std::size_t size =
        byte_at(key, 0) << 24 | byte_at(key, 1) << 16 | byte_at(key, 2) << 8 | byte_at(key, 3);
    if (size == 0 || key.size() < 4 || size > key.size() - 4) return {};
    return std::string(key.substr(4, size)) + " " + base64(key);
}

std::string_view without_comment(std::string_view line) {
    const std::size_t first = line.find(' ');
    if (first == std::string_view::npos) return line;
    return line.substr(0, line.find_first_of(" \r\n", first + 1));
}

std::string host_key_type(std::string_view line) {
    return std::string(line.substr(0, line.find(' ')));
}

bool same_host_key(std::string_view known, std::string_view shown) {
    return !known.empty() && without_comment(known) == without_comment(shown);
}

std::string host_key_algorithms(std::string_view known) {
    return known.empty() ? std::string(trusted_types) : host_key_type(known);
}

}  // namespace provisioner::remote
