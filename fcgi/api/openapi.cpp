#include "fcgi/api/openapi.hpp"

#include <algorithm>

#include "fcgi/api/openapi_texts.hpp"

namespace fcgi::api {

using provisioner::base::Json;

namespace {

using Words = std::vector<std::pair<std::string_view, std::string_view>>;

const std::array<Words, 3> service_actions{{{{"action", "start"}, {"Action", "Start"}},
                                            {{"action", "stop"}, {"Action", "Stop"}},
                                            {{"action", "restart"}, {"Action", "Restart"}}}};

const std::array<Words, 2> plugin_kinds{{
    {{"kind", "providertypes"},
     {"Plugin", "ProviderType"},
     {"Plugins", "ProviderTypes"},
     {"Tag", "Provider types"}},
    {{"kind", "automatortypes"},
     {"Plugin", "AutomatorType"},
     {"Plugins", "AutomatorTypes"},
     {"Tag", "Automator types"}},
}};

Words collection(std::string_view path, std::string_view entity, std::string_view entities,
                 std::string_view tag) {
    return {{"collection", path}, {"Entity", entity}, {"Entities", entities}, {"Tag", tag}};
}

const std::array<Words, 6> collections{
    collection("providers", "Provider", "Providers", "Providers"),
    collection("hardwaretypes", "HardwareType", "HardwareTypes", "Hardware types"),
    collection("imagetypes", "ImageType", "ImageTypes", "Image types"),
    collection("services", "Service", "Services", "Services"),
    collection("clustertemplates", "ClusterTemplate", "ClusterTemplates", "Cluster templates"),
    collection("partialtemplates", "PartialTemplate", "PartialTemplates", "Partial templates")};

std::string filled(std::string_view text, const Words& words) {
    std::string copy(text);
    for (const auto& [word, value] : words) {
        const std::string placeholder = "@" + std::string(word) + "@";
        for (auto at = copy.find(placeholder); at != std::string::npos;
             at = copy.find(placeholder, at)) {
            copy.replace(at, placeholder.size(), value);
        }
    }
    return copy;
}

void add_paths(Json& document, std::string_view text) {
    const Json paths = Json::parse(text);
    for (const auto& [path, item] : paths.items()) document["paths"][path] = item;
}

Json reference(const std::string& component) {
    return {{"$ref", "#/components/" + component}};
}

void add_response(Json& responses, const char* status, const std::string& component) {
    if (!responses.contains(status)) responses[status] = reference("responses/" + component);
}

/// Adds the answers to visitors that may not use the call.
void add_refusals(Json& operation, bool only_reads) {
    const std::string needs = operation["x-needs"];
    if (needs == "nobody") {
        operation["security"] = Json::array();
        return;
    }
    Json& responses = operation["responses"];
    add_response(responses, "401", "Unidentified");
    if (needs == "admin") add_response(responses, "403", "AdminsOnly");
    if (needs == "superadmin") add_response(responses, "403", "SuperadminsOnly");
    if (!only_reads) add_response(responses, "403", "KeyOnlyReads");
    add_response(responses, "404", "NoTenant");
    add_response(responses, "429", "TooManyFailures");
}

void make_conditional(Json& operation) {
    operation["parameters"].push_back(reference("parameters/IfNoneMatch"));
    operation["responses"]["200"]["headers"]["ETag"] = reference("headers/ETag");
    add_response(operation["responses"], "304", "NotModified");
}

bool is_list(const Json& operation) {
    const Json::json_pointer type("/responses/200/content/application~1json/schema/type");
    return operation.contains(type) && operation[type] == "array";
}

/// Adds what listed() adds to every list: limit, cursor and the Link header.
void make_partial(Json& operation) {
    operation["parameters"].push_back(reference("parameters/Limit"));
    operation["parameters"].push_back(reference("parameters/Cursor"));
    operation["responses"]["200"]["headers"]["Link"] = reference("headers/Link");
    add_response(operation["responses"], "400", "NoSuchPart");
}

void sort_by_status(Json& responses) {
    Json sorted = Json::object();
    std::vector<std::string> statuses;
    for (const auto& [status, response] : responses.items()) statuses.push_back(status);
    std::sort(statuses.begin(), statuses.end());
    for (const std::string& status : statuses) sorted[status] = std::move(responses[status]);
    responses = std::move(sorted);
}

void add_request_id(Json& responses) {
    for (auto& [status, response] : responses.items()) {
        if (!response.contains("$ref")) {
            response["headers"]["X-Request-Id"] = reference("headers/RequestId");
        }
    }
}

/// Adds everything that holds for every call.
void complete(Json& operation, const std::string& method) {
    if (method == "get" && is_list(operation)) make_partial(operation);
    if (method == "get") make_conditional(operation);
    add_refusals(operation, method == "get" || operation.contains("x-only-reads"));
    // Not earlier: adding a member to an ordered object moves the others, so the reference would
    // dangle.
    Json& responses = operation["responses"];
    if (operation.contains("requestBody")) add_response(responses, "413", "TooLarge");
    add_response(responses, "503", "NotRunning");
    sort_by_status(responses);
    add_request_id(responses);
}

}  // namespace

Json openapi_document(const std::string& prefix) {
    const OpenApiTexts texts = openapi_texts();
    Json document = Json::parse(texts.base);
    if (!prefix.empty()) document["servers"][0]["url"] = prefix;
    document["components"]["schemas"] = Json::parse(texts.schemas);
    add_paths(document, texts.clusters);
    for (const Words& words : service_actions) {
        add_paths(document, filled(texts.service_action, words));
    }
    for (const Words& words : collections) add_paths(document, filled(texts.collection, words));
    for (const Words& words : plugin_kinds) add_paths(document, filled(texts.plugins, words));
    add_paths(document, texts.administration);
    add_paths(document, texts.access);
    add_paths(document, texts.audit);
    add_paths(document, texts.prices);
    for (auto& path : document["paths"].items()) {
        for (auto& [method, operation] : path.value().items()) {
            if (method != "parameters") complete(operation, method);
        }
    }
    add_request_id(document["components"]["responses"]);
    return document;
}

http::Response show_openapi(const http::Request& request, const auth::Visitor&, App&) {
    // Every request of a process has the same prefix.
    static const http::Response answer = http::json(200, openapi_document(request.prefix));
    return answer;
}

}  // namespace fcgi::api
