#include "provisioner/model/catalogue/template_family.hpp"

#include <algorithm>
#include <set>

#include "provisioner/model/names.hpp"

namespace provisioner::model {

namespace {

using Names = std::vector<std::string>;
using Groups = std::vector<Names>;

void unite(Names& all, const Names& more) {
    for (const std::string& name : more) {
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
}

/// The order inside a group does not tell groups apart.
void unite(Groups& all, const Groups& more) {
    for (const Names& group : more) {
        const bool known = std::any_of(
            all.begin(), all.end(), [&](const Names& one) { return sorted(one) == sorted(group); });
        if (!known) all.push_back(group);
    }
}

void take_if_said(std::optional<std::string>& value, const std::optional<std::string>& later) {
    if (later && !later->empty()) value = later;
}

/// Puts one template after the other upon what came before.
class Merge {
 public:
    void add(const ClusterTemplate& part) {
        add_defaults(part.defaults, part.immutable.value_or(false));
        unite(sum_.compatibility.hardware_types, part.compatibility.hardware_types);
        unite(sum_.compatibility.image_types, part.compatibility.image_types);
        unite(sum_.compatibility.services, part.compatibility.services);
        const bool is_partial = part.immutable.has_value();
        if (is_partial) return;
        add_constraints(part.constraints);
        if (part.lease != LeaseDuration{}) sum_.lease = part.lease;
    }

    base::Checked<ClusterTemplate> named_as(const ClusterTemplate& own) {
        if (!problems_.empty()) return base::unexpected(std::move(problems_));
        sum_.header = own.header;
        sum_.links = own.links;
        sum_.extends = own.extends;
        sum_.includes = own.includes;
        return std::move(sum_);
    }

 private:
    void add_defaults(const TemplateDefaults& part, bool immutable) {
        TemplateDefaults& defaults = sum_.defaults;
        unite(defaults.services, part.services);
        take_if_said(defaults.provider, part.provider);
        take_if_said(defaults.hardware_type, part.hardware_type);
        take_if_said(defaults.image_type, part.image_type);
        take_if_said(defaults.dns_suffix, part.dns_suffix);
        for (const auto& [key, value] : part.config.items()) {
            if (immutable_.contains(key)) {
                problems_.push_back({.field = "defaults.config." + key,
                                     .message = key + " can't be overridden due immutability."});
            }
            defaults.config[key] = value;
        }
        if (!immutable) return;
        for (const auto& item : part.config.items()) immutable_.insert(item.key());
    }

    void add_constraints(const Constraints& part) {
        Constraints& constraints = sum_.constraints;
        unite(constraints.must_coexist, part.must_coexist);
        unite(constraints.cant_coexist, part.cant_coexist);
        for (const auto& [service, constraint] : part.services) {
            const auto known =
                std::find_if(constraints.services.begin(), constraints.services.end(),
                             [&name = service](const auto& one) { return one.first == name; });
            if (known == constraints.services.end()) {
                constraints.services.emplace_back(service, constraint);
            } else {
                known->second = constraint;
            }
        }
        const Constraints none;
        const bool has_size = part.size_min != none.size_min || part.size_max != none.size_max;
        if (!has_size) return;
        constraints.size_min = part.size_min;
        constraints.size_max = part.size_max;
    }

    ClusterTemplate sum_;
    std::set<std::string> immutable_;
    base::Problems problems_;
};

}  // namespace

base::Checked<ClusterTemplate> merged(const ClusterTemplate& own, const TemplateFamily& family) {
    Merge merge;
    for (const Ancestor& ancestor : family.ancestors) {
        for (const ClusterTemplate& partial : ancestor.partials) merge.add(partial);
        merge.add(ancestor.own);
    }
    for (const ClusterTemplate& partial : family.partials) merge.add(partial);
    merge.add(own);
    return merge.named_as(own);
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
    if (defaults.dns_suffix && !is_dns_suffix(*defaults.dns_suffix)) {
        note("defaults.dnsSuffix", *defaults.dns_suffix + " is an invalid DNS suffix.");
    }
    return problems;
}

}  // namespace provisioner::model
