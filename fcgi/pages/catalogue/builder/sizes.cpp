#include "fcgi/pages/catalogue/builder/sizes.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/solver/changes/changes.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::operations::SizeAnswer;
using provisioner::operations::TemplateSizes;
using provisioner::solver::ClusterLayout;
using provisioner::solver::NodeGroup;
using provisioner::solver::Unsatisfiable;

namespace {

/// The one machine that `larger` has beside those of `smaller`; nothing if they differ in another
/// way.
std::optional<NodeGroup> one_more(const ClusterLayout& smaller, const ClusterLayout& larger) {
    std::optional<NodeGroup> more;
    for (const NodeGroup& group : larger.groups) {
        const int difference = count_of(larger, group) - count_of(smaller, group);
        if (difference == 0) continue;
        if (difference != 1 || more) return std::nullopt;
        more = group;
        more->count = 1;
    }
    const bool lost_one = std::ranges::any_of(smaller.groups, [&](const NodeGroup& group) {
        return count_of(larger, group) < count_of(smaller, group);
    });
    return lost_one ? std::nullopt : more;
}

bool are_alike(const Unsatisfiable& one, const Unsatisfiable& other) {
    return one.clash.empty() || other.clash.empty() ? one.reasons == other.reasons
                                                    : one.clash == other.clash;
}

/// The default services that no machine of a possible size gets.
std::vector<std::string> services_without_place(const std::optional<ClusterLayout>& layout,
                                                const std::vector<std::string>& services) {
    std::vector<std::string> left_out;
    if (!layout) return left_out;
    std::ranges::copy_if(services, std::back_inserter(left_out), [&](const std::string& service) {
        return std::ranges::none_of(layout->groups, [&](const NodeGroup& group) {
            return std::ranges::count(group.services, service) > 0;
        });
    });
    return left_out;
}

/// Whether the size belongs to the run; if so, it is taken. `before` is the size before it.
bool takes(SizeRun& run, const SizeAnswer& before, const SizeAnswer& size,
           const std::vector<std::string>& services) {
    if (!size.layout || !before.layout) {
        return !size.layout && !before.layout && are_alike(run.why, size.why);
    }
    const bool lack_the_same = services_without_place(before.layout, services) ==
                               services_without_place(size.layout, services);
    if (!lack_the_same) return false;
    const auto more = one_more(*before.layout, *size.layout);
    if (!more || (run.each_more && !are_of_a_kind(*run.each_more, *more))) return false;
    run.each_more = more;
    return true;
}

std::string words_of_group(const NodeGroup& group, const Labels& labels) {
    const std::string services = group.services.empty() ? translated("no services")
                                                        : listed(labels.services(group.services));
    return translated("{0}, {1} with {2}", labels.hardware_type(group.hardware_type),
                      labels.image_type(group.image_type), services);
}

bool is_last_of(const TemplateSizes& sizes, const SizeRun& run) {
    return !sizes.sizes.empty() && run.last == sizes.sizes.back().machines;
}

/// Whether no larger size that was tried is possible either, for the same reasons.
bool goes_on(const TemplateSizes& sizes, const SizeRun& run) {
    if (run.layout || sizes.beyond.empty() || !is_last_of(sizes, run)) return false;
    const bool has_none = std::ranges::none_of(
        sizes.beyond, [](const SizeAnswer& size) { return size.layout.has_value(); });
    return has_none && are_alike(run.why, sizes.beyond.back().why);
}

std::string range_of_run(const SizeRun& run, const TemplateSizes& sizes) {
    return range_words(run.first, run.last, goes_on(sizes, run));
}

/// What is known of larger sizes than the last, which is impossible; empty if there are none.
std::string words_on_larger(const TemplateSizes& sizes, const SizeRun& run) {
    if (run.layout || sizes.beyond.empty() || !is_last_of(sizes, run)) return "";
    const std::string last = grouped(run.last);
    if (goes_on(sizes, run)) {
        return translated("Of the sizes above {0}, some and the largest were tried.", last);
    }
    const auto possible = std::ranges::find_if(
        sizes.beyond, [](const SizeAnswer& size) { return size.layout.has_value(); });
    if (possible != sizes.beyond.end()) {
        return translated_count(
            possible->machines, "Of the sizes above {1}, {0} machine is possible, for example.",
            "Of the sizes above {1}, {0} machines are possible, for example.", last);
    }
    return translated("Some sizes above {0} were tried, too: none is possible.", last);
}

Json groups_of_run(const SizeRun& run, const Labels& labels) {
    Json groups = Json::array();
    if (!run.layout) return groups;
    for (const NodeGroup& group : run.layout->groups) {
        groups.push_back({{"count", group.count}, {"machine", words_of_group(group, labels)}});
    }
    return groups;
}

/// Where the least number of machines of a service is set.
std::string control_of_minimum(const TemplateForm& form, const std::string& service) {
    const auto row = std::ranges::find(form.limits, service, &TemplateForm::Limit::service);
    return row == form.limits.end()
               ? "#limits-title"
               : "#limit-" + std::to_string(row - form.limits.begin()) + "-min";
}

std::string words_of_least(int machines) {
    return translated_count(machines, "Let clusters of the template have at least {0} machine.",
                            "Let clusters of the template have at least {0} machines.");
}

/// The size from which on each that was tried has all services; 0 if the last one has not.
int least_complete_size(const TemplateSizes& sizes) {
    int least = 0;
    for (auto size = sizes.sizes.rbegin(); size != sizes.sizes.rend(); ++size) {
        const bool is_complete =
            size->layout && services_without_place(size->layout, sizes.services).empty();
        if (!is_complete) break;
        least = size->machines;
    }
    return least;
}

/// What refuses sizes at which no machine runs `services`: a least size of the template, if these
/// are its smallest, and for each service its minimum, with the control that sets it.
Json minima_json(const SizeRun& run, const TemplateSizes& sizes,
                 const std::vector<std::string>& services, const TemplateForm& form,
                 const Labels& labels) {
    using Kind = provisioner::solver::TemplatePart::Kind;
    Json minima = Json::array();
    if (services.empty()) return minima;
    if (const int least = least_complete_size(sizes); run.first == sizes.least && least > 0) {
        const auto parts = provisioner::solver::parts_of_size(least, sizes.most);
        minima.push_back({{"minimum", words_of_least(least)},
                          {"minimum_href", ""},
                          {"button", button_for(parts)}});
    }
    for (const std::string& service : services) {
        const std::vector<provisioner::solver::TemplatePart> parts{
            {.kind = Kind::at_least, .services = {service}, .bound = 1}};
        minima.push_back(
            {{"minimum", translated("Minimum machines of {0}: 1", labels.service(service))},
             {"minimum_href", form.is_json ? "" : control_of_minimum(form, service)},
             {"button", can_apply(form, parts) ? Json(button_for(parts)) : Json()}});
    }
    return minima;
}

Json rules_json(const std::vector<ClashingRule>& clashing) {
    Json rules = Json::array();
    for (const ClashingRule& rule : clashing) {
        rules.push_back({{"rule", rule.words}, {"href", rule.href}, {"source", rule.source}});
    }
    return rules;
}

/// The sizes that work; none if one between them does not.
std::span<const SizeAnswer> working_sizes(const std::vector<SizeAnswer>& sizes) {
    const auto works = [](const SizeAnswer& size) { return size.layout.has_value(); };
    const auto first = std::ranges::find_if(sizes, works);
    const auto end = std::find_if(sizes.rbegin(), sizes.rend(), works).base();
    if (first == sizes.end() || !std::all_of(first, end, works)) return {};
    return {first, end};
}

/// What keeps users from all sizes below those that work, or above them: another size of the
/// template. Said once, of the first of these sizes; null elsewhere.
Json remedy_by_size(const SizeRun& run, const TemplateSizes& sizes) {
    const auto working = working_sizes(sizes.sizes);
    if (working.empty()) return nullptr;
    const int least = working.front().machines;
    const int most = working.back().machines;
    const bool is_smallest = run.first == sizes.least && run.first < least;
    const bool is_above =
        run.first == most + 1 && std::ranges::none_of(sizes.beyond, [](const SizeAnswer& size) {
            return size.layout.has_value();
        });
    if (!is_smallest && !is_above) return nullptr;
    const std::string sentence =
        is_smallest
            ? words_of_least(least)
            : translated_count(most, "Let clusters of the template have at most {0} machine.",
                               "Let clusters of the template have at most {0} machines.");
    const auto parts = is_smallest ? provisioner::solver::parts_of_size(least, sizes.most)
                                   : provisioner::solver::parts_of_size(sizes.least, most);
    return {{"sentence", sentence}, {"button", button_for(parts)}};
}

Json remedies_of_run(const SizeRun& run, const TemplateSizes& sizes, const TemplateForm& form,
                     const Labels& labels) {
    Json remedies = Json::array();
    if (Json by_size = remedy_by_size(run, sizes); !by_size.is_null()) {
        remedies.push_back(std::move(by_size));
    }
    for (const auto& remedy : run.why.remedies) {
        const bool helps = can_apply(form, remedy.changes);
        // Another number of machines is another line of this table.
        if (remedy.is_in_request && !helps) continue;
        Json json;
        json["sentence"] = labels.in(remedy.sentence);
        json["button"] = helps ? Json(button_for(remedy.changes)) : Json();
        remedies.push_back(std::move(json));
    }
    return remedies;
}

Json run_json(const SizeRun& run, const TemplateSizes& sizes, const TemplateForm& form,
              const TemplateSurroundings& around) {
    Json reasons = Json::array();
    for (const auto& sentence : run.why.reasons) {
        reasons.push_back({{"reason", around.labels.in(sentence)}});
    }
    Json json;
    json["range"] = range_of_run(run, sizes);
    json["larger"] = words_on_larger(sizes, run);
    json["why_id"] = "why-" + std::to_string(run.first);
    json["is_possible"] = run.layout.has_value();
    json["groups"] = groups_of_run(run, around.labels);
    json["each_more"] = run.each_more
                            ? Json(translated("Each further machine: {0}",
                                              words_of_group(*run.each_more, around.labels)))
                            : Json();
    const auto left_out = services_without_place(run.layout, sizes.services);
    json["nowhere"] = listed(around.labels.services(left_out));
    json["minima"] = minima_json(run, sizes, left_out, form, around.labels);
    json["reasons"] = std::move(reasons);
    json["rules_title"] =
        run.why.clash.empty() ? translated("Where that is set:") : translated("Rules that clash:");
    json["rules"] = rules_json(rules_that_clash(run.why, form, around));
    json["has_rules"] = !json["rules"].empty();
    json["remedies"] = remedies_of_run(run, sizes, form, around.labels);
    json["has_remedies"] = !json["remedies"].empty();
    return json;
}

/// A possible size at which no machine runs some service is not called possible and no more.
std::string sentence_of(const TemplateSizes& sizes, const Labels& labels) {
    const auto possible = std::ranges::count_if(
        sizes.sizes, [](const SizeAnswer& size) { return size.layout.has_value(); });
    std::size_t incomplete = 0;
    std::vector<std::string> left_out;
    for (const SizeAnswer& size : sizes.sizes) {
        const auto services = services_without_place(size.layout, sizes.services);
        if (!services.empty()) ++incomplete;
        for (const auto& service : services) {
            if (std::ranges::count(left_out, service) == 0) left_out.push_back(service);
        }
    }
    const auto all = translated_count(sizes.sizes.size(), "{0} size", "{0} sizes");
    const auto provider = labels.of(CatalogueKind::provider, sizes.provider);
    if (incomplete == 0) {
        return translated("{0} of {1} possible, with machines from {2}.", possible, all, provider);
    }
    return translated("{0} of {1} possible, {2} of them without {3}; machines come from {4}.",
                      possible, all, incomplete, listed(labels.services(left_out)), provider);
}

/// The templates that include a partial one: their previews show what it does.
Json heirs_json(const TemplateForm& form, const TemplateSurroundings& around) {
    constexpr std::size_t most_heirs = 20;
    constexpr auto kind = CatalogueKind::cluster_template;
    Json heirs = Json::array();
    if (!form.is_partial() || form.was.empty()) return heirs;
    for (const Json& entry : provisioner::operations::entries_of(around.entries, kind)) {
        const auto made = provisioner::model::cluster_template_from_json(entry);
        if (!made || std::ranges::count(made->includes, form.was) == 0) continue;
        if (heirs.size() == most_heirs) break;
        const std::string& name = made->header.name;
        heirs.push_back(Json{{"heir", around.labels.of(kind, name)},
                             {"heir_href", "/builder/" + collection_word(kind) + '/' +
                                               http::percent_encode(name) + "#preview"}});
    }
    return heirs;
}

}  // namespace

