#pragma once

#include <cstdint>
#include <optional>

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// Largest body of an API call that is read as a whole, in bytes: 150 MiB, the wire contract's
/// limit. Routes with streams_body have App::largest_upload instead.
constexpr std::uint64_t body_limit = 150ULL * 1024 * 1024;

/// Largest body of a form, and of any request whose sender is not identified, in bytes.
/// nginx/site.conf has both limits, too.
constexpr std::uint64_t form_limit = 8ULL * 1024 * 1024;

/// Builds a request, without its body, from FastCGI parameters: an array of "NAME=value" texts that
/// a null pointer ends. Headers come from HTTP_*, CONTENT_TYPE and CONTENT_LENGTH. The path comes
/// from REQUEST_URI, as the client sent it. Unknown parameters are ignored. nginx/fastcgi_params
/// lists the parameters.
///
/// The id is the client's X-Request-Id if it has 8 to 64 letters, digits and hyphens; otherwise it
/// is new and random.
Request request_from_params(const char* const* params);

/// Length of the body in bytes, >= 0. Without a Content-Length it is 0; nothing if the header is
/// not a number.
std::optional<std::int64_t> content_length(const Request& request);

/// The head of a FastCGI answer: "Status: 200 OK", the headers, Content-Length and the empty line
/// at the end. Control characters are removed from header values, so that no value can start a
/// header of its own.
std::string head_of(const Response& response);

}  // namespace fcgi::http
