#include "provisioner/identity/common_passwords/common_passwords.hpp"

#include <algorithm>
#include <string>

#include "provisioner/identity/common_passwords/password_list.hpp"

namespace provisioner::identity {

namespace {

std::vector<std::string_view> words_of_the_list() {
    std::vector<std::string_view> words;
    for (const std::string_view piece : common_password_pieces()) {
        for (std::size_t at = 0; at < piece.size();) {
            const auto end = std::min(piece.find('\n', at), piece.size());
            if (end > at) words.push_back(piece.substr(at, end - at));
            at = end + 1;
        }
    }
    std::sort(words.begin(), words.end());
    return words;
}

const std::vector<std::string_view>& words() {
    static const std::vector<std::string_view> all = words_of_the_list();
    return all;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool is_common_password(std::string_view password) {
    std::string text(password);
    std::transform(text.begin(), text.end(), text.begin(), lower);
    return std::binary_search(words().begin(), words().end(), std::string_view(text)) ||
           password_list().contains(text);
}

std::size_t common_passwords_from(std::size_t least) {
    const auto& all = words();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](std::string_view word) { return word.size() >= least; }));
}

}  // namespace provisioner::identity
