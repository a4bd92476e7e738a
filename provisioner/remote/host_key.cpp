#include "provisioner/remote/host_key.hpp"

#include <cstdint>

#include "provisioner/base/base64.hpp"

namespace provisioner::remote {

namespace {

constexpr std::string_view trusted_types =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

}  // namespace

std::string host_key_line(std::string_view key) {
    const std::size_t size =
        byte_at(key, 0) << 24 | byte_at(key, 1) << 16 | byte_at(key, 2) << 8 | byte_at(key, 3);
    if (size == 0 || key.size() < 4 || size > key.size() - 4) return {};
    return std::string(key.substr(4, size)) + " " + base::base64(key);
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
    while (!known.empty()) {
        const auto end = known.find('\n');
        if (without_comment(known.substr(0, end)) == without_comment(shown)) return true;
        known = end == std::string_view::npos ? std::string_view() : known.substr(end + 1);
    }
    return false;
}

std::string host_key_algorithms(std::string_view known) {
    if (known.empty()) return std::string(trusted_types);
    std::string types;
    while (!known.empty()) {
        const auto end = known.find('\n');
        const std::string type = host_key_type(known.substr(0, end));
        if (types.find(type) == std::string::npos) types += (types.empty() ? "" : ",") + type;
        known = end == std::string_view::npos ? std::string_view() : known.substr(end + 1);
    }
    return types;
}

}  // namespace provisioner::remote
