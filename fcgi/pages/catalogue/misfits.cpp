#include "fcgi/pages/catalogue/misfits.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "fcgi/pages/catalogue/template_services.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::model::Service;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
using provisioner::operations::heirs_of;
using provisioner::operations::Relative;
using provisioner::operations::relatives_of;
using provisioner::operations::template_in_force;

std::array<WantedType, 2> wanted_types(const ClusterTemplate& whole) {
    return {WantedType{CatalogueKind::hardware_type, whole.defaults.hardware_type.value_or(""),
                       whole.compatibility.hardware_types},
            WantedType{CatalogueKind::image_type, whole.defaults.image_type.value_or(""),
                       whole.compatibility.image_types}};
}

bool works_at(CatalogueKind kind, const Json& type, const std::string& provider) {
    const Json* const map = member(type, "providermap");
    const Json* const settings = map == nullptr ? nullptr : member(*map, provider.c_str());
    if (settings == nullptr) return false;
    const char* const key = kind == CatalogueKind::hardware_type ? "flavor" : "image";
    return !text_at(*settings, key).empty();
}

namespace {

/// What people read for an entry.
std::string said_for(const CatalogueEntries& entries, CatalogueKind kind, const std::string& name) {
    Labels labels;
    labels.add(kind, told_apart(entries_of(entries, kind)));
    return labels.of(kind, name);
}

/// Empty if the template works. What the catalogue lacks is said elsewhere.
std::string misfit_in_words(const CatalogueEntries& entries, const WantedType& wanted,
                            const std::string& provider) {
    const bool is_hardware = wanted.kind == CatalogueKind::hardware_type;
    const auto& types = entries_of(entries, wanted.kind);
    const auto words_for_provider = [&] {
        return said_for(entries, CatalogueKind::provider, provider);
    };
    if (!wanted.usual.empty()) {
        const auto type = std::ranges::find_if(
            types, [&](const Json& one) { return text_at(one, "name") == wanted.usual; });
        if (type == types.end() || works_at(wanted.kind, *type, provider)) return "";
        return is_hardware
                   ? translated(
                         "Its default hardware type {0} has no flavor at its "
                         "provider {1}.",
                         said_for(entries, wanted.kind, wanted.usual), words_for_provider())
                   : translated(
                         "Its default image type {0} has no image at its "
                         "provider {1}.",
                         said_for(entries, wanted.kind, wanted.usual), words_for_provider());
    }
    const bool has_one = std::ranges::any_of(types, [&](const Json& one) {
        const bool is_allowed =
            wanted.allowed.empty() || std::ranges::count(wanted.allowed, text_at(one, "name")) > 0;
        return is_allowed && works_at(wanted.kind, one, provider);
    });
    if (has_one) return "";
    return is_hardware ? translated(
                             "No hardware type that it allows has a flavor at its "
                             "provider {0}.",
                             words_for_provider())
                       : translated(
                             "No image type that it allows has an image at its "
                             "provider {0}.",
                             words_for_provider());
}

bool is_known_provider(const CatalogueEntries& entries, const std::string& name) {
    return std::ranges::any_of(
        entries_of(entries, CatalogueKind::provider),
        [&](const Json& provider) { return text_at(provider, "name") == name; });
}

std::vector<Service> readable_services(const CatalogueEntries& entries) {
    std::vector<Service> services;
    for (const Json& entry : entries_of(entries, CatalogueKind::service)) {
        if (auto service = provisioner::model::service_from_json(entry)) {
            services.push_back(*std::move(service));
        }
    }
    return services;
}

Labels labels_of_services(const CatalogueEntries& entries) {
    Labels labels;
    labels.add(CatalogueKind::service, told_apart(entries_of(entries, CatalogueKind::service)));
    return labels;
}

/// Services of a catalogue, read once for many templates.
struct KnownServices {
    std::vector<Service> services{};
    Labels labels{};

