#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/contents/content_store.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::http {

/// One request as nginx passed it on. request_from_params fills it, Site adds body and path values,
/// handlers read it. One thread owns it while it is answered.
struct Request {
    /// "GET", "POST", and so on. HEAD for a page arrives at its handler as "GET".
    std::string method;
    /// Path below `prefix`, without the query, percent-encoded as the client sent it.
    std::string path;
    /// What came before `path`: the setting web.prefix, or nothing. Site fills it in.
    std::string prefix;
    /// The tenant that a superadmin views at this address, and what came between `prefix` and
    /// `path` for it: "demo" and "/view/demo". Site fills both in; empty for any other address.
    std::string view{};
    std::string view_path{};
    /// Query without "?", as sent; empty if there is none.
    std::string query;
    /// The whole body. Empty while it is still `incoming`.
    std::string body;
    /// The files of a form of a page; the body is urlencoded() then, whatever was sent.
    std::vector<SentFile> files{};
    /// The unread body; null once it has been read. Not owned; valid while the request is answered.
    /// Reading it throws BodyTooShort. Handlers see it only on routes with streams_body.
    provisioner::contents::Source* incoming = nullptr;
    /// Announced length of the body in bytes (Content-Length). It keeps its value after the body
    /// was read.
    std::uint64_t incoming_size = 0;
    /// True if the web server keeps the body back and asks only whether the request may be made.
    /// Then no handler is called, nothing changes, and the answer is http::verdict().
    bool is_body_withheld = false;
    /// Header names in lower case with hyphens, for example "coopr-userid".
    std::map<std::string, std::string> headers;
    /// Values of the route's {placeholders}, percent-decoded, valid UTF-8. Set before the handler
    /// runs.
    std::map<std::string, std::string> path_values;
    /// True if the browser came over TLS. nginx says so (parameter HTTPS).
    bool secure = false;
    /// Names this request in answers (X-Request-Id) and logs: what the client sent as X-Request-Id
    /// if that is a name (params.hpp), otherwise 32 random hexadecimal digits.
    std::string id;
    /// Number of its route in the table; the greatest number until that is found.
    std::size_t route = static_cast<std::size_t>(-1);
    /// "tenant/user" once it is known who asks, for the log.
    std::string asked_by;
    /// Who asks, once it is known.
    std::optional<provisioner::model::Caller> asker;
    /// Whether the one who asks is a superadmin who views the tenant of `asker`.
    bool is_of_view = false;
    /// Path and query exactly as sent. Empty if the request was not read from the wire, as in
    /// tests.
    std::string target;
    /// Address of the client, as nginx sees it. Site counts failed API keys by it.
    std::string client;

    /// The value of a header; empty if it was not sent. `name` in lower case.
    const std::string& header(const std::string& name) const;
    /// The file of that control; null if none was sent or chosen.
    const SentFile* file(std::string_view field) const;
    /// The value of a placeholder. Throws std::logic_error if the route has no such placeholder.
    const std::string& path_value(const std::string& name) const;
    /// The first value of a query parameter, decoded; nothing if it was not sent. Parses the query
    /// on each call.
    std::optional<std::string> query_value(std::string_view name) const;
    /// Path and query below the prefix: what a link or a form leads back by.
    std::string here() const;
    /// Path and query as sent, for messages.
    std::string uri() const;
};

/// One answer. Site adds headers that every answer carries; serve() writes it.
struct Response {
    /// HTTP status, one of those that reason_phrase names.
    int status = 200;
    /// In the order sent. A name may occur more than once (Set-Cookie). head_of adds
    /// Content-Length.
    std::vector<std::pair<std::string, std::string>> headers;
    /// May be empty.
    std::string body;
    /// What a page says that has nothing but one sentence (plain_page). Site puts navigation and a
    /// way on around it. Empty for every other response.
    std::string sentence{};
    /// Why the page of a refusal refuses, for the audit log; empty where the sentence says it.
    std::string refusal{};
    /// Whether whoever made the answer has written an event about the refusal: the audit log needs
    /// no other one.
    bool has_own_event = false;
    /// What that page is headed with; empty: words that fit the status.
    std::string heading{};
    /// True for a form that a button only drew anew: nothing was carried out, and it may be sent
    /// once more.
    bool is_redrawn_form = false;
    /// A form that was kept and can be carried out now: its address below the prefix, and its
    /// fields without the csrf token. Site carries it out with the session of this response's
    /// cookie, and answers what comes of it. Empty for every other response.
    std::string next_form{};
    std::string next_fields{};

    /// The first header of that name, in the spelling it was added with; empty if there is none.
    const std::string& header(std::string_view name) const;
};

/// JSON as the wire contract writes it: compact, members in the order they were added. Invalid
/// UTF-8 becomes U+FFFD.
Response json(int status, const provisioner::base::Json& body);
/// The same for a body that is JSON text already.
Response json_text(int status, std::string body);
/// Plain text, the form of the wire contract's errors. No line end is added.
Response text(int status, std::string body);
/// No body and no Content-Type.
Response empty(int status);
/// An HTML page. The caller has escaped every value in it.
Response html(int status, std::string body);
/// 303: the browser loads `location` with GET. Answers a form that has succeeded, so that a reload
/// does not send it again.
Response see_other(const std::string& location);

/// The response with one more header at the end. An earlier header of that name stays.
Response with_header(Response response, std::string name, std::string value);

/// "Not Found" for 404, and so on; "Unknown" for a status that this program never sends.
std::string_view reason_phrase(int status);

}  // namespace fcgi::http
