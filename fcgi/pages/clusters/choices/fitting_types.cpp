#include "fcgi/pages/clusters/choices/fitting_types.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::grouped;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::model::Service;
using Names = std::vector<std::string>;
using Options = std::vector<std::pair<std::string, std::string>>;

namespace {

/// What may be used, in the order of the template.
std::vector<TypeChoice> allowed_types(const TypeQuestion& question) {
    if (question.compatible.empty()) return question.all;
    std::vector<TypeChoice> allowed;
    for (const auto& name : question.compatible) {
        const auto found = std::ranges::find(question.all, name, &TypeChoice::name);
        if (found != question.all.end()) allowed.push_back(*found);
    }
    return allowed;
}

bool has_type(const std::vector<TypeChoice>& types, const std::string& name) {
    return std::ranges::find(types, name, &TypeChoice::name) != types.end();
}

bool is_hardware(const TypeQuestion& question) {
    return question.kind == CatalogueKind::hardware_type;
}

std::string words_of_type(const TypeQuestion& question, const std::string& name) {
    const auto found = std::ranges::find(question.all, name, &TypeChoice::name);
    return found == question.all.end() ? name : found->words;
}

std::string instead_of(const TypeQuestion& question, const std::string& unfit,
                       const std::string& chosen) {
    const std::string wanted = words_of_type(question, unfit);
    if (chosen.empty()) {
        return translated("{0} cannot be used at the provider {1}: any that can is chosen instead.",
                          wanted, question.provider);
    }
    return translated("{0} cannot be used at the provider {1}: {2} is chosen instead.", wanted,
                      question.provider, words_of_type(question, chosen));
}

template <class Fits>
Names others_where(const Options& providers, const std::string& present, const Fits& fits) {
    Names others;
    for (const auto& [name, words] : providers) {
        if (name != present && fits(name)) others.push_back(words);
    }
    return others;
}

}  // namespace

bool TypeChoice::fits(const std::string& provider) const {
    return provider.empty() || std::ranges::count(providers, provider) > 0;
}

FittingTypes fitting_types(const TypeQuestion& question) {
    const auto allowed = allowed_types(question);
    auto fitting = allowed;
    std::erase_if(fitting, [&](const auto& type) { return !type.fits(question.provider); });
    FittingTypes types{.nothing_fits = fitting.empty() && !question.provider.empty()};
    if (question.usual.empty()) types.options.emplace_back("", translated("Any compatible"));
    for (const TypeChoice& type : fitting.empty() ? allowed : fitting) {
        types.options.emplace_back(type.name, type.words);
    }
    const std::string& wanted = question.asked_or_usual();
    types.chosen = wanted;
    if (fitting.empty() || wanted.empty() || has_type(fitting, wanted)) return types;
    types.chosen = question.usual.empty()              ? ""
                   : has_type(fitting, question.usual) ? question.usual
                                                       : fitting.front().name;
    types.note = instead_of(question, wanted, types.chosen);
    return types;
}

bool can_work_at(const std::string& provider, const std::vector<TypeQuestion>& questions) {
    return std::ranges::all_of(questions, [&](const TypeQuestion& question) {
        const auto allowed = allowed_types(question);
        return std::ranges::any_of(allowed,
                                   [&](const TypeChoice& type) { return type.fits(provider); });
    });
}

Names other_providers(const std::vector<TypeQuestion>& questions, const Options& providers) {
    if (questions.empty()) return {};
    return others_where(providers, questions.front().provider, [&](const std::string& provider) {
        return can_work_at(provider, questions);
    });
}

Names providers_with_what_is_asked(const TypeQuestion& question, const Options& providers) {
    const std::string& wanted = question.asked_or_usual();
    const auto allowed = allowed_types(question);
    const auto type = std::ranges::find(allowed, wanted, &TypeChoice::name);
    if (type == allowed.end()) return {};
    return others_where(providers, question.provider,
                        [&](const std::string& provider) { return type->fits(provider); });
}

