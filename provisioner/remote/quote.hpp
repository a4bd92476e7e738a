#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// `word` as one word of a POSIX shell, whatever is in it: as it is when it is plain, else in
/// single quotes. Throws std::invalid_argument for a zero byte, which no shell word can hold.
/// Source: POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes.
std::string quote(std::string_view word);

}  // namespace provisioner::remote
