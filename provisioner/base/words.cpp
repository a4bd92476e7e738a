#include "provisioner/base/words.hpp"

namespace provisioner::base {

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return small;
}

std::string in_capitals(std::string_view text) {
    std::string capital(text);
    for (char& c : capital) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return capital;
}

}  // namespace provisioner::base