Json missing_json(const TypeQuestion& question, const std::string& provider, bool is_admin) {
    Json json;
    json["sentence"] =
        is_hardware(question)
            ? translated("No hardware type of this template can be used at the provider {0}.",
                         provider)
            : translated("No image type of this template can be used at the provider {0}.",
                         provider);
    json["remedy"] = is_admin ? translated("Add the provider to one of these:")
                              : translated("An administrator of your tenant can add one.");
    const std::string list =
        "/catalogue/" + std::string(provisioner::model::collection_of(question.kind));
    json["links"] = Json::array();
    if (!is_admin) return json;
    for (const TypeChoice& type : allowed_types(question)) {
        json["links"].push_back({{"href", list + '/' + http::percent_encode(type.name) + "/edit"},
                                 {"text", type.words}});
    }
    if (json["links"].empty()) {
        json["links"].push_back({{"href", list},
                                 {"text", is_hardware(question) ? translated("Hardware types")
                                                                : translated("Image types")}});
    }
    return json;
}

std::vector<MissingService> missing_services(const std::vector<std::string>& chosen,
                                             const std::vector<std::string>& allowed,
                                             const std::vector<Service>& catalogue) {
    std::vector<MissingService> missing;
    for (auto& [service, needs] : provisioner::solver::unmet_requirements(chosen, catalogue)) {
        MissingService one{.service = std::move(service), .needs = std::move(needs)};
        for (const Service& other : catalogue) {
            const std::string& name = other.header.name;
            const bool meets =
                name == one.needs || std::ranges::count(other.dependencies.provides, one.needs) > 0;
            const bool may_be_chosen = allowed.empty() || std::ranges::count(allowed, name) > 0;
            if (meets && may_be_chosen) one.offered.push_back(name);
        }
        missing.push_back(std::move(one));
    }
    return missing;
}

std::string words_of_missing(const MissingService& missing, const Labels& labels) {
    const std::string service = labels.service(missing.service);
    if (missing.offered.empty()) {
        return translated("{0} needs {1}, which no service of this template is or provides.",
                          service, labels.service(missing.needs));
    }
    if (missing.offered.size() == 1) {
        return translated("{0} needs {1}, which is not chosen.", service,
                          labels.service(missing.offered.front()));
    }
    return translated("{0} needs one of these services, and none is chosen: {1}.", service,
                      listed(labels.services(missing.offered)));
}

std::optional<WithoutSize> services_without_size(const provisioner::model::Constraints& constraints,
                                                 const std::vector<std::string>& chosen,
                                                 const std::vector<std::string>& usual) {
    using provisioner::solver::limits_of_rules;
    const auto limits = limits_of_rules(constraints, chosen);
    if (limits.leave_any()) return std::nullopt;
    WithoutSize none;
    if (limits.most < constraints.size_min) {
        none.sentence = translated_count(
            static_cast<unsigned long>(std::max(0L, limits.most)),
            "These services can be on at most {0} machine, and clusters of this template have at "
            "least {1}.",
            "These services can be on at most {0} machines, and clusters of this template have at "
            "least {1}.",
            grouped(constraints.size_min));
    } else if (limits.least > constraints.size_max) {
        none.sentence = translated_count(
            static_cast<unsigned long>(limits.least),
            "These services need at least {0} machine, and clusters of this template have at most "
            "{1}.",
            "These services need at least {0} machines, and clusters of this template have at most "
            "{1}.",
            grouped(constraints.size_max));
    } else {
        none.sentence = translated("No number of machines fits these services.");
    }
    for (const std::string& name : usual) {
        if (std::ranges::count(chosen, name) > 0) continue;
        auto with_it = chosen;
        with_it.push_back(name);
        if (limits_of_rules(constraints, with_it).leave_any()) none.offered.push_back(name);
    }
    if (!none.offered.empty()) none.sentence += ' ' + translated("Choose another one, too.");
    return none;
}

}  // namespace fcgi::pages
