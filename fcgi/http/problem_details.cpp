#include "fcgi/http/problem_details.hpp"

namespace fcgi::http {
namespace {

using provisioner::base::Json;

constexpr auto media_type = "application/problem+json";

// `detail` is what a person reads first: the text, or the first message of a structured error.
std::string detail_of(const Response& response, const Json& body) {
    if (!body.is_object()) return response.body;
    const Json* problems = provisioner::base::member(body, "problems");
    const bool has_problem = problems != nullptr && problems->is_array() && !problems->empty();
    if (has_problem) return problems->front().value("message", "");
    return std::string(reason_phrase(response.status));
}

}  // namespace

Response problem_details(Response response, const Request& request) {
    const bool accepted = request.header("accept").find(media_type) != std::string::npos;
    if (response.status < 400 || !accepted) return response;
    const bool is_json = response.header("Content-Type") == "application/json";
    const Json body = is_json ? Json::parse(response.body, nullptr, false) : Json();
    Json details{{"type", "about:blank"},     {"title", reason_phrase(response.status)},
                 {"status", response.status}, {"detail", detail_of(response, body)},
                 {"instance", request.uri()}, {"requestId", request.id}};
    if (body.is_object()) details.update(body);
    response.body = details.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::erase_if(response.headers,
                  [](const auto& header) { return header.first == "Content-Type"; });
    response.headers.emplace_back("Content-Type", media_type);
    return response;
}

}  // namespace fcgi::http
