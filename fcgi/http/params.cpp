#include "fcgi/http/params.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"

namespace fcgi::http {
namespace {

/// "USER_AGENT" -> "user-agent".
std::string header_name(std::string_view param) {
    std::string name = provisioner::base::in_small_letters(param);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

void set_target(Request& request, std::string_view target) {
    const auto question = std::min(target.find('?'), target.size());
    request.target = std::string(target);
    request.path = std::string(target.substr(0, question));
    if (question < target.size()) request.query = std::string(target.substr(question + 1));
}

void set_param(Request& request, std::string_view name, std::string_view value) {
    constexpr std::string_view header_prefix = "HTTP_";
    if (name == "REQUEST_METHOD") {
        if (!request.is_body_withheld) request.method = std::string(value);
    } else if (name == "REQUEST_URI") {
        set_target(request, value);
    } else if (name == "HTTPS") {
        request.secure = value == "on";
    } else if (name == "BODY_WITHHELD") {
        request.is_body_withheld = !value.empty();
        if (request.is_body_withheld) request.method = std::string(value);
    } else if (name == "REMOTE_ADDR") {
        request.client = std::string(value);
    } else if (name == "CONTENT_TYPE" || name == "CONTENT_LENGTH") {
        request.headers[header_name(name)] = std::string(value);
    } else if (name.starts_with(header_prefix)) {
        request.headers[header_name(name.substr(header_prefix.size()))] = std::string(value);
    }
}

/// Short, and nothing that means something to a shell, a log or a browser.
bool is_request_id(std::string_view text) {
    constexpr std::size_t shortest = 8;
    constexpr std::size_t longest = 64;
    return text.size() >= shortest && text.size() <= longest &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '-';
           });
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

}  // namespace

Request request_from_params(const char* const* params) {
    Request request;
    for (; *params != nullptr; ++params) {
        const std::string_view param = *params;
        const auto equals = param.find('=');
        if (equals == std::string_view::npos) continue;
        set_param(request, param.substr(0, equals), param.substr(equals + 1));
    }
    const std::string& sent = request.header("x-request-id");
    request.id = is_request_id(sent) ? sent : provisioner::base::random_hex(16);
    return request;
}

std::optional<std::int64_t> content_length(const Request& request) {
    const std::string& text = request.header("content-length");
    if (text.empty()) return 0;
    return provisioner::base::parse_number(text);
}

std::string head_of(const Response& response) {
    std::string head = "Status: " + std::to_string(response.status) + ' ' +
                       std::string(reason_phrase(response.status)) + "\r\n";
    for (const auto& [name, value] : response.headers) {
        head += name + ": ";
        std::copy_if(value.begin(), value.end(), std::back_inserter(head),
                     [](char c) { return !is_control(c); });
        head += "\r\n";
    }
    head += "Content-Length: " + std::to_string(response.body.size()) + "\r\n\r\n";
    return head;
}

}  // namespace fcgi::http
