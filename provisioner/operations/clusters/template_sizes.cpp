#include "provisioner/operations/clusters/template_sizes.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "provisioner/identity/sha256.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/solver/solve.hpp"

namespace provisioner::operations {

namespace {

// A step takes up to 2 microseconds: see easy_steps in layouts.cpp.
constexpr long steps_for_a_layout = 20'000;
constexpr long steps_for_reasons = 100'000;
constexpr int most_explained = 8;

bool say_the_same(const solver::Unsatisfiable& one, const solver::Unsatisfiable& other) {
    return one.clash.empty() || other.clash.empty() ? one.reasons == other.reasons
                                                    : one.clash == other.clash;
}

/// Explains sizes that have no layout, few of them.
class Explainer {
 public:
    explicit Explainer(solver::LayoutProblem problem) : problem_(std::move(problem)) {}

    /// Explains those from `first` to `last`, none of which has a layout.
    void explain(std::vector<SizeAnswer>& sizes, std::size_t first, std::size_t last) {
        explain(sizes[first]);
        if (last == first) return;
        explain(sizes[last]);
        explain_between(sizes, first, last);
    }

 private:
    void explain(SizeAnswer& size) {
        if (explained_ == most_explained) {
            size.why.reasons = {"This size is not possible, or its layout takes long to work out."};
            return;
        }
        ++explained_;
        problem_.machines = size.machines;
        auto answer = solver::solve(problem_, steps_for_reasons);
        if (answer) {
            size.layout = *std::move(answer);
        } else {
            size.why = answer.error();
        }
    }

    void explain_between(std::vector<SizeAnswer>& sizes, std::size_t first, std::size_t last) {
        if (last - first < 2) return;
        const bool are_alike = !sizes[first].layout && !sizes[last].layout &&
                               say_the_same(sizes[first].why, sizes[last].why);
        if (are_alike) {
            for (std::size_t i = first + 1; i < last; ++i) sizes[i].why = sizes[first].why;
            return;
        }
        const std::size_t middle = first + (last - first) / 2;
        explain(sizes[middle]);
        explain_between(sizes, first, middle);
        explain_between(sizes, middle, last);
    }

