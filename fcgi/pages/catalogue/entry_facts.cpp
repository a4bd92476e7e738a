#include "fcgi/pages/catalogue/entry_facts.hpp"

#include <algorithm>
#include <chrono>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/template_facts.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::base::text_at;
using provisioner::base::to_word;
using provisioner::messages::translated;
using namespace provisioner::model;

namespace {

constexpr std::size_t longest_fact = 200;
/// What an entry says beyond these is only in its JSON.
constexpr std::size_t most_facts = 60;

std::string shortened(const std::string& text) {
    if (text.size() <= longest_fact) return text;
    return std::string(provisioner::base::utf8_prefix(text, longest_fact)) + "…";
}

/// Facts that say something, in groups.
class FactList {
 public:
    /// What is added next stands under this heading.
    void begin(const std::string& heading, bool is_folded = false) {
        groups_.push_back({heading, {}, is_folded});
    }
    void add(const std::string& label, const std::string& value, std::vector<Taken> taken = {}) {
        if (value.empty() || count_ >= most_facts) return;
        for (Taken& part : taken) part.value = shortened(part.value);
        groups_.back().facts.push_back({shortened(label), shortened(value), std::move(taken)});
        ++count_;
    }
    void add(const std::string& label, const std::vector<std::string>& names) {
        add(label, some_listed(names));
    }
    /// Of a value that names entries.
    void add_linked(const std::string& label, std::vector<FactPiece> pieces,
                    std::vector<Taken> taken = {}) {
        const std::size_t before = count_;
        add(label, text_of(pieces), std::move(taken));
        if (count_ > before) groups_.back().facts.back().pieces = std::move(pieces);
    }
    /// Of a label that names something with a page.
    void add_of(const std::string& label, const std::string& label_href, const std::string& value) {
        const std::size_t before = count_;
        add(label, value);
        if (count_ > before) groups_.back().facts.back().label_href = label_href;
    }
    EntryFacts take() {
        std::erase_if(groups_, [](const FactGroup& group) { return group.facts.empty(); });
        return {std::move(groups_), {}};
    }

