#include "provisioner/operations/changes/template_misfits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::operations {

namespace {

using Names = std::vector<std::string>;
using solver::counted;
using solver::listed;

/// The nodes, those that are alike in one group.
solver::ClusterLayout layout_of(const std::vector<model::Node>& nodes) {
    std::map<std::tuple<std::string, std::string, Names>, int> counts;
    for (const model::Node& node : nodes) {
        ++counts[{node.hardware_type, node.image_type, node.services}];
    }
    solver::ClusterLayout layout;
    for (const auto& [alike, count] : counts) {
        const auto& [hardware_type, image_type, services] = alike;
        layout.groups.push_back({.hardware_type = hardware_type,
                                 .image_type = image_type,
                                 .services = services,
                                 .count = count});
    }
    return layout;
}

std::string words_for_version(const model::ClusterTemplate& cluster_template) {
    return "version " + std::to_string(cluster_template.header.version);
}

/// "Services a and b of the cluster are not among the compatible services of version 3."
void add_not_allowed(const Names& allowed, const std::set<std::string>& present,
                     const std::string& noun, const std::string& version, Names& sentences) {
    Names others;
    for (const std::string& name : present) {
        if (!solver::allows(allowed, name)) others.push_back(name);
    }
    if (others.empty()) return;
    const bool is_one = others.size() == 1;
    sentences.push_back(solver::capitalised(noun) + (is_one ? " " : "s ") + listed(others, "and") +
                        " of the cluster " + (is_one ? "is" : "are") +
                        " not among the compatible " + noun + "s of " + version + '.');
}

/// Rules about services that may not, or must, be on one machine, each by itself.
void add_group_misfits(const model::Constraints& constraints, const Names& services,
                       const solver::ClusterLayout& layout, const std::string& version,
                       Names& sentences) {
    const auto is_kept = [&](const model::Constraints& rule) {
        return std::ranges::all_of(layout.groups, [&](const solver::NodeGroup& group) {
            return solver::may_share_a_node(rule, services, group.services);
        });
    };
    for (const Names& group : constraints.cant_coexist) {
        model::Constraints rule;
        rule.cant_coexist = {group};
        if (is_kept(rule)) continue;
        sentences.push_back(group.size() == 1
                                ? group.front() + " may be on no machine in " + version + '.'
                                : listed(group, "and") + " are on one machine, which " + version +
                                      " does not allow.");
    }
    for (const Names& group : constraints.must_coexist) {
        model::Constraints rule;
        rule.must_coexist = {group};
        if (is_kept(rule)) continue;
        Names there = group;
        std::erase_if(there, [&](const auto& name) { return !solver::contains(services, name); });
        sentences.push_back(listed(there, "and") + " are not on the same machines, as " + version +
                            " demands.");
    }
}

/// Rules about one service: the types of its machines, and their number.
void add_service_misfits(const model::Constraints& constraints, const Names& services,
                         const solver::ClusterLayout& layout, const std::string& version,
                         Names& sentences) {
    const auto counts = solver::nodes_by_service(layout.groups);
    for (const auto& [service, rule] : constraints.services) {
        if (!solver::contains(services, service)) continue;
        model::Constraints alone;
        alone.services = {{service, rule}};
        const bool runs = std::ranges::all_of(layout.groups, [&](const auto& group) {
            return solver::may_run_on_its_machine(alone, group);
        });
        if (!runs) {
            sentences.push_back(service + " is on machines of other types than " + version +
                                " allows for it.");
        }
        if (solver::quantities_hold(alone, services, layout)) continue;
        const auto found = counts.find(service);
        const long nodes = found == counts.end() ? 0 : found->second;
        sentences.push_back(service + " is on " + counted(nodes, "machine") + "; " + version +
                            (nodes < rule.min
                                 ? " needs at least " + std::to_string(rule.min) + '.'
                                 : " allows at most " + counted(rule.max, "machine") + '.'));
    }
}

}  // namespace

Names template_misfits(const model::ClusterTemplate& cluster_template, const Names& services,
                       const std::vector<model::Node>& nodes) {
    const model::Compatibility& allowed = cluster_template.compatibility;
    const model::Constraints& constraints = cluster_template.constraints;
    const std::string version = words_for_version(cluster_template);
    const auto machines = std::ssize(nodes);
    Names sentences;
    if (machines < constraints.size_min) {
        sentences.push_back("The cluster has " + counted(machines, "machine") + "; " + version +
                            " needs at least " + std::to_string(constraints.size_min) + '.');
    }
    if (machines > constraints.size_max) {
        sentences.push_back("The cluster has " + counted(machines, "machine") + "; " + version +
                            " allows at most " + counted(constraints.size_max, "machine") + '.');
    }
    std::set<std::string> hardware_types;
    std::set<std::string> image_types;
    for (const model::Node& node : nodes) {
        hardware_types.insert(node.hardware_type);
        image_types.insert(node.image_type);
    }
    add_not_allowed(allowed.services, {services.begin(), services.end()}, "service", version,
                    sentences);
    add_not_allowed(allowed.hardware_types, hardware_types, "hardware type", version, sentences);
    add_not_allowed(allowed.image_types, image_types, "image type", version, sentences);
    const auto layout = layout_of(nodes);
    if (solver::is_acceptable(constraints, services, layout)) return sentences;
    add_group_misfits(constraints, services, layout, version, sentences);
    add_service_misfits(constraints, services, layout, version, sentences);
    return sentences;
}

}  // namespace provisioner::operations
