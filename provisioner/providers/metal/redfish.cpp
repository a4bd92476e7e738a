#include "provisioner/providers/metal/redfish.hpp"

#include <algorithm>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/utf8.hpp"

namespace provisioner::providers::metal {

namespace {

constexpr std::size_t longest_words = 400;

http_client::Request request_to(const std::string& method, const std::string& url,
                                const std::string& path, const ControllerLogin& login) {
    http_client::Request request;
    request.method = method;
    request.url = url + path;
    const std::string credentials = login.user + ':' + login.password.reveal();
    request.headers = {{"Authorization", "Basic " + base::base64(credentials)},
                       {"Accept", "application/json"},
                       {"OData-Version", "4.0"}};
    request.authorities = login.authorities;
    // The list of machines says where their controllers are, and any tenant may have one.
    request.forbids_own_network = true;
    // Controllers are slow.
    request.limit = std::chrono::seconds{30};
    return request;
}

/// A path at the same controller: the login must not be sent anywhere else.
bool is_path(const std::string& text) {
    return text.starts_with("/") && !text.starts_with("//") &&
           text.find_first_of(" \r\n\\") == std::string::npos;
}

}  // namespace

http_client::Request get_request(const std::string& url, const std::string& path,
                                 const ControllerLogin& login) {
    return request_to("GET", url, path, login);
}

http_client::Request reset_request(const std::string& url, const std::string& target,
                                   const std::string& reset_type, const ControllerLogin& login) {
    auto request = request_to("POST", url, target, login);
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = base::to_text({{"ResetType", reset_type}});
    return request;
}

std::string ComputerSystem::first_of(const std::vector<std::string>& wanted) const {
    if (reset_types.empty()) return wanted.front();
    for (const std::string& type : wanted) {
        if (std::find(reset_types.begin(), reset_types.end(), type) != reset_types.end()) {
            return type;
        }
    }
    return "";
}

base::expected<ComputerSystem, std::string> system_in(const std::string& body) {
    const auto json = base::parse_json(body);
    if (!json || !json->is_object()) {
        return base::unexpected<std::string>("its answer is no JSON object");
    }
    ComputerSystem system;
    system.power_state = base::text_at(*json, "PowerState");
    const base::Json* actions = base::member(*json, "Actions");
    const base::Json* reset =
        actions == nullptr ? nullptr : base::member(*actions, "#ComputerSystem.Reset");
    if (reset == nullptr) {
        return base::unexpected<std::string>("it is no computer that can be reset");
    }
    system.reset_target = base::text_at(*reset, "target");
    if (!is_path(system.reset_target)) {
        return base::unexpected<std::string>("its reset has no target at the controller itself");
    }
    system.reset_types =
        base::strings_of(base::member(*reset, "ResetType@Redfish.AllowableValues"));
    return system;
}

base::expected<std::vector<std::string>, std::string> systems_in(const std::string& body) {
    const auto json = base::parse_json(body);
    const base::Json* members = json ? base::member(*json, "Members") : nullptr;
    if (members == nullptr || !members->is_array()) {
        return base::unexpected<std::string>("its list of computers has no Members");
    }
    std::vector<std::string> paths;
    for (const base::Json& each : *members) {
        const std::string path = base::text_at(each, "@odata.id");
        if (is_path(path)) paths.push_back(path);
    }
    return paths;
}

std::string failure_in(const http_client::Reply& reply) {
    std::string text = "HTTP status " + std::to_string(reply.status);
    const auto json = base::parse_json(reply.body);
    const base::Json* error = json ? base::member(*json, "error") : nullptr;
    if (error == nullptr) return text;
    std::string words;
    if (const base::Json* infos = base::member(*error, "@Message.ExtendedInfo");
        infos != nullptr && infos->is_array()) {
        for (const base::Json& info : *infos) {
            const std::string message = base::text_at(info, "Message");
            if (!message.empty()) words += (words.empty() ? "" : " ") + message;
        }
    }
    if (words.empty()) words = base::text_at(*error, "message");
    if (words.size() > longest_words) {
        words = std::string(base::utf8_prefix(words, longest_words)) + "...";
    }
    return words.empty() ? text : text + ": " + words;
}

}  // namespace provisioner::providers::metal