 private:
    std::vector<FactGroup> groups_;
    std::size_t count_ = 0;
};

std::string limit_words(const ServiceAction& action) {
    return action.limit ? translated(" (at most {0})", spoken(*action.limit)) : "";
}

void add_links(FactList& facts, const std::vector<Link>& links) {
    facts.begin(translated("Links"));
    for (const Link& link : links) facts.add(link.label, link.url);
}

ActionFacts action_facts(Action action, const ServiceAction& how) {
    ActionFacts facts{.step = with_capital(to_word(action)),
                      .automator = how.type,
                      .fields = {},
                      .limit = how.limit ? spoken(*how.limit) : ""};
    for (const auto& [name, value] : how.fields) {
        if (!value.empty()) facts.fields.push_back({name, shortened(value)});
    }
    return facts;
}

EntryFacts service_facts(const Service& service, const Labels& labels) {
    FactList facts;
    const auto& needs = service.dependencies;
    const auto add = [&](const std::string& label, const std::vector<std::string>& services) {
        NamesInFacts names(labels);
        facts.add_linked(label,
                         names.pieces(some_listed(names.marks(CatalogueKind::service, services))));
    };
    facts.begin(translated("Dependencies"));
    add(translated("Required to run"), needs.runtime.required);
    add(translated("Starts after"), needs.runtime.used);
    add(translated("Required to install"), needs.install.required);
    add(translated("Installs after"), needs.install.used);
    facts.add(translated("Provides"), needs.provides);
    add(translated("Conflicts with"), needs.conflicts);
    facts.begin(translated("Network"));
    facts.add(translated("Ports"), service.ports);
    add_links(facts, service.links);
    EntryFacts all = facts.take();
    for (const auto& [action, how] : service.actions) {
        all.actions.push_back(action_facts(action, how));
    }
    return all;
}

template <class Type>
EntryFacts type_facts(const Type& type, const Labels& labels) {
    FactList facts;
    facts.begin(translated("At each provider"));
    for (const auto& [provider, settings] : type.provider_map) {
        std::vector<std::string> words;
        for (const auto& [name, value] : settings) words.push_back(name + ' ' + value);
        const bool is_there = labels.knows(CatalogueKind::provider, provider);
        facts.add_of(provider, is_there ? entry_page(CatalogueKind::provider, provider) : "",
                     some_listed(words));
    }
    return facts.take();
}

EntryFacts facts_of_template(CatalogueKind kind, const Json& entry,
                             const TemplateSurroundings& around) {
    FactList facts;
    std::string heading;
    for (const TemplateFact& said : template_facts(kind, entry, around)) {
        if (said.heading != heading) facts.begin(said.heading);
        heading = said.heading;
        if (said.fact.pieces.empty()) {
            facts.add(said.fact.label, said.fact.value, said.fact.taken);
        } else {
            facts.add_linked(said.fact.label, said.fact.pieces, said.fact.taken);
        }
    }
    return facts.take();
}

EntryFacts provider_facts(const Provider& provider, const FieldsInWords& fields) {
    FactList facts;
    Facts defaults;
    facts.begin(translated("Account"));
    facts.add(translated("Type"), provider.provider_type);
    for (const auto& [name, value] : provider.fields.items()) {
        const auto found = fields.find(name);
        const FieldWords field = found == fields.end() ? FieldWords{.label = name} : found->second;
        const std::string text = text_of_value(value);
        if (text == field.standard && !field.is_required) {
            defaults.push_back({field.label, text});
        } else {
            facts.add(field.label, text);
        }
    }
    facts.begin(translated("Settings at their defaults"), true);
    for (const Fact& fact : defaults) facts.add(fact.label, fact.value);
    return facts.take();
}

std::string keys_of(const Json* object) {
    std::vector<std::string> keys;
    if (object && object->is_object()) {
        for (const auto& [key, value] : object->items()) keys.push_back(key);
    }
    return listed(keys);
}

Json list_of_facts(const Facts& facts) {
    Json list = Json::array();
    for (const Fact& fact : facts) {
        Json pieces = Json::array();
        for (const FactPiece& piece : fact.pieces) {
            pieces.push_back(Json{{"piece", piece.text}, {"piece_href", piece.href}});
        }
        list.push_back(Json{{"label", fact.label},
                            {"label_href", fact.label_href},
                            {"value", fact.value},
                            {"is_linked", !pieces.empty()},
                            {"pieces", std::move(pieces)},
                            {"origin", origins_in_words(fact)}});
    }
    return list;
}

/// The fields of an action; a value that is the name of a file leads to it.
Facts with_files(const ActionFacts& action, const std::vector<NamedFile>& files) {
    Facts fields = action.fields;
    for (Fact& field : fields) {
        const auto found = std::ranges::find_if(files, [&](const NamedFile& file) {
            return file.automator == action.automator && file.field == field.label &&
                   file.file == field.value && file.state != NamedFile::State::missing;
        });
        if (found != files.end()) field.pieces = {{field.value, found->href}};
    }
    return fields;
}

// Bytes that no words have.
constexpr char mark_begins = '\x01';
constexpr char mark_ends = '\x02';

}  // namespace

std::vector<std::string> NamesInFacts::marks(CatalogueKind kind,
                                             const std::vector<std::string>& names) {
    std::vector<std::string> marks;
    for (const std::string& name : names) {
        marks.push_back(mark_begins + std::to_string(names_.size()) + mark_ends);
        names_.push_back({labels_.of(kind, name),
                          labels_.knows(kind, name) ? entry_page(kind, name) : std::string()});
    }
    return marks;
}

std::vector<FactPiece> NamesInFacts::pieces(const std::string& marked) const {
    std::vector<FactPiece> pieces;
    std::size_t from = 0;
    while (from < marked.size()) {
        const auto begin = std::min(marked.find(mark_begins, from), marked.size());
        if (begin > from) pieces.push_back({.text = marked.substr(from, begin - from)});
        if (begin == marked.size()) break;
        const auto end = std::min(marked.find(mark_ends, begin), marked.size());
        const auto number = parse_number(marked.substr(begin + 1, end - begin - 1));
        if (number && static_cast<std::size_t>(*number) < names_.size()) {
            pieces.push_back(names_[static_cast<std::size_t>(*number)]);
        }
        from = end + 1;
    }
    return pieces;
}

