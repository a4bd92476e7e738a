#include "fcgi/pages/clusters/page_reads.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/clusters/tabs/failure_groups.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using namespace provisioner::store;
using provisioner::base::Json;

namespace {

constexpr std::size_t longest_output_in_list = 6000;
constexpr int pieces_at_once = 500;

// Keeps the end of the text, in whole lines if possible.
void shorten(std::string& text, std::size_t longest) {
    if (text.size() <= longest) return;
    const auto line = text.find('\n', text.size() - longest);
    text.erase(0, line == std::string::npos ? text.size() - longest : line + 1);
}

std::string mark_of_missing(std::int64_t bytes) {
    return "\n[" + std::to_string(bytes) + " bytes of output are not kept]\n";
}

std::string tail_of_output(Connection& connection, const Task& task, std::size_t longest) {
    std::vector<AttemptOutput> attempts;
    // Only what can be in the end is read.
    const auto sizes = transcript_sizes(connection, task.id, pieces_at_once);
    std::size_t bytes = 0;
    std::int64_t after = 0;
    for (auto size = sizes.newest.rbegin(); size != sizes.newest.rend() && bytes <= longest;
         ++size) {
        bytes += size->bytes;
        after = size->id - 1;
    }
    while (true) {
        const auto pieces = transcript_after(connection, task.id, after, pieces_at_once);
        for (const auto& piece : pieces) {
            if (piece.attempt <= task.attempts_before) continue;
            if (attempts.empty() || attempts.back().attempt != piece.attempt) {
                attempts.push_back({.attempt = piece.attempt});
            }
            std::string& text = attempts.back().text;
            if (piece.missing > 0) text += mark_of_missing(piece.missing);
            text += piece.body;
            shorten(text, longest);
        }
        if (pieces.size() < static_cast<std::size_t>(pieces_at_once)) break;
        after = pieces.back().id;
    }
    std::string text = joined_outputs(attempts);
    shorten(text, longest);
    return text;
}

/// The entries that are offered, as (name, words of the choice).
std::vector<std::pair<std::string, std::string>> offered_choices(Connection& connection,
                                                                 const Caller& caller,
                                                                 CatalogueKind kind,
                                                                 const Withheld& withheld) {
    auto choices = told_apart(list_entries(connection, caller.tenant.id, kind));
    std::erase_if(choices,
                  [&](const auto& choice) { return withheld.contains(kind, choice.first); });
    return choices;
}

/// Hardware types or image types: usable with a provider for which they have the setting `key`.
template <class Type>
std::vector<TypeChoice> type_choices(Connection& connection, const Caller& caller,
                                     CatalogueKind kind, const Withheld& withheld,
                                     provisioner::base::Checked<Type> (*read)(const Json&),
                                     const std::string& key) {
    std::map<std::string, std::vector<std::string>> providers;
    for (const Json& entry : list_entries(connection, caller.tenant.id, kind)) {
        const auto type = read(entry);
        if (!type) continue;
        for (const auto& [provider, settings] : type->provider_map) {
            if (settings.contains(key)) providers[type->header.name].push_back(provider);
        }
    }
    std::vector<TypeChoice> choices;
    for (const auto& [name, words] : offered_choices(connection, caller, kind, withheld)) {
        choices.push_back({.name = name, .words = words, .providers = providers[name]});
    }
    return choices;
}

std::vector<PluginField> fields_to_fill_in(const PluginType& type, const Caller& caller) {
    std::vector<PluginField> fields = type.user.fields;
    for (const PluginField& field : type.admin.fields) {
        if (field.overridable && (!field.grants || caller.is_admin())) fields.push_back(field);
    }
    return fields;
}

std::vector<PluginField> provider_fields_of(Connection& connection, const Caller& caller,
                                            const std::string& name) {
    const auto entry = find_entry(connection, caller.tenant.id, CatalogueKind::provider, name);
    const auto provider =
        entry ? provider_from_json(*entry) : provisioner::base::Checked<Provider>{};
    if (!entry || !provider) return {};
    const auto type = find_plugin_type(connection, PluginKind::provider, provider->provider_type);
    return type ? fields_to_fill_in(*type, caller) : std::vector<PluginField>{};
}

void put_draft_in_place(Connection& connection, const Caller& caller, const std::string& name,
                        std::vector<ClusterTemplate>& templates) {
    const auto found = std::ranges::find_if(
        templates, [&](const ClusterTemplate& one) { return one.header.name == name; });
    if (found == templates.end()) return;
    auto draft = provisioner::operations::find_resolved_draft(connection, caller.tenant.id, name);
    if (draft) *found = *std::move(draft);
}

}  // namespace

std::string end_of_output(Connection& connection, const Task& task) {
    return tail_of_output(connection, task, longest_output_in_list);
}

std::vector<ClusterTemplate> read_templates(Connection& connection, const Caller& caller) {
    const auto withheld = withheld_from(connection, caller);
    std::vector<ClusterTemplate> templates;
    for (const Json& entry :
         list_entries(connection, caller.tenant.id, CatalogueKind::cluster_template)) {
        auto read = cluster_template_from_json(entry);
        if (!read) continue;
        if (withheld.contains(CatalogueKind::cluster_template, read->header.name)) continue;
        // A template that cannot be merged is offered as written. Using it answers with the
        // problem.
        const TenantId tenant = caller.tenant.id;
        auto whole = provisioner::operations::resolve_template(connection, tenant, *read);
        templates.push_back(whole ? *std::move(whole) : *std::move(read));
    }
    return templates;
}

Offer read_offer(Connection& connection, const Caller& caller, const std::string& cluster_template,
                 const std::string& provider, bool of_draft) {
    Offer offer;
    const auto withheld = provisioner::operations::not_on_offer(connection, caller);
    offer.templates = read_templates(connection, caller);
    offer.size_troubles = read_size_troubles(connection, caller.tenant.id, cluster_template);
    if (of_draft && caller.is_admin()) {
        offer.size_troubles.erase(cluster_template);
        put_draft_in_place(connection, caller, cluster_template, offer.templates);
    }
    offer.providers = offered_choices(connection, caller, CatalogueKind::provider, withheld);
    offer.hardware_types = type_choices(connection, caller, CatalogueKind::hardware_type, withheld,
                                        hardware_type_from_json, "flavor");
    offer.image_types = type_choices(connection, caller, CatalogueKind::image_type, withheld,
                                     image_type_from_json, "image");
    offer.services = offered_choices(connection, caller, CatalogueKind::service, withheld);
    const auto* chosen = offer.find(cluster_template);
    const auto fallback = chosen ? chosen->defaults.provider.value_or("") : "";
    const auto used = provider.empty() ? fallback : provider;
    if (withheld.contains(CatalogueKind::provider, used)) return offer;
    offer.provider_fields = provider_fields_of(connection, caller, used);
    return offer;
}

}  // namespace fcgi::pages
