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
/// body unread. The body of a form of a page with files becomes one without, and the files
/// Request::files; 400 for a damaged one. Throws BodyTooShort.
std::optional<Response> read_body(Request& request, std::uint64_t limit);

/// What a web server is told that asked without the body (Request::is_body_withheld). 204 where
/// `response` is none of refusal: it may read the body and ask again. Otherwise 403 with the other
/// headers of the refusal, its status in Cooperage-Refusal and its body in Cooperage-Refusal-Text:
/// nginx passes on neither status nor body of such an answer. A body of several lines becomes one,
/// and a long one the words of its status.
Response verdict(Response response);

}  // namespace fcgi::http
