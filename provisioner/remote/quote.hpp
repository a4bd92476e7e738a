#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// `word` as one word of a POSIX shell, whatever bytes it holds: unchanged when it is plain, else
/// in single quotes. The only way in which values reach a shell command line. Linear in its length.
/// Throws std::invalid_argument for a zero byte, which no shell word can hold. Source:
/// POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes.
std::string quote(std::string_view word);

}  // namespace provisioner::remote
