#include "fcgi/pages/labels.hpp"

#include <cctype>

#include "fcgi/pages/words.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace store = provisioner::store;

NamedTexts told_apart(NamedTexts names_and_labels) {
    std::map<std::string, int> with_text;
    for (auto& [name, text] : names_and_labels) {
        if (text.empty()) text = name;
        ++with_text[text];
    }
    for (auto& [name, text] : names_and_labels) {
        if (with_text[text] > 1) text = label_and_name(text, name);
    }
    return names_and_labels;
}

NamedTexts told_apart(const std::vector<Json>& entries) {
    NamedTexts texts;
    for (const Json& entry : entries) {
        texts.emplace_back(text_at(entry, "name"), text_at(entry, "label"));
    }
    return told_apart(std::move(texts));
}

void Labels::add(CatalogueKind kind, const NamedTexts& texts) {
    for (const auto& [name, text] : texts) texts_[{kind, name}] = text;
}

std::string Labels::of(CatalogueKind kind, const std::string& name) const {
    const auto found = texts_.find({kind, name});
    return found == texts_.end() ? name : found->second;
}

std::string Labels::service(const std::string& name) const {
    return of(CatalogueKind::service, name);
}

std::vector<std::string> Labels::services(std::vector<std::string> names) const {
    for (std::string& name : names) name = service(name);
    return names;
}

std::string Labels::hardware_type(const std::string& name) const {
    return of(CatalogueKind::hardware_type, name);
}

std::string Labels::image_type(const std::string& name) const {
    return of(CatalogueKind::image_type, name);
}

std::string Labels::in(const std::string& sentence) const {
    const auto is_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    };
    std::string said;
    for (std::size_t at = 0; at < sentence.size();) {
        std::size_t end = at;
        while (end < sentence.size() && is_of_name(sentence[end])) ++end;
        if (end == at) {
            said += sentence[at++];
            continue;
        }
        std::size_t after_name = end;
        while (after_name > at && sentence[after_name - 1] == '.') --after_name;
        const std::string name = sentence.substr(at, after_name - at);
        const bool is_in_path =
            (at > 0 && sentence[at - 1] == '/') || (end < sentence.size() && sentence[end] == '/');
        said += (is_in_path ? name : service(name)) + sentence.substr(after_name, end - after_name);
        at = end;
    }
    return said;
}

provisioner::base::Problems Labels::in(provisioner::base::Problems problems) const {
    for (auto& problem : problems) problem.message = in(problem.message);
    return problems;
}

Labels read_labels(store::Connection& connection, model::TenantId tenant,
                   const std::vector<CatalogueKind>& kinds) {
    std::map<CatalogueKind, NamedTexts> by_kind;
    for (auto& entry : store::entry_labels(connection, tenant, kinds)) {
        by_kind[entry.kind].emplace_back(std::move(entry.name), std::move(entry.label));
    }
    Labels labels;
    for (auto& [kind, texts] : by_kind) labels.add(kind, told_apart(std::move(texts)));
    return labels;
}

NamedTexts texts_of_services(const model::Cluster& cluster) {
    NamedTexts services;
    for (const model::Service& service : cluster.snapshot.services) {
        services.emplace_back(service.header.name, service.header.label.value_or(""));
    }
    return told_apart(std::move(services));
}

Labels labels_of(store::Connection& connection, const model::Cluster& cluster) {
    Labels labels = read_labels(connection, cluster.tenant,
                                {CatalogueKind::hardware_type, CatalogueKind::image_type});
    labels.add(CatalogueKind::service, texts_of_services(cluster));
    return labels;
}

}  // namespace fcgi::pages
