#include "fcgi/pages/catalogue/files/given_files.hpp"

#include <algorithm>

#include "fcgi/pages/catalogue/editors/named_files.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
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
        const std::string place = file.plugin + '/' + file.resource_type;
        auto& used = given.files[place];
        auto& names = file.is_given ? used : given.unused_files[place];
        names.push_back(std::move(file.name));
    }
    return given;
}

std::string resource_type_for(const PluginType& type, const std::string& field) {
    for (const auto& resource : type.resource_types) {
        if (resource.name == field + 's' || resource.name == field) return resource.name;
    }
    return "";
}

const std::vector<std::string>* files_for(const FileNames& files, const PluginType& type,
                                          const std::string& field) {
    const auto found = files.find(type.header.name + '/' + resource_type_for(type, field));
    return found == files.end() ? nullptr : &found->second;
}

LackingFiles services_lacking_files(const CatalogueEntries& entries, const GivenFiles& given) {
    LackingFiles lacking;
    for (const Json& service : entries_of(entries, CatalogueKind::service)) {
        std::vector<std::string> files;
        for (auto& named : files_named_by(service, given)) {
            const bool is_lacking = named.state != NamedFile::State::in_use;
            if (is_lacking && std::ranges::count(files, named.file) == 0) {
                files.push_back(std::move(named.file));
            }
        }
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
