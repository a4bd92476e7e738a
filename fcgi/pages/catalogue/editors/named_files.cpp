#include "fcgi/pages/catalogue/editors/named_files.hpp"

#include <algorithm>
#include <optional>

#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::PluginType;

namespace {

using FileNames = std::vector<std::string>;

const FileNames& names_on(const std::map<std::string, FileNames>& shelves, const PluginType& type,
                          const std::string& resource_type) {
    static const FileNames none;
    const auto found = shelves.find(type.header.name + '/' + resource_type);
    return found == shelves.end() ? none : found->second;
}

/// The resource type that a field names files of; empty for other fields.
std::string resource_type_for(const PluginType& type, const std::string& field) {
    for (const auto& resource : type.resource_types) {
        if (resource.name == field + 's' || resource.name == field) return resource.name;
    }
    return "";
}

std::optional<NamedFile> file_in_field(const EditContext& context, const PluginType& type,
                                       const std::string& field, const std::string& file) {
    const std::string resource_type = resource_type_for(type, field);
    // The value of a macro is not known here.
    if (resource_type.empty() || file.empty() || file.find('%') != std::string::npos) {
        return std::nullopt;
    }
    using State = NamedFile::State;
    const auto is_on = [&](const auto& shelves) {
        return std::ranges::count(names_on(shelves, type, resource_type), file) > 0;
    };
    const State state = is_on(context.files)          ? State::in_use
                        : is_on(context.unused_files) ? State::unused
                                                      : State::missing;
    if (state == State::missing && names_on(context.files, type, resource_type).empty()) {
        return std::nullopt;
    }
    const provisioner::store::ResourceShelf shelf{
        .tenant = {}, .plugin = type.header.name, .resource_type = resource_type};
    return NamedFile{.automator = type.header.name,
                     .field = field,
                     .file = file,
                     .href = state == State::missing ? shelf_page(shelf) : file_page(shelf, file),
                     .state = state};
}

}  // namespace

std::vector<NamedFile> files_named_by(const Json& service, const EditContext& context) {
    std::vector<NamedFile> files;
    const Json* actions = member(service, "provisioner");
    if (actions != nullptr) actions = member(*actions, "actions");
    if (actions == nullptr || !actions->is_object()) return files;
    for (const auto& [action, done] : actions->items()) {
        const auto* type = context.automator_type(text_at(done, "type"));
        const Json* fields = member(done, "fields");
        if (type == nullptr || fields == nullptr) continue;
        for (const auto& field : type->admin.fields) {
            auto file = file_in_field(context, *type, field.name, text_at(*fields, field.name));
            if (!file) continue;
            file->action = action;
            files.push_back(*std::move(file));
        }
    }
    return files;
}

std::string warning_about(const NamedFile& file) {
    const auto action = with_capital(file.action);
    switch (file.state) {
        case NamedFile::State::in_use:
            return "";
        case NamedFile::State::unused:
            return translated("{0}: {1} is uploaded but not in use, so machines do not get it.",
                              action, file.file);
        case NamedFile::State::missing:
            return translated("{0}: {1} is not among the files that machines get.", action,
                              file.file);
    }
    return "";
}

std::vector<std::string> files_for(const EditContext& context, const PluginType& type,
                                   const std::string& field) {
    const std::string resource_type = resource_type_for(type, field);
    return resource_type.empty() ? FileNames{} : names_on(context.files, type, resource_type);
}

}  // namespace fcgi::pages
