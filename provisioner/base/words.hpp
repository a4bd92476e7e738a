#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace provisioner::base {

/// Table of an enum's values and their words, as the database and the API write them. The CHECK
/// constraints in sql/schema.sql list the same words. Each enum specialises it beside its
/// definition:
///
///     template <> inline constexpr std::array words<Color>{std::pair{Color::red, "red"sv}, ...};
///
/// Values and words must be unique; to_word() throws for a value without a row. Code that needs all
/// values of an enum loops over its table:
///
///     for (const auto& [color, word] : words<Color>) ...
/// The primary template is a placeholder that fails to compile when used.
template <class Enum>
inline constexpr int words = 0;

/// The word of `value`. Throws std::logic_error when the table lacks the value: a programming
/// error. Linear in the size of the table.
template <class Enum>
std::string to_word(Enum value) {
    for (const auto& [candidate, word] : words<Enum>) {
        if (candidate == value) return std::string(word);
    }
    throw std::logic_error("an enum value has no word");
}

/// The value of `word`; nothing for an unknown word. Case sensitive. For text from outside.
template <class Enum>
std::optional<Enum> from_word(std::string_view word) {
    for (const auto& [value, candidate] : words<Enum>) {
        if (candidate == word) return value;
    }
    return std::nullopt;
}

/// The value of a word that was read from our own database. Throws std::logic_error for an unknown
/// word: the row is damaged or was written by a newer version.
template <class Enum>
Enum stored_word(std::string_view word) {
    const auto value = from_word<Enum>(word);
    if (!value) throw std::logic_error("unknown word in the database: " + std::string(word));
    return *value;
}

/// `text` with a to z for A to Z; all other bytes stay, whatever the locale.
std::string in_small_letters(std::string_view text);

/// `text` with A to Z for a to z, likewise.
std::string in_capitals(std::string_view text);

}  // namespace provisioner::base