std::string range_words(int first, int last, bool goes_on) {
    if (goes_on) return translated_count(first, "{0} machine or more", "{0} machines or more");
    if (first == last) return translated_count(first, "{0} machine", "{0} machines");
    return translated("{0}–{1} machines", grouped(first), grouped(last));
}

std::vector<SizeRun> runs_of(const std::vector<SizeAnswer>& sizes,
                             const std::vector<std::string>& services) {
    std::vector<SizeRun> runs;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const SizeAnswer& size = sizes[i];
        if (i > 0 && takes(runs.back(), sizes[i - 1], size, services)) {
            runs.back().last = size.machines;
            continue;
        }
        runs.push_back({.first = size.machines,
                        .last = size.machines,
                        .layout = size.layout,
                        .why = size.why});
    }
    return runs;
}

std::vector<std::string> warnings_about_sizes(const TemplateSizes& sizes, const TemplateForm& form,
                                              const TemplateSurroundings& around) {
    std::vector<std::string> warnings;
    for (const SizeRun& run : runs_of(sizes.sizes, sizes.services)) {
        if (run.layout) {
            const auto left_out = services_without_place(run.layout, sizes.services);
            if (left_out.empty()) continue;
            warnings.push_back(translated(
                "{0}: no machine runs {1}. To refuse such sizes, set a minimum under "
                "“Limits of services”.",
                range_words(run.first, run.last, false), listed(around.labels.services(left_out))));
            continue;
        }
        std::string sentence = translated("{0}: not possible.", range_of_run(run, sizes));
        for (const auto& reason : run.why.reasons) sentence += ' ' + around.labels.in(reason);
        std::string rules;
        for (const ClashingRule& rule : rules_that_clash(run.why, form, around)) {
            rules += rules.empty() ? "" : "; ";
            rules += rule.source.empty() ? rule.words
                                         : translated("{0} (from {1})", rule.words, rule.source);
        }
        if (!rules.empty()) {
            sentence += ' ' + (run.why.clash.empty() ? translated("Where that is set: {0}.", rules)
                                                     : translated("Rules that clash: {0}.", rules));
        }
        if (const auto larger = words_on_larger(sizes, run); !larger.empty()) {
            sentence += ' ' + larger;
        }
        warnings.push_back(std::move(sentence));
    }
    return warnings;
}

