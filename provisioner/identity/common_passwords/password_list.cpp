#include "provisioner/identity/common_passwords/password_list.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace provisioner::identity {

namespace {

constexpr std::size_t longest_line = 1024;

PasswordList& list_of_this_process() {
    static PasswordList list;
    return list;
}

char in_small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

PasswordList::PasswordList(std::string text) : text_(text.begin(), text.end()) {
    std::transform(text_.begin(), text_.end(), text_.begin(), in_small);
    const std::string_view all(text_.data(), text_.size());
    for (std::size_t at = 0; at < all.size();) {
        const auto end = std::min(all.find('\n', at), all.size());
        std::string_view word = all.substr(at, end - at);
        if (word.ends_with('\r')) word.remove_suffix(1);
        if (!word.empty() && word.size() <= longest_line) words_.push_back(word);
        at = end + 1;
    }
    std::sort(words_.begin(), words_.end());
}

PasswordList PasswordList::of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("the list of passwords " + path + " cannot be read");
    std::string text;
    std::vector<char> piece(1UL << 16U);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           file.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > most_bytes) {
            throw std::runtime_error("the list of passwords " + path + " is larger than 64 MiB");
        }
    }
    if (file.bad()) throw std::runtime_error("the list of passwords " + path + " cannot be read");
    PasswordList list(std::move(text));
    if (list.size() == 0) {
        throw std::runtime_error("the list of passwords " + path + " has no password");
    }
    return list;
}

bool PasswordList::contains(std::string_view password) const {
    std::string text(password);
    std::transform(text.begin(), text.end(), text.begin(), in_small);
    return std::binary_search(words_.begin(), words_.end(), std::string_view(text));
}

void use_password_list(PasswordList list) {
    list_of_this_process() = std::move(list);
}

const PasswordList& password_list() {
    return list_of_this_process();
}

}  // namespace provisioner::identity
