#include "provisioner/solver/layout/selection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;
using Catalogue = std::map<std::string, const model::Service*>;

Names without_repeats(const Names& names) {
    Names result;
    std::set<std::string> seen;
    for (const auto& name : names) {
        if (seen.insert(name).second) result.push_back(name);
    }
    return result;
}

// The wire contract's forms send an empty name for none.
std::optional<std::string> first_named(const std::optional<std::string>& asked,
                                       const std::optional<std::string>& otherwise) {
    if (asked && !asked->empty()) return asked;
    if (otherwise && !otherwise->empty()) return otherwise;
    return std::nullopt;
}

// Hardware types and image types differ only in these words.
struct TypeQuestion {
    std::string noun;
    std::string setting_key;
    std::string request_field;
    std::optional<std::string> required;
    const Names& compatible;
};

std::string why_not_usable(const LayoutProblem& problem, const TypeQuestion& question,
                           bool exists) {
    const auto& template_name = problem.cluster_template.header.name;
    if (!question.required) {
        return "Template " + template_name + " allows no " + question.noun +
               " type that provider " + problem.provider + " has " + an(question.setting_key) +
               " for.";
    }
    const auto& name = *question.required;
    if (!exists) return "There is no " + question.noun + " type " + name + ".";
    if (!allows(question.compatible, name)) {
        return "Template " + template_name + " does not allow " + question.noun + " type " + name +
               ".";
    }
    return capitalised(question.noun) + " type " + name + " has no " + question.setting_key +
           " for provider " + problem.provider + ".";
}

Unsatisfiable no_types(const LayoutProblem& problem, const TypeQuestion& question, bool exists) {
    return {.text = "no " + question.noun + " types are available to use with template " +
                    problem.cluster_template.header.name + " and provider " + problem.provider,
            .reasons = {why_not_usable(problem, question, exists)},
            .field = question.request_field};
}

template <class Type>
base::expected<Names, Unsatisfiable> usable_among(const LayoutProblem& problem,
                                                  const std::vector<Type>& types,
                                                  const TypeQuestion& question) {
    std::set<std::string> usable;
    bool required_exists = false;
    for (const auto& type : types) {
        const auto& name = type.header.name;
        if (question.required && name != *question.required) continue;
        required_exists = true;
        if (!allows(question.compatible, name)) continue;
        if (model::setting(type.provider_map, problem.provider, question.setting_key)) {
            usable.insert(name);
        }
    }
    if (usable.empty()) return base::unexpected(no_types(problem, question, required_exists));
    return Names(usable.begin(), usable.end());
}

base::expected<Names, Unsatisfiable> usable_hardware(const LayoutProblem& problem) {
    const auto& made = problem.cluster_template;
    return usable_among(
        problem, problem.hardware_types,
        {.noun = "hardware",
         .setting_key = "flavor",
         .request_field = "hardwaretype",
         .required = first_named(problem.hardware_type, made.defaults.hardware_type),
         .compatible = made.compatibility.hardware_types});
}

base::expected<Names, Unsatisfiable> usable_images(const LayoutProblem& problem) {
    const auto& made = problem.cluster_template;
    return usable_among(problem, problem.image_types,
                        {.noun = "image",
                         .setting_key = "image",
                         .request_field = "imagetype",
                         .required = first_named(problem.image_type, made.defaults.image_type),
                         .compatible = made.compatibility.image_types});
}

Unsatisfiable bad_services(std::string text, Names reasons) {
    return {.text = std::move(text), .reasons = std::move(reasons), .field = "services"};
}

std::optional<Unsatisfiable> check_compatibility(const model::ClusterTemplate& cluster_template,
                                                 const Names& services) {
    const auto& allowed = cluster_template.compatibility.services;
    const std::set<std::string_view> admitted(allowed.begin(), allowed.end());
    Names strangers;
    for (const auto& name : services) {
        if (!admitted.empty() && !admitted.contains(name)) strangers.push_back(name);
    }
    if (strangers.empty()) return std::nullopt;

    return bad_services(joined(strangers, ",") + " are incompatible with the cluster",
                        {"Template " + cluster_template.header.name + " does not allow " +
                         listed(strangers, "or") + "."});
}

std::optional<Unsatisfiable> check_existence(const Names& services, const Catalogue& catalogue) {
    for (const auto& name : services) {
        if (catalogue.contains(name)) continue;
        return bad_services("service " + name + " does not exist",
                            {"Service " + name + " does not exist."});
    }
    return std::nullopt;
}

std::set<std::string> names_available(const Names& services, const Catalogue& catalogue) {
    std::set<std::string> available(services.begin(), services.end());
    for (const auto& name : services) {
        const auto found = catalogue.find(name);
        if (found == catalogue.end()) continue;
        const auto& provided = found->second->dependencies.provides;
        available.insert(provided.begin(), provided.end());
    }
    return available;
}

Names requirements_of(const model::Service& service) {
    Names required = service.dependencies.install.required;
    const auto& runtime = service.dependencies.runtime.required;
    required.insert(required.end(), runtime.begin(), runtime.end());
    return without_repeats(required);
}

std::string unmet(const std::string& service, const std::string& required) {
    return service + " requires " + required +
           ", which is not on the cluster or in the list of services to add.";
}

