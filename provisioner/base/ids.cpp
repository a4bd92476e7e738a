#include "provisioner/base/ids.hpp"

#include <sys/random.h>

#include <stdexcept>
#include <vector>

namespace provisioner::base {

std::string padded(std::int64_t value, int width) {
    std::string digits = std::to_string(value);
    if (digits.size() >= static_cast<std::size_t>(width)) return digits;
    return std::string(static_cast<std::size_t>(width) - digits.size(), '0') + digits;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() || value < 0 ||
        text.front() == '-') {
        return std::nullopt;
    }
    return value;
}

std::string random_hex(std::size_t bytes) {
    std::vector<unsigned char> raw(bytes);
    if (getrandom(raw.data(), raw.size(), 0) != static_cast<ssize_t>(bytes)) {
        throw std::runtime_error("the kernel gave no random bytes");
    }
    constexpr auto digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : raw) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string random_uuid() {
    std::string hex = random_hex(16);
    hex[12] = '4';
    hex[16] = "89ab"[hex[16] % 4];
    return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' +
           hex.substr(16, 4) + '-' + hex.substr(20);
}

}  // namespace provisioner::base
