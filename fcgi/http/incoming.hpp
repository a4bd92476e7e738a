#pragma once

#include <optional>
#include <stdexcept>

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// A body ended before its announced length, for example because the client went away. Site answers
/// 400.
class BodyTooShort : public std::runtime_error {
 public:
    BodyTooShort() : std::runtime_error("the request ended too early") {}
};

/// Reads Request::incoming into Request::body and sets `incoming` to null. Does nothing if
/// `incoming` is null already. Returns 413 for a body longer than `limit` bytes and leaves that
/// body unread. Throws BodyTooShort.
std::optional<Response> read_body(Request& request, std::uint64_t limit);

}  // namespace fcgi::http
