#include "fcgi/pages/catalogue/change_effects.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/size_troubles.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
using provisioner::operations::SizeTrouble;
namespace operations = provisioner::operations;

namespace {

constexpr CatalogueKind reached_kind = CatalogueKind::cluster_template;
constexpr std::size_t most_effects_told = 20;

/// Sentences name entries by their labels: a new label makes no new sentence.
CatalogueEntries with_labels_of(CatalogueEntries all, const CatalogueEntries& labelled) {
    for (auto& [kind, entries] : all) {
        std::map<std::string, std::string> labels;
        for (const Json& entry : entries_of(labelled, kind)) {
            labels[text_at(entry, "name")] = text_at(entry, "label");
        }
        for (Json& entry : entries) {
            const auto label = labels.find(text_at(entry, "name"));
            if (label == labels.end()) continue;
            if (label->second.empty()) {
                entry.erase("label");
            } else {
                entry["label"] = label->second;
            }
        }
    }
    return all;
}

std::vector<std::string> sentences_of(
    const std::map<std::string, std::vector<std::string>>& troubles, const std::string& name) {
    const auto found = troubles.find(name);
    return found == troubles.end() ? std::vector<std::string>() : found->second;
}

/// Whether these sizes were no better before.
bool was_so(const SizeTrouble& trouble, const std::vector<SizeTrouble>& before) {
    return std::ranges::any_of(before, [&](const SizeTrouble& known) {
        const bool is_within = known.first <= trouble.first && known.last >= trouble.last &&
                               (known.goes_on || !trouble.goes_on);
        return is_within && (known.left_out.empty() || known.left_out == trouble.left_out);
    });
}

/// One of the templates that a change may reach.
struct ReachedTemplate {
    const Json* before = nullptr;
    const Json* after = nullptr;
    std::string name{};
    bool is_draft = false;
};

std::vector<ReachedTemplate> reached_by(const CatalogueChange& change,
                                        const CatalogueEntries& before) {
    std::map<std::string, const Json*> known;
    for (const Json& entry : entries_of(before, reached_kind)) {
        known[text_at(entry, "name")] = &entry;
    }
    std::vector<ReachedTemplate> reached;
    for (const Json& entry : entries_of(change.after, reached_kind)) {
        const std::string name = text_at(entry, "name");
        const auto stored = known.find(name);
        if (stored == known.end() || change.apart.contains(name)) continue;
        reached.push_back({.before = stored->second,
                           .after = &entry,
                           .name = name,
                           .is_draft = change.drafts.contains(name)});
    }
    std::ranges::sort(reached, [](const ReachedTemplate& one, const ReachedTemplate& other) {
        return std::pair(one.is_draft, one.name) < std::pair(other.is_draft, other.name);
    });
    return reached;
}

std::vector<std::string> words_on_lost(const CatalogueChange& change, const Labels& labels) {
    std::vector<std::string> sentences;
    for (const auto& [service, name] : operations::requirements_lost(change.before, change.after)) {
        sentences.push_back(translated(
            "{0} needs {1}, which nothing provides then.",
            with_capital(kind_and_name(CatalogueKind::service, labels.service(service))), name));
    }
    return sentences;
}

std::vector<std::string> labels_of_broken(const ChangeEffects& effects, bool is_draft) {
    std::vector<std::string> labels;
    for (const BrokenTemplate& one : effects.broken) {
        if (one.is_draft == is_draft) labels.push_back(one.label);
    }
    return labels;
}

}  // namespace

ChangeEffects effects_of_change(const CatalogueChange& change, const TroublesOf& troubles_of) {
    ChangeEffects effects;
    const auto before = with_labels_of(change.before, change.after);
    const TemplateSurroundings around = surroundings_in(change.after);
    effects.unprovided = words_on_lost(change, around.labels);
    const auto misfits_before = templates_that_do_not_work(before);
    const auto misfits_after = templates_that_do_not_work(change.after);
    const operations::SizedCatalogue sized_before(before);
    const operations::SizedCatalogue sized_after(change.after);
    for (const ReachedTemplate& one : reached_by(change, before)) {
        BrokenTemplate broken{.label = around.labels.of(reached_kind, one.name),
                              .is_draft = one.is_draft};
        const auto known = sentences_of(misfits_before, one.name);
        broken.sentences = sentences_of(misfits_after, one.name);
        const bool has_misfits = !known.empty() || !broken.sentences.empty();
        std::erase_if(broken.sentences, [&](const std::string& sentence) {
            return std::ranges::count(known, sentence) > 0;
        });
        const auto now = has_misfits ? std::nullopt : sized_before.problem_of(*one.before);
        const auto then = has_misfits ? std::nullopt : sized_after.problem_of(*one.after);
        const std::string digest = then ? operations::digest_of_sizes(*then) : "";
        const std::string digest_now = now ? operations::digest_of_sizes(*now) : "";
        if (digest != digest_now && then) {
            auto troubles = troubles_of(digest, *then);
            if (!troubles) {
                effects.unchecked.push_back(broken.label);
                effects.leaves_offered_unchecked |= !one.is_draft;
                continue;
            }
            // What works needs no comparison, which may take long.
            const auto were =
                troubles->empty() || !now ? std::nullopt : troubles_of(digest_now, *now);
            std::erase_if(*troubles, [&](const SizeTrouble& trouble) {
                return were && was_so(trouble, *were);
            });
            broken.sentences = words_on_size_troubles(*troubles, around.labels);
        }
        if (!broken.sentences.empty()) effects.broken.push_back(std::move(broken));
    }
    return effects;
}

std::vector<std::string> words_to_confirm(const ChangeEffects& effects) {
    std::vector<std::string> told = effects.unprovided;
    for (const BrokenTemplate& one : effects.broken) {
        if (one.is_draft) continue;
        for (const std::string& sentence : one.sentences) {
            told.push_back(translated("{0}, offered to users: {1}",
                                      with_capital(kind_and_name(reached_kind, one.label)),
                                      sentence));
        }
    }
    if (told.size() > most_effects_told) {
        const auto more = told.size() - most_effects_told;
        told.resize(most_effects_told);
        told.push_back(translated("And {0} more.", more));
    }
    // Without names: which they are may be others at the next look, and needs no new tick.
    if (effects.leaves_offered_unchecked) {
        told.push_back(
            translated("The sizes of some templates are not checked: that takes too long."));
    }
    return told;
}

std::vector<std::string> notes_on(const ChangeEffects& effects) {
    std::vector<std::string> notes;
    const auto drafts = labels_of_broken(effects, true);
    if (!drafts.empty()) {
        notes.push_back(translated("Drafts, which users are not offered, are affected, too: {0}.",
                                   some_listed(drafts)));
    }
    if (!effects.unchecked.empty()) {
        notes.push_back(translated("Sizes not checked: {0}.", some_listed(effects.unchecked)));
    }
    return notes;
}

CatalogueEntries with_entry(CatalogueEntries all, CatalogueKind kind, const Json& entry) {
    auto& entries = all[kind];
    const std::string name = text_at(entry, "name");
    const auto stored = std::ranges::find_if(
        entries, [&](const Json& one) { return text_at(one, "name") == name; });
    if (stored == entries.end()) {
        entries.push_back(entry);
    } else {
        *stored = entry;
    }
    return all;
}

}  // namespace fcgi::pages
