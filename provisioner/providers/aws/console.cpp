#include "provisioner/providers/aws/console.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace provisioner::providers::aws {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view first_line = "-----BEGIN SSH HOST KEY KEYS-----";
constexpr std::string_view last_line = "-----END SSH HOST KEY KEYS-----";

/// "ssh-ed25519 AAAA..." of a line that may have a prefix ("ec2: ") and a name behind; "" if the
/// line has no key of that type.
std::string key_in_line(const std::string& line, std::string_view type) {
    const auto at = line.find(type);
    if (at == std::string::npos) return {};
    std::istringstream words(line.substr(at));
    std::string kind;
    std::string key;
    words >> kind >> key;
    const bool is_key = kind.starts_with(type) && key.starts_with("AAAA") &&
                        key.find_first_not_of(std::string(alphabet) + "=") == std::string::npos;
    return is_key ? kind + " " + key : "";
}

}  // namespace

std::optional<std::string> from_base64(const std::string& text) {
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == ' ' || c == '=') continue;
        const auto value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<unsigned>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
        bits &= (1U << count) - 1;
    }
    return bytes;
}

std::string host_key_in_console(const std::string& console) {
    const auto begin = console.rfind(first_line);
    if (begin == std::string::npos) return {};
    const auto end = console.find(last_line, begin);
    // Without its end a line may be cut off, and half a key is another key.
    if (end == std::string::npos) return {};
    const std::string keys = console.substr(begin, end - begin);
    for (const std::string_view type : {"ssh-ed25519", "ecdsa-sha2-nistp256"}) {
        std::istringstream lines(keys);
        for (std::string line; std::getline(lines, line);) {
            std::string key = key_in_line(line, type);
            if (!key.empty()) return key;
        }
    }
    return {};
}

}  // namespace provisioner::providers::aws