    explicit KnownServices(const CatalogueEntries& entries)
        : services(readable_services(entries)), labels(labels_of_services(entries)) {}
};

bool requires_service(const Service& service, const std::string& needed) {
    const auto& [provides, conflicts, install, runtime] = service.dependencies;
    return std::ranges::count(install.required, needed) > 0 ||
           std::ranges::count(runtime.required, needed) > 0;
}

std::vector<std::string> requirements_in_words(const std::vector<std::string>& chosen,
                                               const KnownServices& known) {
    std::vector<std::string> sentences;
    const auto missing = provisioner::solver::missing_requirements(chosen, known.services);
    for (const std::string& name : chosen) {
        const auto service = std::ranges::find(known.services, name,
                                               [](const Service& one) { return one.header.name; });
        if (service == known.services.end()) continue;
        for (const std::string& needed : missing) {
            if (!requires_service(*service, needed)) continue;
            sentences.push_back(
                translated("{0} requires {1}, which is not among its default services.",
                           known.labels.service(name), known.labels.service(needed)));
        }
    }
    return sentences;
}

bool conflicts_with(const Service& service, const std::string& other) {
    return std::ranges::count(service.dependencies.conflicts, other) > 0;
}

/// Those of the chosen services that cannot be in a cluster together, a sentence for each pair.
std::vector<std::string> conflicts_in_words(const std::vector<std::string>& chosen,
                                            const KnownServices& known) {
    std::vector<std::string> sentences;
    std::vector<const Service*> services;
    for (const Service& service : known.services) {
        if (std::ranges::count(chosen, service.header.name) > 0) services.push_back(&service);
    }
    for (const Service* service : services) {
        if (service->dependencies.conflicts.empty()) continue;
        for (const Service* other : services) {
            if (!conflicts_with(*service, other->header.name)) continue;
            // Where each says so of the other, once is enough.
            if (conflicts_with(*other, service->header.name) && other < service) continue;
            sentences.push_back(
                translated("{0} conflicts with {1}, and both are among its default services.",
                           known.labels.service(service->header.name),
                           known.labels.service(other->header.name)));
        }
    }
    return sentences;
}

/// Those of the chosen services that cannot be in a cluster with a service.
std::vector<std::string> services_in_conflict(const Service& service,
                                              const std::vector<std::string>& chosen,
                                              const KnownServices& known) {
    std::vector<std::string> conflicting;
    for (const Service& other : known.services) {
        const std::string& name = other.header.name;
        if (std::ranges::count(chosen, name) == 0) continue;
        const bool is_either =
            conflicts_with(service, name) || conflicts_with(other, service.header.name);
        if (is_either) conflicting.push_back(name);
    }
    return conflicting;
}

/// Whether it sets what the merge takes from cluster templates only.
bool sets_without_effect(const ClusterTemplate& partial) {
    return partial.lease != provisioner::model::LeaseDuration{} ||
           partial.constraints != provisioner::model::Constraints{};
}

LackingServices lacking_in(const ClusterTemplate& whole, const KnownServices& known) {
    const auto& chosen = whole.defaults.services;
    LackingServices lacking{.sentences = requirements_in_words(chosen, known)};
    if (lacking.sentences.empty()) return lacking;
    auto preferred = known.services;
    std::ranges::stable_partition(preferred, [&](const Service& service) {
        return std::ranges::count(whole.compatibility.services, service.header.name) > 0;
    });
    auto all = provisioner::solver::with_requirements(chosen, preferred);
    lacking.to_add.assign(all.begin() + std::ssize(chosen), all.end());
    return lacking;
}

std::vector<std::string> misfits_in(const CatalogueEntries& entries, const KnownServices& known,
                                    const Json& cluster_template) {
    const auto whole = template_in_force(entries, cluster_template);
    if (!whole) return {};
    const std::string provider = whole->defaults.provider.value_or("");
    // What would have to be added is asked of one template, and costs more.
    auto sentences = requirements_in_words(whole->defaults.services, known);
    std::ranges::move(conflicts_in_words(whole->defaults.services, known),
                      std::back_inserter(sentences));
    // That the provider is missing is said elsewhere.
    if (!is_known_provider(entries, provider)) return sentences;
    for (const WantedType& wanted : wanted_types(*whole)) {
        auto sentence = misfit_in_words(entries, wanted, provider);
        if (!sentence.empty()) sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace

LackingServices services_lacking_in(const CatalogueEntries& entries, const Json& cluster_template) {
    const auto whole = template_in_force(entries, cluster_template);
    return whole ? lacking_in(*whole, KnownServices(entries)) : LackingServices{};
}

std::string words_on_adding(const LackingServices& lacking, const CatalogueEntries& entries) {
    if (lacking.to_add.empty()) return "";
    return translated("Add {0} to the template",
                      listed(labels_of_services(entries).services(lacking.to_add)));
}

std::vector<std::string> misfits_of_template(const CatalogueEntries& entries,
                                             const Json& cluster_template) {
    return misfits_in(entries, KnownServices(entries), cluster_template);
}

std::vector<std::string> misfits_of_heirs(const CatalogueEntries& entries, CatalogueKind kind,
                                          const Json& entry) {
    std::vector<std::string> sentences;
    const std::string name = text_at(entry, "name");
    const auto heirs = heirs_of(entries, kind, name);
    if (heirs.empty()) return sentences;
    CatalogueEntries without = entries;
    std::erase_if(without[kind], [&](const Json& one) { return text_at(one, "name") == name; });
    CatalogueEntries with = without;
    with[kind].push_back(entry);
    const KnownServices known(entries);
    for (const Json* heir : heirs) {
        // What is wrong with it anyhow is said on its own page.
        const auto anyhow = misfits_in(without, known, *heir);
        for (const auto& sentence : misfits_in(with, known, *heir)) {
            if (std::ranges::count(anyhow, sentence) > 0) continue;
            sentences.push_back(translated(
                "{0}: {1}",
                with_capital(kind_and_name(
                    CatalogueKind::cluster_template,
                    said_for(entries, CatalogueKind::cluster_template, text_at(*heir, "name")))),
                sentence));
        }
    }
    return sentences;
}

std::vector<std::string> parts_without_effect(const CatalogueEntries& entries,
                                              const Json& cluster_template) {
    std::vector<std::string> sentences;
    const auto own = provisioner::model::cluster_template_from_json(cluster_template);
    if (!own) return sentences;
    for (const Relative& relative : relatives_of(entries, *own)) {
        if (relative.kind != CatalogueKind::partial_template) continue;
        if (!sets_without_effect(relative.own)) continue;
        sentences.push_back(
            translated("The lease and constraints of its partial template {0} have no effect: "
                       "those of cluster "
                       "templates are in force.",
                       said_for(entries, relative.kind, relative.own.header.name)));
    }
    return sentences;
}

std::string words_on_partial_without_effect(const Json& partial) {
    const auto own = provisioner::model::partial_template_from_json(partial);
    if (!own || !sets_without_effect(*own)) return "";
    return translated(
        "Its lease and constraints have no effect: templates that include it have their own.");
}

std::map<std::string, std::vector<std::string>> templates_that_do_not_work(
    const CatalogueEntries& entries) {
    constexpr auto kind = CatalogueKind::cluster_template;
    std::map<std::string, std::vector<std::string>> all;
    const KnownServices services(entries);
    const auto names = provisioner::operations::known_names(entries);
    for (const Json& one : entries_of(entries, kind)) {
        auto sentences = misfits_in(entries, services, one);
        for (const auto& missing : provisioner::operations::missing_entries(names, kind, one)) {
            sentences.push_back(words_on_missing(missing));
        }
        if (lacks_default_services(entries, one)) {
            sentences.push_back(words_on_lacking_services());
        }
        if (!sentences.empty()) all.try_emplace(text_at(one, "name"), std::move(sentences));
    }
    return all;
}

std::string words_on_missing(const provisioner::model::EntryName& missing) {
    return translated("It names {0}, which is not in the catalogue.",
                      kind_and_name(missing.kind, missing.name));
}

std::vector<std::string> misfits_of_service(const CatalogueEntries& entries, const Json& entry) {
    std::vector<std::string> sentences;
    const auto service = provisioner::model::service_from_json(entry);
    if (!service) return sentences;
    const std::string& name = service->header.name;
    // As it is here, not as it is stored.
    KnownServices known(entries);
    std::erase_if(known.services, [&](const Service& one) { return one.header.name == name; });
    known.services.push_back(*service);
    for (const Json& one : entries_of(entries, CatalogueKind::cluster_template)) {
        const auto whole = template_in_force(entries, one);
        if (!whole) continue;
        const auto& chosen = whole->defaults.services;
        if (std::ranges::count(chosen, name) == 0) continue;
        const std::string label = with_capital(
            kind_and_name(CatalogueKind::cluster_template,
                          said_for(entries, CatalogueKind::cluster_template, whole->header.name)));
        auto missing = provisioner::solver::missing_requirements(chosen, known.services);
        std::erase_if(missing, [&](const std::string& needed) {
            return !requires_service(*service, needed);
        });
        if (!missing.empty()) {
            sentences.push_back(
                translated("{0} has it among its default services, but not what it requires: {1}.",
                           label, listed(known.labels.services(missing))));
        }
        const auto conflicting = services_in_conflict(*service, chosen, known);
        if (!conflicting.empty()) {
            sentences.push_back(translated(
                "{0} has it among its default services, and what it conflicts with: {1}.", label,
                listed(known.labels.services(conflicting))));
        }
    }
    return sentences;
}

std::vector<std::string> misfits_of_type(const CatalogueEntries& entries, CatalogueKind kind,
                                         const Json& type) {
    std::vector<std::string> sentences;
    const bool is_type = kind == CatalogueKind::hardware_type || kind == CatalogueKind::image_type;
    const std::string name = text_at(type, "name");
    if (!is_type || name.empty()) return sentences;
    for (const Json& one : entries_of(entries, CatalogueKind::cluster_template)) {
        const auto whole = template_in_force(entries, one);
        const std::string provider = whole ? whole->defaults.provider.value_or("") : "";
        if (!is_known_provider(entries, provider)) continue;
        for (const WantedType& wanted : wanted_types(*whole)) {
            if (wanted.kind != kind || wanted.usual != name) continue;
            if (works_at(kind, type, provider)) continue;
            sentences.push_back(
                kind == CatalogueKind::hardware_type
                    ? translated("{0} uses it by default with the provider {1}, for which it has "
                                 "no flavor.",
                                 with_capital(kind_and_name(
                                     CatalogueKind::cluster_template,
                                     said_for(entries, CatalogueKind::cluster_template,
                                              whole->header.name))),
                                 said_for(entries, CatalogueKind::provider, provider))
                    : translated("{0} uses it by default with the provider {1}, for which it has "
                                 "no image.",
                                 with_capital(kind_and_name(
                                     CatalogueKind::cluster_template,
                                     said_for(entries, CatalogueKind::cluster_template,
                                              whole->header.name))),
                                 said_for(entries, CatalogueKind::provider, provider)));
        }
    }
    return sentences;
}

std::vector<std::string> contradictions_of_service(const CatalogueEntries& entries,
                                                   const Json& entry) {
    std::vector<std::string> sentences;
    const auto service = provisioner::model::service_from_json(entry);
    if (!service) return sentences;
    const KnownServices known(entries);
    const auto& [provides, conflicts, install, runtime] = service->dependencies;
    std::vector<std::string> required = install.required;
    required.insert(required.end(), runtime.required.begin(), runtime.required.end());
    for (const std::string& name : provisioner::model::without_repetition(required)) {
        if (name == service->header.name) {
            sentences.push_back(translated(
                "It requires itself, which is a circle. Take it out of what it requires."));
            continue;
        }
        const auto other = std::ranges::find(known.services, name,
                                             [](const Service& one) { return one.header.name; });
        const bool is_other =
            other != known.services.end() && conflicts_with(*other, service->header.name);
        if (!is_other && std::ranges::count(conflicts, name) == 0) continue;
        sentences.push_back(
            translated("It requires {0}, and the two conflict: no cluster can have both.",
                       known.labels.service(name)));
    }
    return sentences;
}

}  // namespace fcgi::pages
