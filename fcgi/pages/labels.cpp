#include "fcgi/pages/labels.hpp"

#include <cctype>
#include <set>
#include <sstream>

#include "fcgi/pages/words.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/tenants/key_rights.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

/// What sentences of the solver and of changes are made of, besides names: an entry that is called
/// "on" or "machines" would make nonsense of them. A test compares it with their sources.
constexpr auto words_of_sentences =
    "a about above actions add added aeiou after again all allow allows altogether "
    "among an and answer any are as ask asked at available away back be because "
    "before being bootstrap both breaks but by can cannot cause change changed "
    "changes choose cluster clusters clustertemplate come comes compatible config "
    "configurable configuration configure confirm conflicts could count create "
    "delete demands does drop each enough entry every exist exists failed few fewer "
    "find finished first flavor for gave give go gone groups growing had hard "
    "hardware hardwaretype has have here image imagetype in incompatible initialize "
    "install instead invalid is it items its job keep kind kinds lacks layout least "
    "leave left let list longer look machine machines made many matters max maximum "
    "may meanwhile minimum more most must n name need needs no node nodes none not "
    "nothing number nummachines of on once one only or other others out performed "
    "person place possible provider quotas reason remove removed replace replaced "
    "request requires restart result right rule rules run runs s same say service "
    "services share size slots so solver solving something start state step stop "
    "sync synced take taken takes template tenant than that the them there these "
    "this to together too type types unfinished unsound up updating use value "
    "vectors version violated was ways well were what where which with without work "
    "would wrong x ";

const std::set<std::string>& sentence_words() {
    static const std::set<std::string> words = [] {
        std::istringstream all(words_of_sentences);
        std::set<std::string> made;
        for (std::string word; all >> word;) made.insert(word);
        return made;
    }();
    return words;
}

/// What a sentence says of the name that follows.
struct SaidBefore {
    std::string word{};
    /// "Service", as a sentence begins.
    bool is_service = false;
    /// "hardware type" or "image type", until a word that is no name nor part of a list.
    std::optional<CatalogueKind> types{};

    void read(const std::string& name, bool is_word) {
        const bool is_of_types = name == "type" || name == "types";
        if (is_of_types && (word == "hardware" || word == "image")) {
            types = word == "hardware" ? CatalogueKind::hardware_type : CatalogueKind::image_type;
        } else if (is_word && name != "and" && name != "or") {
            types.reset();
        }
        word = name;
    }
    /// A name of something that has no label here.
    bool is_of_another() const {
        return word == "provider" || word == "template" || word == "cluster" || word == "tenant" ||
               word == "user" || word == "node" || word == "job";
    }
};

}  // namespace

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

bool Labels::knows(CatalogueKind kind, const std::string& name) const {
    return texts_.contains({kind, name});
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
    SaidBefore before;
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
        const std::string word = provisioner::base::in_small_letters(name);
        const bool is_word = sentence_words().contains(word) && !before.is_service;
        if (is_in_path || is_word || before.is_of_another()) {
            said += name;
        } else {
            said += before.types ? of(*before.types, name) : of_any(name);
        }
        before.read(word, is_word);
        before.is_service = name == "Service";
        said += sentence.substr(after_name, end - after_name);
        at = end;
    }
    return said;
}

std::string Labels::of_any(const std::string& name) const {
    using enum CatalogueKind;
    for (const CatalogueKind kind : {service, hardware_type, image_type}) {
        const auto found = texts_.find({kind, name});
        if (found != texts_.end()) return found->second;
    }
    return name;
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

NamedTexts texts_of_provided(const model::Cluster& cluster) {
    const NamedTexts services = texts_of_services(cluster);
    std::map<std::string, std::string> provided;
    for (std::size_t i = 0; i < services.size(); ++i) {
        const std::string& text = services[i].second;
        for (const auto& name : cluster.snapshot.services[i].dependencies.provides) {
            std::string& by = provided[name];
            by = by.empty() ? text : translated("{0} or {1}", by, text);
        }
    }
    for (const auto& [name, text] : services) provided.erase(name);
    return {provided.begin(), provided.end()};
}

Labels labels_of(store::Connection& connection, const model::Cluster& cluster) {
    Labels labels = read_labels(connection, cluster.tenant,
                                {CatalogueKind::hardware_type, CatalogueKind::image_type});
    labels.add(CatalogueKind::service, texts_of_services(cluster));
    labels.add(CatalogueKind::service, texts_of_provided(cluster));
    return labels;
}

std::string right_words(const std::string& right) {
    const auto known = provisioner::model::right_from(right);
    if (!known) return right;
    const std::string kind = provisioner::base::to_word(known->kind);
    return known->may_change ? translated("{0}: read and change", kind)
                             : translated("{0}: read", kind);
}

}  // namespace fcgi::pages
