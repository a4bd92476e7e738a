#pragma once

#include <string_view>

namespace fcgi::api {

/// The JSON files of fcgi/api/openapi as text. CMake writes them into a generated .cpp
/// (openapi/texts.cpp.in) when it configures the build. The views point to string literals, so they
/// are always valid.
struct OpenApiTexts {
    /// The document without paths and schemas.
    std::string_view base;
    /// The value of components.schemas.
    std::string_view schemas;
    /// Paths below /v2/clusters, except those of `service_action`.
    std::string_view clusters;
    /// The paths of one action on services. @action@ and @Action@ stand for its name.
    std::string_view service_action;
    /// The paths of one catalogue collection. @collection@, @Entity@, @Entities@ and @Tag@ stand
    /// for its names.
    std::string_view collection;
    /// The paths of one kind of plugin. @kind@, @Plugin@, @Plugins@ and @Tag@ stand for its names.
    std::string_view plugins;
    /// The paths of groups and permissions.
    std::string_view access;
    /// The paths of the audit log.
    std::string_view audit;
    /// The paths of price lists and budgets.
    std::string_view prices;
    /// All other paths.
    std::string_view administration;
};

/// Defined in the generated file.
OpenApiTexts openapi_texts();

}  // namespace fcgi::api
