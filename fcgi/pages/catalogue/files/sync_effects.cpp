#include "fcgi/pages/catalogue/files/sync_effects.hpp"

#include <algorithm>
#include <utility>

#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
using provisioner::operations::FileChange;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr std::size_t most_named = 10;

/// Labels of the templates that are offered, each with its default services.
using OfferedTemplates = std::vector<std::pair<std::string, std::vector<std::string>>>;

OfferedTemplates offered_templates(const CatalogueEntries& entries,
                                   const std::set<std::string>& drafts) {
    constexpr auto kind = CatalogueKind::cluster_template;
    Labels labels;
    labels.add(kind, told_apart(entries_of(entries, kind)));
    OfferedTemplates offered;
    for (const Json& entry : entries_of(entries, kind)) {
        const std::string name = text_at(entry, "name");
        if (drafts.contains(name)) continue;
        auto whole = operations::template_in_force(entries, entry);
        if (whole) offered.emplace_back(labels.of(kind, name), std::move(whole->defaults.services));
    }
    return offered;
}

bool takes_something(const FileChange& change) {
    return change.before != 0 && change.before != change.after &&
           change.shelf.kind == PluginKind::automator;
}

std::string words_on_change(const SyncEffect& effect) {
    const auto& [shelf, name, before, after] = effect.change;
    const std::string services = listed(effect.service_labels, most_named);
    return after == 0 ? translated(
                            "Machines no longer get {0}. Actions of {1} need it, and fail on "
                            "machines that are set up from then on.",
                            name, services)
                      : translated(
                            "Machines get version {0} of {1} in place of version {2}. Actions of "
                            "{3} use it.",
                            after, name, before, services);
}

std::string words_on_use(const SyncEffect& effect) {
    const std::string templates =
        effect.templates.empty()
            ? ""
            : translated("Offered cluster templates that use these services by default: {0}.",
                         listed(effect.templates, most_named));
    const std::string clusters =
        effect.clusters == 0 ? ""
                             : translated_count(effect.clusters, "{0} cluster has these services.",
                                                "{0} clusters have these services.");
    return joined_sentences(templates, clusters);
}

}  // namespace

std::vector<SyncEffect> effects_of_sync(const std::vector<FileChange>& changes,
                                        const CatalogueEntries& entries,
                                        const std::set<std::string>& drafts) {
    std::vector<SyncEffect> effects;
    if (std::ranges::none_of(changes, takes_something)) return effects;
    const auto& services = entries_of(entries, CatalogueKind::service);
    Labels labels;
    labels.add(CatalogueKind::service, told_apart(services));
    const auto offered = offered_templates(entries, drafts);
    for (const FileChange& change : changes) {
        if (!takes_something(change)) continue;
        SyncEffect effect{.change = change};
        effect.services = services_with_file(services, change.shelf.plugin, change.name);
        if (effect.services.empty()) continue;
        effect.service_labels = labels.services(effect.services);
        for (const auto& [label, defaults] : offered) {
            const bool uses_one = std::ranges::any_of(defaults, [&](const std::string& name) {
                return std::ranges::count(effect.services, name) > 0;
            });
            if (uses_one) effect.templates.push_back(label);
        }
        effects.push_back(std::move(effect));
    }
    return effects;
}

std::vector<SyncEffect> read_sync_effects(store::Connection& connection,
                                          provisioner::model::TenantId tenant,
                                          const std::vector<FileChange>& changes) {
    if (std::ranges::none_of(changes, takes_something)) return {};
    auto effects =
        effects_of_sync(changes, operations::read_catalogue(connection, tenant),
                        templates_that_are_drafts(store::list_permissions(connection, tenant)));
    for (SyncEffect& effect : effects) {
        effect.clusters = store::count_clusters_with_services(connection, tenant, effect.services);
    }
    std::erase_if(effects, [](const SyncEffect& effect) {
        return effect.templates.empty() && effect.clusters == 0;
    });
    return effects;
}

std::vector<std::string> words_on_sync(const std::vector<SyncEffect>& effects) {
    std::vector<std::string> sentences;
    for (const SyncEffect& effect : effects) {
        sentences.push_back(joined_sentences(words_on_change(effect), words_on_use(effect)));
    }
    return sentences;
}

}  // namespace fcgi::pages
