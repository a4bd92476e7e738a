#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fcgi::pages {

// What changes in a text that its lines do not show. Pure.

/// How many lines end with CR LF.
std::size_t windows_ends(const std::string& text);

/// Whether texts of the same lines end them alike, but for the last one.
bool have_same_line_ends(const std::string& before, const std::string& after);

/// The text without a byte order mark, its lines ending with LF.
std::string with_plain_ends(const std::string& text);

/// What became of the ends of lines, of a byte order mark and of the newline at the end: sentences
/// without their full stops.
std::vector<std::string> words_on_unseen_changes(const std::string& before,
                                                 const std::string& after);

/// The same without the ends of lines: "A byte order mark was added", "The newline at the end was
/// removed".
std::vector<std::string> words_on_ends_of_text(const std::string& before, const std::string& after);

}  // namespace fcgi::pages
