#include "provisioner/model/catalogue/template_family.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/cluster_template_fields.hpp"
#include "provisioner/model/names.hpp"

namespace provisioner::model {

namespace {

void add(ClusterTemplate& all, const ClusterTemplate& part, MergeState& state) {
    state.from_partial = part.immutable.has_value();
    state.locks_keys = part.immutable.value_or(false);
    merge_fields(all, part, fields_of<ClusterTemplate>, state);
}

}  // namespace

base::Checked<ClusterTemplate> merged(const ClusterTemplate& own, const TemplateFamily& family) {
    ClusterTemplate all;
    all.header = own.header;
    MergeState state;
    for (const Ancestor& ancestor : family.ancestors) {
        for (const ClusterTemplate& partial : ancestor.partials) add(all, partial, state);
        add(all, ancestor.own, state);
    }
    for (const ClusterTemplate& partial : family.partials) add(all, partial, state);
    state.is_own = true;
    add(all, own, state);
    merge_fields(all, own, fields_of_cluster_template, state);
    return unless_problems(std::move(all), std::move(state.problems));
}

bool can_be_made_of(const ClusterTemplate& made, ClusterTemplate own) {
    own.header.version = made.header.version;
    if (!own.extends && own.includes.empty()) return made == own;
    const Ancestor present{.own = made, .partials = {}};
    const auto again = merged(own, {.ancestors = {present}, .partials = {}});
    return again && *again == made;
}

std::vector<std::string> circle_of_extends(const std::string& name, const ParentOf& parent_of) {
    std::vector<std::string> names{name};
    while (const auto next = parent_of(names.back())) {
        const auto before = std::find(names.begin(), names.end(), *next);
        if (before != names.end()) {
            std::vector<std::string> circle(before, names.end());
            circle.push_back(*next);
            return circle;
        }
        names.push_back(*next);
    }
    return {};
}

base::Problem circle_of_templates(const std::vector<std::string>& names) {
    std::string words;
    for (std::size_t at = 0; at + 1 < names.size(); ++at) {
        const bool last = at + 2 == names.size();
        if (at > 0) words += last ? " and " : ", ";
        words += names[at] + " extends " + names[at + 1];
    }
    return {.field = "extends",
            .message = words + ": templates that extend each other in a circle come to nothing"};
}

base::Problems problems_with_defaults(const ClusterTemplate& cluster_template) {
    const TemplateDefaults& defaults = cluster_template.defaults;
    base::Problems problems;
    const auto note = [&](const char* field, std::string message) {
        problems.push_back({.field = field, .message = std::move(message)});
    };
    if (defaults.services.empty()) {
        note("defaults.services", "default services must be specified");
    }
    if (defaults.provider.value_or("").empty()) {
        note("defaults.provider", "default provider must be specified");
    }
    if (defaults.dns_suffix && !is_default_dns_suffix(*defaults.dns_suffix)) {
        note("defaults.dnsSuffix", *defaults.dns_suffix + " is an invalid DNS suffix.");
    }
    return problems;
}

}  // namespace provisioner::model
