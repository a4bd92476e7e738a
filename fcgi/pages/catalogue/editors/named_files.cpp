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

std::optional<NamedFile> file_in_field(const GivenFiles& given, const PluginType& type,
                                       const std::string& field, const std::string& file) {
    const auto* used = files_for(given.files, type, field);
    // The value of a macro is not known here.
    if (used == nullptr || file.empty() || file.find('%') != std::string::npos) {
        return std::nullopt;
    }
    using State = NamedFile::State;
    const auto* unused = files_for(given.unused_files, type, field);
    const bool is_unused = unused != nullptr && std::ranges::count(*unused, file) > 0;
    const State state = std::ranges::count(*used, file) > 0 ? State::in_use
                        : is_unused                         ? State::unused
                                                            : State::missing;
    const provisioner::store::ResourceShelf shelf{
        .tenant = {}, .plugin = type.header.name, .resource_type = resource_type_for(type, field)};
    return NamedFile{.automator = type.header.name,
                     .field = field,
                     .file = file,
                     .href = state == State::missing ? shelf_page(shelf) : file_page(shelf, file),
                     .state = state};
}

}  // namespace

std::vector<NamedFile> files_named_by(const Json& service, const GivenFiles& given) {
    std::vector<NamedFile> files;
    const Json* actions = member(service, "provisioner");
    if (actions != nullptr) actions = member(*actions, "actions");
    if (actions == nullptr || !actions->is_object()) return files;
    for (const auto& [action, done] : actions->items()) {
        const auto type = std::ranges::find(given.automator_types, text_at(done, "type"),
                                            [](const PluginType& one) { return one.header.name; });
        const Json* fields = member(done, "fields");
        if (type == given.automator_types.end() || fields == nullptr) continue;
        for (const auto& field : type->admin.fields) {
            auto file = file_in_field(given, *type, field.name, text_at(*fields, field.name));
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

}  // namespace fcgi::pages
