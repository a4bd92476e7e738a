#include "fcgi/pages/catalogue/template_facts.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::model::Constraints;
using provisioner::operations::Relative;
using provisioner::operations::relatives_of;
using provisioner::operations::template_in_force;

namespace {

using NameList = std::vector<std::string>;

/// A fact before it is known whom it is from.
struct SaidByTemplate {
    std::string heading{};
    std::string part{};
    std::string label{};
    std::string value{};
    /// What of a list people read, each once, if a template unites it with those of others.
    NameList united{};
    /// The value, if it names entries.
    std::vector<FactPiece> pieces{};
};
using SaidList = std::vector<SaidByTemplate>;

NameList labels_of_names(const Labels& labels, CatalogueKind kind, NameList names) {
    for (std::string& name : names) name = labels.of(kind, name);
    return names;
}

/// Gathers what says something.
class Sayings {
 public:
    /// `labels` must outlive it.
    explicit Sayings(const Labels& labels) : labels_(labels), names_(labels) {}

    void begin(const std::string& heading, const std::string& part) {
        heading_ = heading;
        part_ = part;
    }
    void in_part(const std::string& part) { part_ = part; }
    void add(const std::string& label, const std::string& value) {
        if (!value.empty()) all_.push_back({heading_, part_, label, value});
    }
    /// A mark for each name, for add_linked().
    NameList marks(CatalogueKind kind, const NameList& names) { return names_.marks(kind, names); }
    /// Of a text with marks.
    void add_linked(const std::string& label, const std::string& marked) {
        auto pieces = names_.pieces(marked);
        if (pieces.empty()) return;
        all_.push_back({heading_, part_, label, text_of(pieces), {}, std::move(pieces)});
    }
    void add_names(const std::string& label, CatalogueKind kind, const NameList& names) {
        add_linked(label, some_listed(marks(kind, names)));
    }
    void unite(const std::string& label, const NameList& names) {
        if (!names.empty()) all_.push_back({heading_, part_, label, some_listed(names), names});
    }
    void unite(const std::string& label, CatalogueKind kind, const NameList& names) {
        if (names.empty()) return;
        add_names(label, kind, names);
        all_.back().united = labels_of_names(labels_, kind, names);
    }
    SaidList take() { return std::move(all_); }

