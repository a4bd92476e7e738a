#pragma once

#include <string>

#include "provisioner/automators/pieced_text.hpp"

namespace provisioner::automators {

/// A string as it is; anything else as compact JSON.
std::string plain_text(const base::Json& json);

/// The value at a JSON pointer as plain_text(); empty if there is none. Throws for a malformed
/// pointer.
std::string value_at(const base::Json& document, const char* pointer);

/// Every value of `document` as a line `key<TAB>value`. The key is its path with slashes. A node
/// reads the table with plain sh and needs no JSON parser.
///
/// An array has a line of its own, with its elements separated by escaped line ends. Further lines
/// hold its elements by position from 0. An object has only the lines of its members. Backslashes,
/// tabs and line ends are written as \\, \t, \n and \r; printf %b undoes that. Zero bytes, which no
/// shell can hold, are left out. Large shared values stay shared pieces of the text.
PiecedText values_table(const base::Json& document, const SharedValues& shared);

}  // namespace provisioner::automators
