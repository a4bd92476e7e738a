// A cluster template and a request as JSON, {"template": {...}, "request": {...}, "present":
// [...]}, against the layout solver: it must answer, every layout must keep the template's rules,
// and every refusal must say why.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/explain/reasons.hpp"
#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/solve.hpp"

using namespace provisioner;

namespace {

constexpr long max_steps = 20'000;
constexpr int most_machines = 10'000;
constexpr std::size_t most_services = 30;

void must(bool kept, const char* promise) {
    if (kept) return;
    std::fputs(promise, stderr);
    std::abort();
}

template <class Type>
std::vector<Type> types(const std::vector<std::string>& names, const std::string& setting) {
    std::vector<Type> types;
    for (const auto& name : names) {
        Type type;
        type.header.name = name;
        type.provider_map["cloud"] = {{setting, name}};
        types.push_back(std::move(type));
    }
    return types;
}

std::vector<model::Service> services_named(const solver::LayoutProblem& problem) {
    auto names = problem.cluster_template.defaults.services;
    names.insert(names.end(), problem.services.begin(), problem.services.end());
    if (names.size() > most_services) names.resize(most_services);
    std::vector<model::Service> services;
    for (const auto& name : names) {
        model::Service service;
        service.header.name = name;
        // So that requirements, too, are met and not met.
        if (name.size() > 1 && name[0] == 'r') service.dependencies.runtime.required = {"a"};
        services.push_back(std::move(service));
    }
    return services;
}

std::vector<solver::NodeGroup> groups_in(const base::Json& json, base::Problems& problems) {
    std::vector<solver::NodeGroup> groups;
    model::ObjectReader all(&json, "", problems);
    for (auto& reader : all.objects("present")) {
        groups.push_back({.hardware_type = reader.text("hardwaretype").value_or("large"),
                          .image_type = reader.text("imagetype").value_or("debian"),
                          .services = reader.names("services"),
                          .count = std::clamp(reader.whole_number("count").value_or(1), 1, 100)});
    }
    return groups;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = base::Json::parse(data, data + size, nullptr, false);
    if (!json.is_object() || !json.contains("template")) return -1;
    const auto cluster_template = model::cluster_template_from_json(json["template"]);
    if (!cluster_template) return 0;

    base::Problems problems;
    solver::LayoutProblem problem;
    problem.cluster_template = *cluster_template;
    problem.provider = "cloud";
    model::ObjectReader request(base::member(json, "request"), "request", problems);
    problem.machines = std::min(request.whole_number("numMachines").value_or(1), most_machines);
    problem.services = request.names("services");
    problem.hardware_type = request.text("hardwaretype");
    problem.image_type = request.text("imagetype");
    problem.present = groups_in(json, problems);
    problem.hardware_types = types<model::HardwareType>({"large", "medium", "small"}, "flavor");
    problem.image_types = types<model::ImageType>({"debian", "ubuntu"}, "image");
    problem.all_services = services_named(problem);

    const auto layout = solver::solve(problem, max_steps);
    if (!layout) {
        must(!layout.error().reasons.empty(), "a refusal gives no reason\n");
        must(!layout.error().field.empty(), "a refusal names no field\n");
        return 0;
    }
    const auto selection = solver::select(problem);
    int nodes = 0;
    for (const auto& group : layout->groups) nodes += group.count;
    must(nodes == problem.machines, "a layout has another number of nodes than asked for\n");
    must(!problem.present.empty() || solver::is_acceptable(problem.cluster_template.constraints,
                                                           selection->services, *layout),
         "a layout breaks a rule\n");
    must(solver::reasons_for(problem, *layout).size() == layout->groups.size(),
         "a group has no reasons\n");
    return 0;
}
