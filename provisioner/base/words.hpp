#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace provisioner::base {

/// The words of an enum as the database and the API write them. Specialise next to the enum:
///     template <> inline constexpr std::array words<Color>{std::pair{Color::red, "red"sv}, ...};
template <class Enum>
inline constexpr int words = 0;

/// The word of `value`; throws std::logic_error for a value without one.
template <class Enum>
std::string to_word(Enum value) {
    for (const auto& [candidate, word] : words<Enum>) {
        if (candidate == value) return std::string(word);
    }
    throw std::logic_error("an enum value has no word");
}

/// The value `word` stands for; nothing for an unknown word.
template <class Enum>
std::optional<Enum> from_word(std::string_view word) {
    for (const auto& [value, candidate] : words<Enum>) {
        if (candidate == word) return value;
    }
    return std::nullopt;
}

/// The value a word read from our own database stands for; throws std::logic_error for an unknown
/// word.
template <class Enum>
Enum stored_word(std::string_view word) {
    const auto value = from_word<Enum>(word);
    if (!value) throw std::logic_error("unknown word in the database: " + std::string(word));
    return *value;
}

}  // namespace provisioner::base
