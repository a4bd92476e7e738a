#pragma once

#include <cstdint>
#include <optional>

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// Largest body of an API call that is read as a whole, in bytes: 150 MiB, the wire contract's
/// limit. Only calls of admins may be as large: they send whole catalogues. Routes with
/// streams_body have App::largest_upload instead. nginx/site.conf has this limit, too.
constexpr std::uint64_t body_limit = 150ULL * 1024 * 1024;

/// The same for calls that every user may make.
constexpr std::uint64_t call_limit = 8ULL * 1024 * 1024;

/// Largest body of a form, and of any request whose sender is not identified, in bytes.
constexpr std::uint64_t form_limit = 64ULL * 1024;

/// The same for forms with a text or a list in them: configurations, provider fields with keys and
/// certificates, and the machines of a cluster, which may have 10,000.
constexpr std::uint64_t long_form_limit = 1024ULL * 1024;

/// The same for price lists of up to 50,000 prices, which admins paste. nginx/site.conf has this
/// limit for all forms.
constexpr std::uint64_t price_form_limit = 8ULL * 1024 * 1024;

/// The same for forms with a file. It is held in memory: larger ones go to the API, which streams.
constexpr std::uint64_t file_form_limit = price_form_limit;

/// Builds a request, without its body, from FastCGI parameters: an array of "NAME=value" texts that
/// a null pointer ends. Headers come from HTTP_*, CONTENT_TYPE and CONTENT_LENGTH. The path comes
/// from REQUEST_URI, as the client sent it. Unknown parameters are ignored. nginx/fastcgi_params
/// lists the parameters.
///
/// A web server that keeps the body back says the method in BODY_WITHHELD and ASK in
/// REQUEST_METHOD. A program that does not know this answers 405, instead of doing what was asked
/// with an empty body.
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
