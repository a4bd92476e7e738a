#pragma once

#include <optional>
#include <stdexcept>

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// A body ended before the length it was announced with.
class BodyTooShort : public std::runtime_error {
 public:
    BodyTooShort() : std::runtime_error("the request ended too early") {}
};

/// Reads what is incoming into the request's body. Returns the answer to a body that is larger than
/// body_limit, which is not read; throws BodyTooShort.
std::optional<Response> read_body(Request& request);

}  // namespace fcgi::http
