#pragma once

#include <cstdint>
#include <optional>

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// The largest body that is read as a whole: 150 MiB, the wire contract's limit.
constexpr std::int64_t body_limit = 150LL * 1024 * 1024;

/// A request without its body from FastCGI parameters: "NAME=value" texts, ended by a null pointer.
/// Headers come as HTTP_*, CONTENT_TYPE and CONTENT_LENGTH; the path is that of REQUEST_URI, as the
/// client sent it. Gives it a new id.
Request request_from_params(const char* const* params);

/// The number of bytes of the body; 0 when nothing is said, nothing when what is said is no number.
std::optional<std::int64_t> content_length(const Request& request);

/// The head of a FastCGI answer, its empty line included: "Status: 200 OK", the headers,
/// Content-Length. Control characters are left out of values, so that no value can begin a header
/// of its own.
std::string head_of(const Response& response);

}  // namespace fcgi::http
