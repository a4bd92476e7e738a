#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/contents/content_store.hpp"

namespace fcgi::http {

/// One request as nginx hands it over.
struct Request {
    /// "GET", "POST", ...
    std::string method;
    /// Path without the query, percent-encoded as sent.
    std::string path;
    /// Query without "?".
    std::string query;
    /// The body, unless it is still `incoming`.
    std::string body;
    /// The body while nobody has read it; null when there is no more to read. Reading it throws
    /// BodyTooShort. It lives as long as the request is being answered.
    provisioner::contents::Source* incoming = nullptr;
    /// The bytes of `incoming`, as announced.
    std::uint64_t incoming_size = 0;
    /// Header names in lower case with hyphens, for example "coopr-userid".
    std::map<std::string, std::string> headers;
    /// Values of the route's {placeholders}, percent-decoded.
    std::map<std::string, std::string> path_values;
    /// Whether the browser came over TLS.
    bool secure = false;
    /// Names this request in answers and logs.
    std::string id;
    /// Path and query exactly as sent; empty when the request was not read from the wire.
    std::string target;
    /// Address of the client, for logs.
    std::string client;

    /// The header's value; empty when it was not sent. `name` in lower case.
    const std::string& header(const std::string& name) const;
    /// The placeholder's value; throws std::logic_error if the route has no such placeholder.
    const std::string& path_value(const std::string& name) const;
    /// The first value of a query parameter, decoded; nothing when it is not there.
    std::optional<std::string> query_value(std::string_view name) const;
    /// Path and query as sent, for messages.
    std::string uri() const;
};

/// One answer.
struct Response {
    int status = 200;
    /// In the order sent; Content-Length is added when written.
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;

    /// The first header of that name, spelt as written; empty when there is none.
    const std::string& header(std::string_view name) const;
};

/// JSON of the wire contract: compact, `Content-Type: application/json`.
Response json(int status, const provisioner::base::Json& body);
/// The same of what is text already.
Response json_text(int status, std::string body);
/// Plain text as the wire contract's errors are written, no newline added.
Response text(int status, std::string body);
/// No body and no content type.
Response empty(int status);
/// An HTML page.
Response html(int status, std::string body);
/// 303: go there with GET.
Response see_other(const std::string& location);

/// The answer with one header more.
Response with_header(Response response, std::string name, std::string value);

/// "Not Found" for 404 and so on; "Unknown" for a status we never send.
std::string_view reason_phrase(int status);

}  // namespace fcgi::http
