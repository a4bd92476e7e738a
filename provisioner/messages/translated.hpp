#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace provisioner::messages {

namespace detail {

std::string as_text(std::integral auto number) {
    return std::to_string(number);
}
inline std::string as_text(std::string_view text) {
    return std::string(text);
}

std::string with_commas(std::string digits);
std::string filled(std::string_view english, std::initializer_list<std::string> values);
std::string filled_count(unsigned long number, std::string_view one, std::string_view many,
                         std::initializer_list<std::string> values);

}  // namespace detail

/// A quantity for people, not below zero: "12,345".
std::string grouped(std::integral auto number) {
    return detail::with_commas(std::to_string(number));
}

/// A text for people, in the language of this thread's reader: translated("Delete {0}?", name).
/// {0}, {1} … are replaced by the values, which are not looked at again. The English text is a
/// literal, because the catalogue for translators is made of what stands here in the source, and a
/// whole sentence where possible: other languages have another order of words.
template <class... Values>
std::string translated(std::string_view english, const Values&... values) {
    return detail::filled(english, {detail::as_text(values)...});
}

/// The same for a text with a quantity, which is {0}, grouped(); the values are {1}, {2} …:
/// translated_count(n, "{0} machine", "{0} machines").
template <class... Values>
std::string translated_count(unsigned long number, std::string_view one, std::string_view many,
                             const Values&... values) {
    return detail::filled_count(number, one, many, {grouped(number), detail::as_text(values)...});
}

/// Marks a literal for translators that translated() is given later, of a table for example.
constexpr const char* for_translation(const char* english) {
    return english;
}

}  // namespace provisioner::messages
