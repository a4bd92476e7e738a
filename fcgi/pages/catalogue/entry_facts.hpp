#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

struct Fact {
    std::string label;
    std::string value;
};
using Facts = std::vector<Fact>;

/// Facts under a heading.
struct FactGroup {
    std::string heading;
    /// Never empty.
    Facts facts;
};

/// What a service does in one step of its life.
struct ActionFacts {
    /// "Install".
    std::string step;
    std::string automator;
    /// Its fields that have a value, by their names.
    Facts fields;
    /// "2 hours"; empty without a limit.
    std::string limit;
};

/// What an entry says, in the order of its page.
struct EntryFacts {
    std::vector<FactGroup> groups;
    /// Of services only, in the order in which they happen.
    std::vector<ActionFacts> actions;
};

/// What the list of a kind has in columns, always the same ones: a value is empty where the entry
/// says nothing, and in an empty object.
Facts column_facts(provisioner::model::CatalogueKind kind, const provisioner::base::Json& entry);

/// What an entry says beside name, label, description and version, in words: up to 60 facts and the
/// actions of a service, long ones cut, without configurations. What it does not say is left out,
/// except size and lease of a template that takes nothing from others. `entry` is as people may see
/// it (entry_for_people). `labels` are those of a provider's fields, by name. An entry that cannot
/// be read has column_facts() only.
EntryFacts entry_facts(provisioner::model::CatalogueKind kind, const provisioner::base::Json& entry,
                       const std::map<std::string, std::string>& labels);

}  // namespace fcgi::pages
