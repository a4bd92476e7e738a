#include "fcgi/pages/catalogue/size_troubles.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::operations::SizeTrouble;
namespace operations = provisioner::operations;

namespace {

constexpr std::size_t most_ranges = 3;
constexpr std::size_t most_services_named = 5;

/// Ranges that follow each other are one.
std::string ranges_in_words(const std::vector<SizeTrouble>& troubles) {
    std::vector<SizeTrouble> ranges;
    for (const SizeTrouble& trouble : troubles) {
        if (!ranges.empty() && ranges.back().last + 1 == trouble.first) {
            ranges.back().last = trouble.last;
            ranges.back().goes_on = trouble.goes_on;
        } else {
            ranges.push_back(trouble);
        }
    }
    std::vector<std::string> words;
    for (const SizeTrouble& range : ranges) {
        words.push_back(range_words(range.first, range.last, range.goes_on));
    }
    return some_listed(words, most_ranges);
}

std::string words_on_unrun(const std::vector<SizeTrouble>& troubles, const Labels& labels) {
    std::vector<std::string> names;
    for (const SizeTrouble& trouble : troubles) {
        for (const std::string& name : trouble.left_out) {
            if (std::ranges::count(names, name) == 0) names.push_back(name);
        }
    }
    const bool are_alike = std::ranges::all_of(troubles, [&](const SizeTrouble& trouble) {
        return trouble.left_out.size() == names.size();
    });
    const std::string services = some_listed(labels.services(names), most_services_named);
    const std::string ranges = ranges_in_words(troubles);
    return are_alike ? translated("{0}: no machine runs {1}.", ranges, services)
                     : translated("{0}: no machine runs some of {1}.", ranges, services);
}

bool is_impossible(const SizeTrouble& trouble) {
    return trouble.left_out.empty();
}

/// Whether none of the sizes that a template allows is possible, as far as they were tried.
bool are_all_impossible(const std::vector<SizeTrouble>& troubles,
                        const provisioner::model::Constraints& constraints) {
    int next = std::max(constraints.size_min, 1);
    for (const SizeTrouble& trouble : troubles) {
        if (!is_impossible(trouble) || trouble.first > next) return false;
        next = trouble.last + 1;
    }
    return !troubles.empty() && (troubles.back().goes_on || next > constraints.size_max);
}

TroubleWeight weight_of_sizes(const std::vector<SizeTrouble>& troubles,
                              const provisioner::model::Constraints& constraints) {
    if (are_all_impossible(troubles, constraints)) return TroubleWeight::nothing_works;
    return std::ranges::any_of(troubles, is_impossible) ? TroubleWeight::some_works
                                                        : TroubleWeight::works_in_part;
}

}  // namespace

std::vector<std::string> words_on_size_troubles(const std::vector<SizeTrouble>& troubles,
                                                const Labels& labels) {
    std::vector<SizeTrouble> impossible;
    std::vector<SizeTrouble> incomplete;
    std::ranges::partition_copy(troubles, std::back_inserter(impossible),
                                std::back_inserter(incomplete), is_impossible);
    std::vector<std::string> sentences;
    if (!impossible.empty()) {
        sentences.push_back(translated("{0}: not possible.", ranges_in_words(impossible)));
    }
    if (!incomplete.empty()) sentences.push_back(words_on_unrun(incomplete, labels));
    return sentences;
}

TemplateTroubles troubles_of_templates(const TemplateSurroundings& around,
                                       const std::map<std::string, Json>& kept,
                                       const Audience& audience, const LackingFiles& lacking) {
    TemplateTroubles all;
    const auto add = [&](const std::string& name, TemplateTrouble trouble) {
        if (trouble.sentences.empty()) return;
        auto& known =
            all.templates.try_emplace(name, TemplateTrouble{trouble.weight}).first->second;
        known.weight = std::min(known.weight, trouble.weight);
        std::ranges::move(trouble.sentences, std::back_inserter(known.sentences));
    };
    for (auto& [name, sentences] : templates_that_do_not_work(around.entries)) {
        const bool has_a_choice = sentences == std::vector{words_on_lacking_services()};
        add(name, {has_a_choice ? TroubleWeight::works_with_a_choice : TroubleWeight::nothing_works,
                   std::move(sentences)});
    }
    const operations::SizedCatalogue catalogue(around.entries);
    for (const Json& entry :
         operations::entries_of(around.entries, CatalogueKind::cluster_template)) {
        const std::string name = provisioner::base::text_at(entry, "name");
        // Of one that does not work at all no sizes are said.
        if (all.templates.contains(name)) continue;
        const auto problem = catalogue.problem_of(entry);
        if (!problem) continue;
        const auto answer = kept.find(operations::digest_of_sizes(*problem));
        if (answer == kept.end()) {
            ++all.unknown;
            continue;
        }
        const auto troubles = operations::troubles_from_json(answer->second);
        add(name, {weight_of_sizes(troubles, problem->cluster_template.constraints),
                   words_on_size_troubles(troubles, around.labels)});
    }
    if (!lacking.empty()) {
        for (const Json& entry :
             operations::entries_of(around.entries, CatalogueKind::cluster_template)) {
            add(provisioner::base::text_at(entry, "name"),
                {TroubleWeight::works_in_part,
                 words_on_lacking_files(around.entries, lacking, entry)});
        }
    }
    for (const WithheldNeed& need : withheld_needs(around.entries, audience)) {
        add(need.cluster_template,
            {need.is_withheld_from_all ? TroubleWeight::nothing_works : TroubleWeight::some_works,
             {words_on_withheld(need, around.entries)}});
    }
    return all;
}

}  // namespace fcgi::pages