Json sizes_json(const SizesSection& section, const TemplateForm& form,
                const std::vector<NamedControl>& controls, const TemplateSurroundings& around) {
    Json runs = Json::array();
    bool has_open = false;
    Json json;
    json["sizes_sentence"] = nullptr;
    json["sizes_more"] = nullptr;
    if (section.sizes) {
        for (const SizeRun& run : runs_of(section.sizes->sizes, section.sizes->services)) {
            runs.push_back(run_json(run, *section.sizes, form, around));
            // One explanation is read at a time.
            const bool is_explained = !run.layout && !std::exchange(has_open, true);
            runs.back()["is_open"] = is_explained;
        }
        const auto& sizes = *section.sizes;
        json["sizes_sentence"] = sentence_of(sizes, around.labels);
        const bool has_more = !sizes.sizes.empty() && sizes.sizes.back().machines < sizes.most;
        if (has_more) {
            json["sizes_more"] =
                translated("Larger sizes are not shown. Choose where the preview begins.");
        }
    }
    const auto problems =
        form.is_json ? problems_in_text(section.problems, "json") : section.problems;
    json["sizes_problems"] = problems_json("", problems, controls).at("problems");
    json["has_sizes_problems"] = !section.problems.empty();
    json["has_runs"] = !runs.empty();
    json["is_not_asked"] = !section.sizes && section.problems.empty();
    json["runs"] = std::move(runs);
    json["heirs"] = heirs_json(form, around);
    json["has_heirs"] = !json["heirs"].empty();
    json["sizes_from"] = form.from;
    json["sizes_to"] = form.to;
    return json;
}

}  // namespace fcgi::pages