 private:
    const Labels& labels_;
    NamesInFacts names_;
    std::string heading_{};
    std::string part_{};
    SaidList all_{};
};

void say_rules(Sayings& says, const Constraints& rules, const Labels& labels) {
    for (const auto& group : rules.must_coexist) {
        says.add_names(translated("Share a machine"), CatalogueKind::service, group);
    }
    for (const auto& group : rules.cant_coexist) {
        says.add_names(translated("Never all on one machine"), CatalogueKind::service, group);
    }
    for (const auto& [service, rule] : rules.services) {
        NameList words;
        Constraints machines;
        machines.size_min = rule.min;
        machines.size_max = rule.max;
        if (rule.min > 0 || rule.max != provisioner::model::no_maximum) {
            words.push_back(size_words(machines));
        }
        const auto types = [&](CatalogueKind kind, const NameList& names) {
            return some_listed(says.marks(kind, names));
        };
        if (!rule.hardware_types.empty()) {
            words.push_back(translated("hardware types {0}",
                                       types(CatalogueKind::hardware_type, rule.hardware_types)));
        }
        if (!rule.image_types.empty()) {
            words.push_back(
                translated("image types {0}", types(CatalogueKind::image_type, rule.image_types)));
        }
        says.add_linked(translated("Limits of {0}", labels.service(service)), listed(words));
    }
}

void say_lease(Sayings& says, const provisioner::model::LeaseDuration& lease, bool is_usual_said) {
    const auto add = [&](const std::string& label, std::chrono::milliseconds duration) {
        if (duration.count() > 0) says.add(label, spoken(duration));
    };
    if (is_usual_said || lease.initial.count() > 0) {
        says.add(translated("Lease"), lease_words(lease));
    }
    add(translated("Longest lease"), lease.max);
    add(translated("Longest extension"), lease.step);
}

/// What a template says; of size and lease also what is usual, if asked for.
SaidList said_by(const ClusterTemplate& made, const Labels& labels, bool is_usual_said) {
    Sayings says(labels);
    const Constraints any;
    const bool has_size =
        made.constraints.size_min != any.size_min || made.constraints.size_max != any.size_max;
    const auto add_one = [&](const std::string& label, CatalogueKind kind,
                             const std::optional<std::string>& name) {
        if (name && !name->empty()) says.add_names(label, kind, {*name});
    };
    says.begin(translated("What it makes"), "constraints");
    if (has_size || is_usual_said) says.add(translated("Size"), size_words(made.constraints));
    says.in_part("defaults");
    says.unite(translated("Services"), CatalogueKind::service, made.defaults.services);
    says.in_part("lease");
    say_lease(says, made.lease, is_usual_said);
    says.begin(translated("Inherits from"), "");
    add_one(translated("Extends"), CatalogueKind::cluster_template, made.extends);
    says.add_names(translated("Includes"), CatalogueKind::partial_template, made.includes);
    if (made.immutable) {
        says.add(translated("Immutable"), *made.immutable ? translated("yes") : translated("no"));
    }
    says.begin(translated("Defaults"), "defaults");
    add_one(translated("Provider"), CatalogueKind::provider, made.defaults.provider);
    add_one(translated("Hardware type"), CatalogueKind::hardware_type, made.defaults.hardware_type);
    add_one(translated("Image type"), CatalogueKind::image_type, made.defaults.image_type);
    says.add(translated("DNS suffix"), made.defaults.dns_suffix.value_or(""));
    NameList keys;
    for (const auto& [key, value] : made.defaults.config.items()) keys.push_back(key);
    says.unite(translated("Keys of the configuration"), keys);
    says.begin(translated("Compatibility"), "compatibility");
    says.unite(translated("Services"), CatalogueKind::service, made.compatibility.services);
    says.unite(translated("Hardware types"), CatalogueKind::hardware_type,
               made.compatibility.hardware_types);
    says.unite(translated("Image types"), CatalogueKind::image_type,
               made.compatibility.image_types);
    says.begin(translated("Constraints"), "constraints");
    say_rules(says, made.constraints, labels);
    says.begin(translated("Links"), "links");
    for (const auto& link : made.links) says.add(link.label, link.url);
    return says.take();
}

/// Another template, with what a template takes from it.
struct Giver {
    std::string origin{};
    SaidList says{};
};

/// The nearest first: what it says is in force rather than what those behind it say.
std::vector<Giver> givers_of(const ClusterTemplate& own, const TemplateSurroundings& around) {
    std::vector<Giver> givers;
    for (Relative& relative : relatives_of(around.entries, own)) {
        const auto said = around.labels.of(relative.kind, relative.own.header.name);
        const bool is_partial = relative.kind == CatalogueKind::partial_template;
        // Of these only its own count.
        relative.own.links.clear();
        relative.own.extends.reset();
        relative.own.includes.clear();
        relative.own.immutable.reset();
        if (is_partial) {
            relative.own.constraints = {};
            relative.own.lease = {};
        }
        givers.push_back({is_partial ? translated("from the partial template {0}", said)
                                     : translated("inherited from {0}", said),
                          said_by(relative.own, around.labels, false)});
    }
    std::ranges::reverse(givers);
    return givers;
}

bool is_about_same(const SaidByTemplate& one, const SaidByTemplate& other) {
    return one.heading == other.heading && one.label == other.label;
}

bool is_said(const SaidList& says, const SaidByTemplate& fact) {
    return std::ranges::any_of(says, [&](const SaidByTemplate& one) {
        return is_about_same(one, fact) && one.value == fact.value;
    });
}

/// Whether a list has a name.
bool is_in_united(const SaidList& says, const SaidByTemplate& fact, const std::string& name) {
    return std::ranges::any_of(says, [&](const SaidByTemplate& one) {
        return is_about_same(one, fact) && std::ranges::count(one.united, name) > 0;
    });
}

std::vector<Taken> taken_in(const SaidByTemplate& fact, const SaidList& own,
                            const std::vector<Giver>& givers) {
    std::vector<Taken> taken;
    if (fact.united.empty()) {
        if (is_said(own, fact)) return taken;
        const auto giver =
            std::ranges::find_if(givers, [&](const Giver& one) { return is_said(one.says, fact); });
        if (giver != givers.end()) taken.push_back({fact.value, giver->origin});
        return taken;
    }
    NameList rest = fact.united;
    std::erase_if(rest, [&](const std::string& name) { return is_in_united(own, fact, name); });
    for (const Giver& giver : givers) {
        NameList given;
        std::ranges::copy_if(rest, std::back_inserter(given), [&](const std::string& name) {
            return is_in_united(giver.says, fact, name);
        });
        if (given.empty()) continue;
        taken.push_back({some_listed(given), giver.origin});
        std::erase_if(rest,
                      [&](const std::string& name) { return std::ranges::count(given, name) > 0; });
    }
    return taken;
}

/// Whether all that a template takes from is there.
bool has_all_relatives(const ClusterTemplate& own, const TemplateSurroundings& around) {
    const auto has = [&](CatalogueKind kind, const std::string& name) {
        const auto& of_kind = provisioner::operations::entries_of(around.entries, kind);
        return std::ranges::any_of(of_kind, [&](const Json& entry) {
            return provisioner::base::text_at(entry, "name") == name;
        });
    };
    if (own.extends && !has(CatalogueKind::cluster_template, *own.extends)) return false;
    return std::ranges::all_of(own.includes, [&](const std::string& name) {
        return has(CatalogueKind::partial_template, name);
    });
}

}  // namespace

