#include "provisioner/providers/joyent/openssh_key.hpp"

#include <cstdint>
#include <optional>

namespace provisioner::providers::joyent {

namespace {

constexpr std::string_view magic{"openssh-key-v1\0", 15};
constexpr std::size_t ed25519_pair = 64;
constexpr std::size_t ed25519_seed_size = 32;

/// Reads what stands one after the other. After the first piece that is missing all are empty.
class Pieces {
 public:
    explicit Pieces(std::string_view bytes) : bytes_(bytes) {}

    bool is_whole() const { return is_whole_; }

    std::uint32_t number() {
        const std::string_view four = take(4);
        std::uint32_t value = 0;
        for (const char c : four) value = value << 8 | static_cast<unsigned char>(c);
        return value;
    }
    std::string_view text() { return take(number()); }

 private:
    std::string_view take(std::size_t size) {
        is_whole_ = is_whole_ && size <= bytes_.size();
        if (!is_whole_) return {};
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

    std::string_view bytes_;
    bool is_whole_ = true;
};

int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes between the first two lines of hyphens; characters that are no base64 are skipped.
std::string body_of(std::string_view text) {
    const auto begin = text.find('\n');
    const auto end = text.find("-----END");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return "";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text.substr(begin, end - begin)) {
        const int value = value_of(c);
        if (value < 0) continue;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

std::string broken() {
    return "the file is a broken OpenSSH key";
}

base::expected<std::variant<RsaParts, Ed25519Seed>, std::string> parts_in(Pieces& pieces) {
    const std::string type(pieces.text());
    if (type == "ssh-ed25519") {
        pieces.text();
        const std::string_view pair = pieces.text();
        if (pair.size() != ed25519_pair) return base::unexpected(broken());
        return Ed25519Seed{std::string(pair.substr(0, ed25519_seed_size))};
    }
    if (type != "ssh-rsa") {
        return base::unexpected("a key of type " + type +
                                " must be in PEM: ssh-keygen -p -m PEM -f FILE converts it");
    }
    RsaParts parts;
    parts.n = pieces.text();
    parts.e = pieces.text();
    parts.d = pieces.text();
    pieces.text();  // The coefficient, which OpenSSL does without.
    parts.p = pieces.text();
    parts.q = pieces.text();
    if (!pieces.is_whole()) return base::unexpected(broken());
    return parts;
}

}  // namespace

base::expected<std::variant<RsaParts, Ed25519Seed>, std::string> openssh_key_in(
    std::string_view text) {
    const std::string bytes = body_of(text);
    if (!bytes.starts_with(magic)) return base::unexpected(broken());
    Pieces outer(std::string_view(bytes).substr(magic.size()));
    const std::string cipher(outer.text());
    outer.text();
    outer.text();
    outer.number();
    outer.text();
    const std::string_view inside = outer.text();
    if (!outer.is_whole()) return base::unexpected(broken());
    if (cipher != "none") {
        return base::unexpected(std::string("the key has a passphrase: upload one without"));
    }
    Pieces inner(inside);
    if (inner.number() != inner.number() || !inner.is_whole()) return base::unexpected(broken());
    return parts_in(inner);
}

}  // namespace provisioner::providers::joyent
