#include "provisioner/remote/quote.hpp"

#include <algorithm>
#include <stdexcept>

namespace provisioner::remote {

namespace {

/// Characters that have no meaning for a shell anywhere in a word. '=' and '~' have one at some
/// places.
bool is_plain(char c) {
    const bool letter_or_digit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter_or_digit || std::string_view("_-./:,@%+").find(c) != std::string_view::npos;
}

}  // namespace

std::string quote(std::string_view word) {
    if (word.find('\0') != std::string_view::npos) {
        throw std::invalid_argument("a shell word cannot hold a zero byte");
    }
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
    std::string quoted;
    quoted.reserve(word.size() + 2);
    quoted += '\'';
    for (std::size_t end = word.find('\''); end != std::string_view::npos; end = word.find('\'')) {
        quoted.append(word.substr(0, end)).append(R"('\'')");
        word.remove_prefix(end + 1);
    }
    return quoted.append(word).append("'");
}

}  // namespace provisioner::remote