    solver::LayoutProblem problem_;
    int explained_ = 0;
};

Result<std::string> provider_for(store::Connection& connection, model::TenantId tenant,
                                 const model::ClusterTemplate& resolved,
                                 const MachineTypes& types) {
    if (resolved.defaults.provider && !resolved.defaults.provider->empty()) {
        return *resolved.defaults.provider;
    }
    std::vector<std::string> names;
    for (const auto& entry :
         store::list_entries(connection, tenant, model::CatalogueKind::provider)) {
        names.push_back(base::text_at(entry, "name"));
    }
    if (!names.empty()) return provider_with_types(names, types);
    return refuse(Refusal::Kind::invalid, "defaults.provider",
                  "There is no provider in the catalogue yet.");
}

/// A template that asks for more machines than any cluster has is answered for the largest.
int least_size(const model::Constraints& constraints) {
    return std::clamp(constraints.size_min, 1, max_cluster_size);
}

SizeRange cut(SizeRange range, const model::Constraints& constraints) {
    const int most = std::min(constraints.size_max, max_cluster_size);
    const int least = least_size(constraints);
    const int from = std::clamp(range.from, least, std::max(least, most));
    const int to = std::clamp(range.to, from, std::max(from, most));
    return {.from = from, .to = std::min(to, from + most_sizes - 1)};
}

/// To be raised when the solver comes to answer equal problems otherwise: kept answers are those of
/// the solver that worked them out.
constexpr int solver_of_digests = 1;

template <class Type>
std::vector<std::string> names_usable(const std::vector<Type>& types, const std::string& provider,
                                      const std::string& key) {
    std::vector<std::string> names;
    for (const Type& type : types) {
        if (model::setting(type.provider_map, provider, key)) names.push_back(type.header.name);
    }
    std::ranges::sort(names);
    return names;
}

/// What services depend on, of the default services that there are.
base::Json definitions_in(const solver::LayoutProblem& problem) {
    std::map<std::string_view, const model::Dependencies*> known;
    for (const model::Service& service : problem.all_services) {
        known.try_emplace(service.header.name, &service.dependencies);
    }
    base::Json definitions = base::Json::array();
    for (const std::string& name : problem.cluster_template.defaults.services) {
        const auto found = known.find(name);
        if (found == known.end()) continue;
        const auto& [provides, conflicts, install, runtime] = *found->second;
        definitions.push_back({name, provides, conflicts, install.required, runtime.required});
    }
    return definitions;
}

}  // namespace

std::string provider_with_types(const std::vector<std::string>& providers,
                                const MachineTypes& types) {
    const auto is_for = [](const std::string& provider) {
        return [&](const auto& type) { return type.provider_map.contains(provider); };
    };
    for (const std::string& provider : providers) {
        if (std::ranges::any_of(types.hardware, is_for(provider)) &&
            std::ranges::any_of(types.image, is_for(provider))) {
            return provider;
        }
    }
    return providers.front();
}

std::vector<SizeAnswer> answers_for_sizes(solver::LayoutProblem problem, SizeRange range) {
    std::vector<SizeAnswer> sizes;
    for (int machines = range.from; machines <= range.to; ++machines) {
        problem.machines = machines;
        sizes.push_back(
            {.machines = machines, .layout = solver::find_layout(problem, steps_for_a_layout)});
    }
    Explainer explainer(std::move(problem));
    for (std::size_t first = 0; first < sizes.size(); ++first) {
        if (sizes[first].layout) continue;
        std::size_t last = first;
        while (last + 1 < sizes.size() && !sizes[last + 1].layout) ++last;
        explainer.explain(sizes, first, last);
        first = last;
    }
    return sizes;
}

std::vector<SizeAnswer> answers_beyond(solver::LayoutProblem problem, int last, int largest) {
    std::vector<SizeAnswer> sizes;
    if (largest <= last) return sizes;
    for (int machines = last * 2; machines < largest; machines *= 2) {
        problem.machines = machines;
        sizes.push_back(
            {.machines = machines, .layout = solver::find_layout(problem, steps_for_a_layout)});
    }
    sizes.push_back({.machines = largest});
    problem.machines = largest;
    auto answer = solver::solve(problem, steps_for_reasons);
    if (answer) {
        sizes.back().layout = *std::move(answer);
    } else {
        sizes.back().why = answer.error();
    }
    return sizes;
}

SizeRange first_sizes(int smallest) {
    constexpr int first_look = 20;
    // A template may ask for more machines than any cluster has.
    const int from = std::clamp(smallest, 1, max_cluster_size);
    return {.from = 1, .to = from + first_look - 1};
}

TemplateSizes sizes_of_problem(solver::LayoutProblem problem, std::optional<SizeRange> range) {
    const auto& constraints = problem.cluster_template.constraints;
    TemplateSizes all{.provider = problem.provider,
                      .services = problem.cluster_template.defaults.services,
                      .least = least_size(constraints),
                      .most = constraints.size_max,
                      .digest = digest_of_sizes(problem)};
    const SizeRange shown = cut(range.value_or(first_sizes(constraints.size_min)), constraints);
    all.sizes = answers_for_sizes(problem, shown);
    if (!all.sizes.empty() && !all.sizes.back().layout) {
        all.beyond =
            answers_beyond(std::move(problem), shown.to, std::min(all.most, max_cluster_size));
    }
    return all;
}

std::string digest_of_sizes(const solver::LayoutProblem& problem) {
    const model::ClusterTemplate& made = problem.cluster_template;
    model::ClusterTemplate read;
    read.defaults.services = made.defaults.services;
    read.defaults.hardware_type = made.defaults.hardware_type;
    read.defaults.image_type = made.defaults.image_type;
    read.compatibility = made.compatibility;
    read.constraints = made.constraints;
    base::Json json;
    json["solver"] = solver_of_digests;
    json["template"] = model::to_json(read);
    json["provider"] = problem.provider;
    json["hardware"] = names_usable(problem.hardware_types, problem.provider, "flavor");
    json["images"] = names_usable(problem.image_types, problem.provider, "image");
    json["definitions"] = definitions_in(problem);
    identity::Sha256 hash;
    hash.add(base::to_text(json));
    return hash.finish();
}

Result<TemplateSizes> sizes_of_template(store::Database& database, const model::Caller& caller,
                                        const model::ClusterTemplate& own,
                                        std::optional<SizeRange> range) {
    const auto tenant = caller.tenant.id;
    auto problem =
        database.read([&](store::Connection& connection) -> Result<solver::LayoutProblem> {
            auto resolved = resolve_template(connection, tenant, own);
            if (!resolved) return base::unexpected(resolved.error());
            if (resolved->defaults.services.empty()) {
                return refuse(Refusal::Kind::invalid, "defaults.services",
                              "Choose the services that clusters get by default.");
            }
            auto types = machine_types(connection, tenant);
            auto provider = provider_for(connection, tenant, *resolved, types);
            if (!provider) return base::unexpected(provider.error());
            return solver::LayoutProblem{
                .cluster_template = *std::move(resolved),
                .provider = *std::move(provider),
                .services = {},
                .hardware_type = {},
                .image_type = {},
                .hardware_types = std::move(types.hardware),
                .image_types = std::move(types.image),
                .all_services = stored_entries(connection, tenant, model::CatalogueKind::service,
                                               model::service_from_json)};
        });
    if (!problem) return base::unexpected(problem.error());
    return sizes_of_problem(*std::move(problem), range);
}

}  // namespace provisioner::operations
