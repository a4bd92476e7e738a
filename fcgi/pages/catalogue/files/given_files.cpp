#include "fcgi/pages/catalogue/files/given_files.hpp"

#include <algorithm>

#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
using provisioner::model::PluginType;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
namespace store = provisioner::store;

GivenFiles read_given_files(store::Connection& connection, provisioner::model::TenantId tenant) {
    GivenFiles given{.automator_types =
                         store::list_plugin_types(connection, PluginKind::automator)};
    for (auto& file : store::named_resources(connection, tenant, PluginKind::automator)) {
        auto& names = given.files[file.plugin + '/' + file.resource_type];
        if (file.is_given) names.push_back(std::move(file.name));
    }
    return given;
}

const std::vector<std::string>* files_for(const FileNames& files, const PluginType& type,
                                          const std::string& field) {
    for (const auto& resource : type.resource_types) {
        if (resource.name != field + 's' && resource.name != field) continue;
        const auto found = files.find(type.header.name + '/' + resource.name);
        if (found != files.end()) return &found->second;
    }
    return nullptr;
}

std::vector<std::string> lacking_files(const FileNames& files, const PluginType& type,
                                       const Json* fields) {
    std::vector<std::string> lacking;
    if (fields == nullptr) return lacking;
    for (const auto& field : type.admin.fields) {
        const std::string file = text_at(*fields, field.name);
        const auto* given = files_for(files, type, field.name);
        // The value of a macro is not known here.
        const bool is_known = file.empty() || given == nullptr ||
                              file.find('%') != std::string::npos ||
                              std::ranges::count(*given, file) > 0;
        if (!is_known) lacking.push_back(file);
    }
    return lacking;
}

namespace {

std::vector<std::string> files_lacking_in(const Json& service, const GivenFiles& given) {
    std::vector<std::string> all;
    const Json* actions = member(service, "provisioner");
    if (actions != nullptr) actions = member(*actions, "actions");
    if (actions == nullptr || !actions->is_object()) return all;
    for (const auto& [action, done] : actions->items()) {
        const auto type = std::ranges::find(given.automator_types, text_at(done, "type"),
                                            [](const PluginType& one) { return one.header.name; });
        if (type == given.automator_types.end()) continue;
        for (auto& file : lacking_files(given.files, *type, member(done, "fields"))) {
            if (std::ranges::count(all, file) == 0) all.push_back(std::move(file));
        }
    }
    return all;
}

}  // namespace

LackingFiles services_lacking_files(const CatalogueEntries& entries, const GivenFiles& given) {
    LackingFiles lacking;
    for (const Json& service : entries_of(entries, CatalogueKind::service)) {
        auto files = files_lacking_in(service, given);
        if (!files.empty()) lacking.try_emplace(text_at(service, "name"), std::move(files));
    }
    return lacking;
}

std::vector<std::string> words_on_lacking_files(const CatalogueEntries& entries,
                                                const LackingFiles& lacking,
                                                const Json& cluster_template) {
    std::vector<std::string> sentences;
    if (lacking.empty()) return sentences;
    const auto whole = provisioner::operations::template_in_force(entries, cluster_template);
    if (!whole) return sentences;
    Labels labels;
    labels.add(CatalogueKind::service, told_apart(entries_of(entries, CatalogueKind::service)));
    for (const std::string& name : whole->defaults.services) {
        const auto service = lacking.find(name);
        if (service == lacking.end()) continue;
        for (const std::string& file : service->second) {
            sentences.push_back(translated(
                "Its default service {0} needs {1}, which is not among the files that machines "
                "get.",
                labels.service(name), file));
        }
    }
    return sentences;
}

}  // namespace fcgi::pages
