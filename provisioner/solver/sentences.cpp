#include "provisioner/solver/sentences.hpp"

#include <cctype>
#include <string_view>

namespace provisioner::solver {

std::string joined(const std::vector<std::string>& names, const std::string& separator) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) text += (i > 0 ? separator : "") + names[i];
    return text;
}

std::string listed(const std::vector<std::string>& names, const std::string& last) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " " + last + " " : ", ";
        text += names[i];
    }
    return text;
}

std::string capitalised(std::string text) {
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return text;
}

std::string an(const std::string& noun) {
    constexpr std::string_view vowels = "aeiou";
    const bool vowel = !noun.empty() && vowels.find(noun[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + noun;
}

std::string counted(long count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace provisioner::solver
