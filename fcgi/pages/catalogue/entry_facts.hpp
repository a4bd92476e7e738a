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
    /// Whether they are of so little news that they are shown on demand.
    bool is_folded = false;
};

/// What a provider's type says of a field.
struct FieldWords {
    std::string label{};
    /// The default as a text; empty for none.
    std::string standard{};
    /// Whether it may have to be filled in: then its value is news, also the default.
    bool is_required = false;
};
/// By the field's name.
using FieldsInWords = std::map<std::string, FieldWords>;

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
/// it (entry_for_people). `fields` are those of a provider's type. An entry that cannot
/// be read has column_facts() only. Values of a provider that are its type's defaults are folded.
EntryFacts entry_facts(provisioner::model::CatalogueKind kind, const provisioner::base::Json& entry,
                       const FieldsInWords& fields);

}  // namespace fcgi::pages
