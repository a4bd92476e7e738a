#include "fcgi/pages/catalogue/size_troubles.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
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

}  // namespace

std::vector<std::string> words_on_size_troubles(const std::vector<SizeTrouble>& troubles,
                                                const Labels& labels) {
    std::vector<SizeTrouble> impossible;
    std::vector<SizeTrouble> incomplete;
    std::ranges::partition_copy(
        troubles, std::back_inserter(impossible), std::back_inserter(incomplete),
        [](const SizeTrouble& trouble) { return trouble.left_out.empty(); });
    std::vector<std::string> sentences;
    if (!impossible.empty()) {
        sentences.push_back(translated("{0}: not possible.", ranges_in_words(impossible)));
    }
    if (!incomplete.empty()) sentences.push_back(words_on_unrun(incomplete, labels));
    return sentences;
}

TemplateTroubles troubles_of_templates(const TemplateSurroundings& around,
                                       const std::map<std::string, Json>& kept) {
    TemplateTroubles all{.misfits = templates_that_do_not_work(around.entries)};
    const operations::SizedCatalogue catalogue(around.entries);
    for (const Json& entry :
         operations::entries_of(around.entries, CatalogueKind::cluster_template)) {
        std::string name = provisioner::base::text_at(entry, "name");
        if (all.misfits.contains(name)) continue;
        const auto problem = catalogue.problem_of(entry);
        if (!problem) continue;
        const auto answer = kept.find(operations::digest_of_sizes(*problem));
        if (answer == kept.end()) {
            ++all.unknown;
            continue;
        }
        auto sentences =
            words_on_size_troubles(operations::troubles_from_json(answer->second), around.labels);
        if (!sentences.empty()) all.sizes.try_emplace(std::move(name), std::move(sentences));
    }
    return all;
}

}  // namespace fcgi::pages
