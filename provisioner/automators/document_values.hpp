#pragma once

#include <string>

#include "provisioner/automators/pieced_text.hpp"

namespace provisioner::automators {

/// A string as it is, anything else as compact JSON.
std::string plain_text(const base::Json& json);

/// The value at a JSON pointer as plain_text(); empty when it is not there.
std::string value_at(const base::Json& document, const char* pointer);

/// Every value of `document` as a line `key<TAB>value`, where the key is its path with slashes. A
/// node reads it with plain sh instead of parsing JSON. An array has a line for itself, its
/// elements one to a line, and lines for what is in it, by position from 0. Backslashes, tabs and
/// line ends are written as \\, \t, \n and \r, which printf %b undoes; zero bytes, which no shell
/// can hold, are left out.
PiecedText values_table(const base::Json& document, const SharedValues& shared);

}  // namespace provisioner::automators
