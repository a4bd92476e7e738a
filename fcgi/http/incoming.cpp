#include "fcgi/http/incoming.hpp"

#include <algorithm>

#include "fcgi/http/errors.hpp"

namespace fcgi::http {
namespace {

constexpr std::size_t read_at_once = 64UL * 1024UL;

/// nginx takes 16 KiB of headers.
constexpr std::size_t longest_header = 8UL * 1024UL;

/// Makes a multipart body one as parse_form() reads it, and Request::files. 400 for a damaged one.
std::optional<Response> split_files(Request& request) {
    const auto boundary = boundary_in(request.header("content-type"));
    if (!boundary) return std::nullopt;
    auto form = parse_multipart(request.body, *boundary);
    if (!form) return plain_page(400, "The form arrived damaged. Send it again.");
    request.body = urlencoded(form->fields);
    request.files = std::move(form->files);
    return std::nullopt;
}

}  // namespace

std::optional<Response> read_body(Request& request, std::uint64_t limit) {
    if (request.incoming == nullptr) return std::nullopt;
    if (request.incoming_size > limit) return too_large(request, limit);
    // The buffer grows as bytes arrive, so a client that announces much and sends little costs
    // little memory.
    std::string& body = request.body;
    while (body.size() < request.incoming_size) {
        const std::size_t had = body.size();
        const std::size_t wanted = std::min<std::size_t>(read_at_once, request.incoming_size - had);
        body.resize(had + wanted);
        body.resize(had + request.incoming->read(body.data() + had, wanted));
    }
    request.incoming = nullptr;
    return is_for_api(request) ? std::nullopt : split_files(request);
}

Response verdict(Response response) {
    if (response.status < 300) return empty(204);
    const bool fits = response.body.size() <= longest_header;
    const std::string text = fits ? response.body : std::string(reason_phrase(response.status));
    response = with_header(std::move(response), "Cooperage-Refusal-Text", text);
    response =
        with_header(std::move(response), "Cooperage-Refusal", std::to_string(response.status));
    response.status = 403;
    response.body.clear();
    return response;
}

}  // namespace fcgi::http
