#include "fcgi/http/message.hpp"

#include <algorithm>
#include <stdexcept>

namespace fcgi::http {
namespace {

const std::string nothing;

constexpr std::array reasons{
    std::pair{200, std::string_view("OK")},
    std::pair{201, std::string_view("Created")},
    std::pair{202, std::string_view("Accepted")},
    std::pair{204, std::string_view("No Content")},
    std::pair{303, std::string_view("See Other")},
    std::pair{304, std::string_view("Not Modified")},
    std::pair{400, std::string_view("Bad Request")},
    std::pair{401, std::string_view("Unauthorized")},
    std::pair{403, std::string_view("Forbidden")},
    std::pair{404, std::string_view("Not Found")},
    std::pair{405, std::string_view("Method Not Allowed")},
    std::pair{409, std::string_view("Conflict")},
    std::pair{413, std::string_view("Content Too Large")},
    std::pair{415, std::string_view("Unsupported Media Type")},
    std::pair{417, std::string_view("Expectation Failed")},
    std::pair{422, std::string_view("Unprocessable Content")},
    std::pair{429, std::string_view("Too Many Requests")},
    std::pair{500, std::string_view("Internal Server Error")},
    std::pair{503, std::string_view("Service Unavailable")},
};

}  // namespace

const std::string& Request::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? nothing : found->second;
}

const std::string& Request::path_value(const std::string& name) const {
    const auto found = path_values.find(name);
    if (found == path_values.end()) {
        throw std::logic_error("the route has no placeholder named " + name);
    }
    return found->second;
}

const SentFile* Request::file(std::string_view field) const {
    const auto found = std::ranges::find(files, field, &SentFile::field);
    const bool is_chosen = found != files.end() && (!found->name.empty() || !found->bytes.empty());
    return is_chosen ? &*found : nullptr;
}

std::optional<std::string> Request::query_value(std::string_view name) const {
    return parse_form(query).first(name);
}

std::string Request::here() const {
    return query.empty() ? path : path + '?' + query;
}

std::string Request::uri() const {
    return target.empty() ? here() : target;
}

const std::string& Response::header(std::string_view name) const {
    for (const auto& [candidate, value] : headers) {
        if (candidate == name) return value;
    }
    return nothing;
}

Response json(int status, const provisioner::base::Json& body) {
    return json_text(status, provisioner::base::to_text(body));
}

Response json_text(int status, std::string body) {
    return {status, {{"Content-Type", "application/json"}}, std::move(body)};
}

Response text(int status, std::string body) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body)};
}

Response empty(int status) {
    return {status, {}, {}};
}

Response html(int status, std::string body) {
    return {status, {{"Content-Type", "text/html; charset=utf-8"}}, std::move(body)};
}

Response see_other(const std::string& location) {
    return {303, {{"Location", location}}, {}};
}

Response with_header(Response response, std::string name, std::string value) {
    response.headers.emplace_back(std::move(name), std::move(value));
    return response;
}

std::string_view reason_phrase(int status) {
    for (const auto& [candidate, phrase] : reasons) {
        if (candidate == status) return phrase;
    }
    return "Unknown";
}

}  // namespace fcgi::http
