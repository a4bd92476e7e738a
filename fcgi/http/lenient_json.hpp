#pragma once

#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "provisioner/base/json.hpp"

namespace fcgi::http {

/// The text is not JSON, not even leniently. what() is a phrase that ends with the byte: "a colon
/// is missing at byte 12".
class JsonSyntaxError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Reads `text` with the leniencies listed at read_json. `text` must be valid UTF-8; a byte order
/// mark at its beginning is skipped. `depth_limit` is the deepest nesting accepted, >= 0; it also
/// bounds the recursion of the reader. `most_values` bounds values, names not counted. Throws
/// JsonSyntaxError. Only read_json calls it.
provisioner::base::Json read_lenient_json(std::string_view text, int depth_limit,
                                          std::size_t most_values);

}  // namespace fcgi::http
