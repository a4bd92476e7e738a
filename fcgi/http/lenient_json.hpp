#pragma once

#include <stdexcept>
#include <string_view>

#include "provisioner/base/json.hpp"

namespace fcgi::http {

/// Why a text is no JSON even leniently; `what` is a sentence that names the byte.
class JsonSyntaxError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Reads `text`, well-formed UTF-8, with the leniencies listed at read_json. Throws
/// JsonSyntaxError.
provisioner::base::Json read_lenient_json(std::string_view text, int depth_limit);

}  // namespace fcgi::http
