#pragma once

#include <string_view>

namespace fcgi::api {

/// The parts of the description of the API as they are written in fcgi/api/openapi; each is JSON.
struct OpenApiTexts {
    /// The document without paths and schemas.
    std::string_view base;
    /// components.schemas.
    std::string_view schemas;
    /// Paths below /v2/clusters, but those of service_action.
    std::string_view clusters;
    /// The paths of one action on services, with @action@ and @Action@ in place of its name.
    std::string_view service_action;
    /// The paths of one collection of the catalogue, with @words@ in place of its names.
    std::string_view collection;
    /// The paths of one kind of plugins, likewise.
    std::string_view plugins;
    /// All other paths.
    std::string_view administration;
};

OpenApiTexts openapi_texts();

}  // namespace fcgi::api
