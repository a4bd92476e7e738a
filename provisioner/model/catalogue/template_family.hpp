#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"

namespace provisioner::model {

/// A template that is extended, and what it includes, in its order.
struct Ancestor {
    ClusterTemplate own;
    std::vector<ClusterTemplate> partials;
};

/// What a cluster template is put together from.
struct TemplateFamily {
    /// All generations: the oldest first, the parent last.
    std::vector<Ancestor> ancestors;
    /// What the template itself includes, in its order.
    std::vector<ClusterTemplate> partials;
};

/// Most names that a template gets from all that it extends and includes: each of those may be as
/// large as a template may be.
inline constexpr std::size_t most_names_of_a_family = 5 * most_names_in_groups;

/// What a family may still have, see most_names_of_a_family.
class FamilyRoom {
 public:
    /// Whether another relative has room.
    bool takes(const ClusterTemplate& relative) {
        // Each costs something, also when it names nothing.
        const std::size_t needed = names_in(relative) + 100;
        if (needed > left_) return false;
        left_ -= needed;
        return true;
    }

 private:
    std::size_t left_ = most_names_of_a_family;
};

/// The template with everything it extends and includes merged in, in this order: of each ancestor
/// its partials and itself, the template's own partials, the template. Lists are united, the
/// configuration is replaced key by key at the top level, other defaults by the later one that says
/// something. Constraints and lease come from cluster templates only; sizes and leases that say no
/// more than the defaults do replace nothing. Header, links, extends and includes are the
/// template's own. A configuration key that an immutable partial template has set and a later one
/// sets again is a Problem. Source: the rules of the wire contract, which ends with the parent,
/// applied to every generation.
base::Checked<ClusterTemplate> merged(const ClusterTemplate& own, const TemplateFamily& family);

/// Whether `made` can be `own`, merged with what that extended and included at some time: whether
/// merging `own` into it once more changes nothing. Their versions are not compared.
bool can_be_made_of(const ClusterTemplate& made, ClusterTemplate own);

/// The name of the template that the named one extends; nothing when it extends none or does not
/// exist.
using ParentOf = std::function<std::optional<std::string>(const std::string&)>;

/// The circle that the template `name` leads to by what it and its ancestors extend: names as
/// circle_of_templates takes them; empty without a circle. `name` need not be part of the circle.
/// Calls `parent_of` once for each template on the way, from `name` upwards. Quadratic in their
/// number.
std::vector<std::string> circle_of_extends(const std::string& name, const ParentOf& parent_of);

/// The Problem of templates that extend each other in a circle. `names` begins with one of them and
/// goes on with what each extends, until the first comes again.
base::Problem circle_of_templates(const std::vector<std::string>& names);

/// What a template lacks to make a cluster of without further details: default services, a default
/// provider, a DNS suffix that is one (is_default_dns_suffix).
base::Problems problems_with_defaults(const ClusterTemplate& cluster_template);

}  // namespace provisioner::model
