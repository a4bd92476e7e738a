#pragma once

#include <string>

namespace fcgi::pages {

/// What a page says for the message of a problem. The API has the words of its contract, some of
/// them without the form of a sentence; people get a sentence of their own for these, in their
/// language. Every other message is left as it is, but for a capital and a full stop. Pure.
std::string problem_words(const std::string& message);

}  // namespace fcgi::pages