std::string text_of(const std::vector<FactPiece>& pieces) {
    std::string text;
    for (const FactPiece& piece : pieces) text += piece.text;
    return text;
}

std::string origins_in_words(const Fact& fact) {
    std::string words;
    for (const auto& [value, origin] : fact.taken) {
        words += words.empty() ? "" : "; ";
        words += value == fact.value ? origin : translated("{0}: {1}", value, origin);
    }
    return words;
}

std::string some_listed(const std::vector<std::string>& names, std::size_t most) {
    if (names.size() <= most) return listed(names);
    // Cut before they are joined: lists may have a thousand names.
    std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most));
    some.push_back(translated("{0} more", names.size() - most));
    return listed(some);
}

Facts column_facts(CatalogueKind kind, const Json& entry, const TemplateSurroundings& around) {
    switch (kind) {
        case CatalogueKind::provider:
            return {{translated("Type"), text_at(entry, "providertype")}};
        case CatalogueKind::hardware_type:
        case CatalogueKind::image_type:
            return {{translated("Providers"),
                     keys_of(provisioner::base::member(entry, "providermap"))}};
        case CatalogueKind::service: {
            const auto service = service_from_json(entry);
            std::vector<std::string> actions;
            if (service) {
                for (const auto& [action, how] : service->actions) {
                    actions.push_back(to_word(action) + limit_words(how));
                }
            }
            return {
                {translated("Actions"), listed(actions)},
                {translated("Required to run"),
                 service ? listed(around.labels.services(service->dependencies.runtime.required))
                         : std::string()}};
        }
        case CatalogueKind::cluster_template:
            return template_columns(entry, around);
        case CatalogueKind::partial_template:
            return {{translated("Immutable"), entry.value("immutable", Json()) == true
                                                  ? translated("yes")
                                                  : translated("no")}};
    }
    throw std::logic_error("unknown kind of entry");
}

EntryFacts entry_facts(CatalogueKind kind, const Json& entry, const FieldsInWords& fields,
                       const TemplateSurroundings& around) {
    const auto facts_of = [&](const auto& read, const auto& facts) {
        if (read) return facts(*read);
        FactList some;
        some.begin(translated("About"));
        for (const Fact& fact : column_facts(kind, entry)) some.add(fact.label, fact.value);
        return some.take();
    };
    switch (kind) {
        case CatalogueKind::provider:
            return facts_of(provider_from_json(entry), [&](const Provider& provider) {
                return provider_facts(provider, fields);
            });
        case CatalogueKind::hardware_type:
            return facts_of(hardware_type_from_json(entry), [&](const HardwareType& type) {
                return type_facts(type, around.labels);
            });
        case CatalogueKind::image_type:
            return facts_of(image_type_from_json(entry),
                            [&](const ImageType& type) { return type_facts(type, around.labels); });
        case CatalogueKind::service:
            return facts_of(service_from_json(entry), [&](const Service& service) {
                return service_facts(service, around.labels);
            });
        case CatalogueKind::cluster_template:
            return facts_of(cluster_template_from_json(entry), [&](const ClusterTemplate&) {
                return facts_of_template(kind, entry, around);
            });
        case CatalogueKind::partial_template:
            return facts_of(partial_template_from_json(entry), [&](const ClusterTemplate&) {
                return facts_of_template(kind, entry, around);
            });
    }
    throw std::logic_error("unknown kind of entry");
}

Json to_json(const EntryFacts& facts, const std::vector<NamedFile>& files) {
    Json json;
    json["groups"] = Json::array();
    for (const FactGroup& group : facts.groups) {
        json["groups"].push_back(Json{{"heading", group.heading},
                                      {"is_folded", group.is_folded},
                                      {"number", group.facts.size()},
                                      {"group_facts", list_of_facts(group.facts)}});
    }
    json["has_groups"] = !facts.groups.empty();
    json["actions"] = Json::array();
    for (const ActionFacts& action : facts.actions) {
        json["actions"].push_back(Json{{"step", action.step},
                                       {"automator", action.automator},
                                       {"action_fields", list_of_facts(with_files(action, files))},
                                       {"has_fields", !action.fields.empty()},
                                       {"limit", action.limit}});
    }
    json["has_actions"] = !facts.actions.empty();
    return json;
}

}  // namespace fcgi::pages