std::vector<TemplateFact> template_facts(CatalogueKind kind, const Json& entry,
                                         const TemplateSurroundings& around) {
    const bool is_partial = kind == CatalogueKind::partial_template;
    const auto own = is_partial ? provisioner::model::partial_template_from_json(entry)
                                : provisioner::model::cluster_template_from_json(entry);
    std::vector<TemplateFact> facts;
    if (!own) return facts;
    const bool is_alone = is_partial || (!own->extends && own->includes.empty());
    const auto whole = is_alone ? std::nullopt : template_in_force(around.entries, entry);
    const bool is_usual_said = !is_partial && has_all_relatives(*own, around);
    const auto givers = whole ? givers_of(*own, around) : std::vector<Giver>{};
    const auto own_says = givers.empty() ? SaidList{} : said_by(*own, around.labels, false);
    for (const auto& said : said_by(whole ? *whole : *own, around.labels, is_usual_said)) {
        auto taken = givers.empty() ? std::vector<Taken>{} : taken_in(said, own_says, givers);
        facts.push_back(
            {said.heading, said.part, {said.label, said.value, std::move(taken), said.pieces}});
    }
    return facts;
}

Facts template_columns(const Json& entry, const TemplateSurroundings& around) {
    Facts columns{{translated("Size"), "", {}}, {translated("Services"), "", {}}};
    for (auto& [heading, part, fact] :
         template_facts(CatalogueKind::cluster_template, entry, around)) {
        if (heading != translated("What it makes")) continue;
        for (Fact& column : columns) {
            if (column.label == fact.label) column = std::move(fact);
        }
    }
    return columns;
}

std::map<std::string, std::vector<std::string>> taken_by_part(const Json& cluster_template,
                                                              const TemplateSurroundings& around) {
    std::map<std::string, std::vector<std::string>> all;
    for (const auto& [heading, part, fact] :
         template_facts(CatalogueKind::cluster_template, cluster_template, around)) {
        for (const auto& [value, origin] : fact.taken) {
            all[part].push_back(translated("{0}: {1}, {2}", fact.label, value, origin));
        }
    }
    return all;
}

}  // namespace fcgi::pages