std::string needed(const std::string& service, const std::string& required) {
    return service + " requires " + required + ", which would not be on the cluster.";
}

std::string conflict(const std::string& service, const std::string& other) {
    return service + " conflicts with " + other + ".";
}

// Pairs of a service and a requirement that is missing.
std::vector<std::pair<std::string, std::string>> lacking(const Names& services,
                                                         const Catalogue& catalogue) {
    const auto available = names_available(services, catalogue);
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& name : services) {
        const auto found = catalogue.find(name);
        if (found == catalogue.end()) continue;
        for (const auto& required : requirements_of(*found->second)) {
            if (!available.contains(required)) pairs.emplace_back(name, required);
        }
    }
    return pairs;
}

Names requirements_in_words(const Names& services, const Catalogue& catalogue) {
    Names lines;
    for (const auto& [service, required] : lacking(services, catalogue)) {
        lines.push_back(unmet(service, required));
    }
    return lines;
}

Names conflicts_among(const Names& services, const Catalogue& catalogue) {
    const std::set<std::string_view> chosen(services.begin(), services.end());
    Names lines;
    for (const auto& name : services) {
        const auto found = catalogue.find(name);
        if (found == catalogue.end()) continue;
        for (const auto& other : without_repeats(found->second->dependencies.conflicts)) {
            if (chosen.contains(other)) lines.push_back(conflict(name, other));
        }
    }
    return lines;
}

Catalogue by_name(const std::vector<model::Service>& services) {
    Catalogue catalogue;
    for (const auto& service : services) catalogue[service.header.name] = &service;
    return catalogue;
}

}  // namespace

Names services_asked_for(const LayoutProblem& problem) {
    return problem.services.empty() ? problem.cluster_template.defaults.services : problem.services;
}

bool is_known(const LayoutProblem& problem, const std::string& service) {
    return allows(problem.cluster_template.compatibility.services, service) &&
           std::any_of(problem.all_services.begin(), problem.all_services.end(),
                       [&](const auto& known) { return known.header.name == service; });
}

std::vector<std::pair<std::string, std::string>> unmet_requirements(
    const Names& services, const std::vector<model::Service>& catalogue) {
    return lacking(services, by_name(catalogue));
}

Names missing_requirements(const Names& services, const std::vector<model::Service>& catalogue) {
    std::set<std::string> missing;
    for (const auto& [service, required] : lacking(services, by_name(catalogue))) {
        missing.insert(required);
    }
    return {missing.begin(), missing.end()};
}

Names with_requirements(Names services, const std::vector<model::Service>& catalogue) {
    const auto provides = [](const model::Service& service, const std::string& name) {
        return service.header.name == name ||
               std::ranges::count(service.dependencies.provides, name) > 0;
    };
    while (true) {
        const auto before = services.size();
        for (const auto& missing : missing_requirements(services, catalogue)) {
            const auto found =
                std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& service) {
                    return provides(service, missing) &&
                           std::ranges::count(services, service.header.name) == 0;
                });
            if (found != catalogue.end()) services.push_back(found->header.name);
        }
        if (services.size() == before) return services;
    }
}

std::optional<Unsatisfiable> check_services(const model::ClusterTemplate& cluster_template,
                                            const ServiceRequest& request,
                                            const std::vector<model::Service>& catalogue) {
    const auto defined = by_name(catalogue);
    const auto asked = without_repeats(request.services);
    const auto missing = check_existence(asked, defined);
    if (missing && request.existence_first) return missing;
    if (auto problem = check_compatibility(cluster_template, asked)) return problem;
    if (missing) return missing;

    auto together = request.present;
    together.insert(together.end(), asked.begin(), asked.end());
    together = without_repeats(together);
    for (const auto& lines :
         {requirements_in_words(together, defined), conflicts_among(together, defined)}) {
        if (!lines.empty()) return bad_services(joined(lines, "\n"), lines);
    }
    return std::nullopt;
}

std::optional<Unsatisfiable> check_removal(const Names& staying,
                                           const std::vector<model::Service>& catalogue) {
    Names lines;
    for (const auto& [service, required] : lacking(without_repeats(staying), by_name(catalogue))) {
        lines.push_back(needed(service, required));
    }
    if (lines.empty()) return std::nullopt;
    return bad_services(joined(lines, "\n"), lines);
}

base::expected<Selection, Unsatisfiable> usable_types(const LayoutProblem& problem) {
    auto hardware = usable_hardware(problem);
    if (!hardware) return base::unexpected(hardware.error());
    auto images = usable_images(problem);
    if (!images) return base::unexpected(images.error());
    return Selection{{}, *std::move(hardware), *std::move(images)};
}

base::expected<Selection, Unsatisfiable> select(const LayoutProblem& problem) {
    auto selection = usable_types(problem);
    if (!selection) return selection;

    auto services = services_asked_for(problem);
    if (auto wrong = check_services(problem.cluster_template, {.services = services, .present = {}},
                                    problem.all_services)) {
        return base::unexpected(std::move(*wrong));
    }
    std::sort(services.begin(), services.end());
    services.erase(std::unique(services.begin(), services.end()), services.end());
    selection->services = std::move(services);
    return selection;
}

}  // namespace provisioner::solver
