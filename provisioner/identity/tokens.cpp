#include "provisioner/identity/tokens.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"

namespace provisioner::identity {
namespace {

constexpr std::string_view prefix = "coop_";
constexpr std::size_t random_part_bytes = 32;

bool is_lower_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

}  // namespace

base::Secret new_token() {
    return base::Secret(std::string(prefix) + base::random_hex(random_part_bytes));
}

bool looks_like_token(std::string_view text) {
    if (text.size() != prefix.size() + 2 * random_part_bytes || !text.starts_with(prefix))
        return false;
    const std::string_view digits = text.substr(prefix.size());
    return std::all_of(digits.begin(), digits.end(), is_lower_hex);
}

std::string hash_of_token(const base::Secret& token) {
    return checksum(token.reveal());
}

}  // namespace provisioner::identity
