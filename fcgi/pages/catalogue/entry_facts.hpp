#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/catalogue/editors/named_files.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// What a fact owes to another template.
struct Taken {
    /// All or a part of the fact's value.
    std::string value{};
    /// "inherited from Base".
    std::string origin{};
};

/// A piece of a value: words, or what people read for something that has a page.
struct FactPiece {
    std::string text{};
    /// Empty for words, and for what is not there.
    std::string href{};

    bool operator==(const FactPiece&) const = default;
};

struct Fact {
    std::string label;
    std::string value;
    /// Templates only: what is in force without being its own.
    std::vector<Taken> taken{};
    /// The value, if it names entries or files.
    std::vector<FactPiece> pieces{};
    /// The page of what the label names; empty for none.
    std::string label_href{};
};
using Facts = std::vector<Fact>;

/// Names of entries in values of facts, to link them. Values are put together with marks in place
/// of names, as with any text, and cut into pieces then.
class NamesInFacts {
 public:
    /// `labels` must outlive it.
    explicit NamesInFacts(const Labels& labels) : labels_(labels) {}

    /// A mark for each name, in their order.
    std::vector<std::string> marks(provisioner::model::CatalogueKind kind,
                                   const std::vector<std::string>& names);
    /// A text with marks in pieces: each name that `labels` knows leads to its page.
    std::vector<FactPiece> pieces(const std::string& marked) const;

 private:
    const Labels& labels_;
    std::vector<FactPiece> names_{};
};

/// What is read of the pieces.
std::string text_of(const std::vector<FactPiece>& pieces);

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
/// Of a template it is what is in force with its parents and partial templates.
Facts column_facts(provisioner::model::CatalogueKind kind, const provisioner::base::Json& entry,
                   const TemplateSurroundings& around = {});

/// "inherited from Base", or for parts of the value "database: inherited from Base; web: from the
/// partial template Part"; empty for what is the template's own.
std::string origins_in_words(const Fact& fact);

/// "a, b and c"; of long lists the first names, and how many more there are.
std::string some_listed(const std::vector<std::string>& names, std::size_t most = 20);

/// What an entry says beside name, label, description and version, in words: up to 60 facts and the
/// actions of a service, long ones cut, of configurations the keys alone. Templates have
/// template_facts(). What an entry does not say is left out. `entry` is as people may see
/// it (entry_for_people). `fields` are those of a provider's type. An entry that cannot
/// be read has column_facts() only. Values of a provider that are its type's defaults are folded.
EntryFacts entry_facts(provisioner::model::CatalogueKind kind, const provisioner::base::Json& entry,
                       const FieldsInWords& fields, const TemplateSurroundings& around = {});

/// The groups of facts and the table of actions of an entry's page. Values of actions that are
/// names of `files` lead to these.
provisioner::base::Json to_json(const EntryFacts& facts, const std::vector<NamedFile>& files);

}  // namespace fcgi::pages
