#include "fcgi/pages/catalogue/entries.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::strings_of;

namespace {

struct Fact {
    std::string label;
    std::string value;
};
using Facts = std::vector<Fact>;

std::string text_at(const Json& entry, const char* name) {
    const auto* found = member(entry, name);
    return found && found->is_string() ? found->get<std::string>() : "";
}

std::string keys_of(const Json* object) {
    std::vector<std::string> keys;
    if (object && object->is_object()) {
        for (const auto& [key, value] : object->items()) keys.push_back(key);
    }
    return listed(keys);
}

const Json* deep(const Json& entry, std::initializer_list<const char*> path) {
    const Json* at = &entry;
    for (const char* name : path) {
        if (at) at = member(*at, name);
    }
    return at;
}

Facts provider_facts(const Json& entry) {
    return {{"Type", text_at(entry, "providertype")}};
}

Facts type_facts(const Json& entry) {
    return {{"Providers", keys_of(member(entry, "providermap"))}};
}

/// "install and start (at most 2 hours)": the actions, with their time limit where one is set.
std::string actions_of(const Json& entry) {
    std::vector<std::string> words;
    const auto* actions = deep(entry, {"provisioner", "actions"});
    if (actions == nullptr || !actions->is_object()) return "";
    for (const auto& [name, action] : actions->items()) {
        const auto* limit = member(action, "limit");
        words.push_back(name);
        if (limit == nullptr || !limit->is_number_integer()) continue;
        words.back() +=
            " (at most " + spoken(std::chrono::milliseconds(limit->get<std::int64_t>())) + ")";
    }
    return listed(words);
}

Facts service_facts(const Json& entry) {
    return {{"Actions", actions_of(entry)},
            {"Needs", listed(strings_of(deep(entry, {"dependencies", "runtime", "requires"})))}};
}

Facts template_facts(const Json& entry) {
    const auto read = cluster_template_from_json(entry);
    if (!read) return {{"Size", ""}, {"Services", ""}};
    return {{"Size", size_words(read->constraints)}, {"Services", listed(read->defaults.services)}};
}

Facts partial_facts(const Json& entry) {
    const auto* immutable = member(entry, "immutable");
    return {{"Immutable", immutable && *immutable == true ? "yes" : "no"}};
}

struct Kind {
    CatalogueKind kind;
    const char* word;
    const char* title;
    const char* sentence;
    Facts (*facts)(const Json& entry);
};

constexpr std::array kinds{
    Kind{CatalogueKind::provider, "providers", "Providers", "Accounts that machines come from.",
         provider_facts},
    Kind{CatalogueKind::hardware_type, "hardwaretypes", "Hardware types",
         "Sizes of machines, and what each provider calls them.", type_facts},
    Kind{CatalogueKind::image_type, "imagetypes", "Image types",
         "Operating systems of machines, and what each provider calls them.", type_facts},
    Kind{CatalogueKind::service, "services", "Services",
         "Software, what it needs and how to run it.", service_facts},
    Kind{CatalogueKind::cluster_template, "clustertemplates", "Templates",
         "What users build clusters from.", template_facts},
    Kind{CatalogueKind::partial_template, "partialtemplates", "Partial templates",
         "Parts that templates include.", partial_facts},
};

const Kind& words_of_kind(CatalogueKind kind) {
    for (const Kind& candidate : kinds) {
        if (candidate.kind == kind) return candidate;
    }
    throw std::logic_error("a catalogue kind has no words");
}

Json kinds_json(CatalogueKind current) {
    Json list = Json::array();
    for (const Kind& kind : kinds) {
        Json item;
        item["href"] = std::string("/catalogue/") + kind.word;
        item["label"] = kind.title;
        item["current"] = kind.kind == current;
        list.push_back(std::move(item));
    }
    return list;
}

Json entry_json(const Kind& kind, const Json& entry) {
    const auto name = text_at(entry, "name");
    Json values = Json::array();
    for (const Fact& fact : kind.facts(entry)) {
        Json item;
        item["column"] = fact.label;
        item["value"] = fact.value;
        values.push_back(std::move(item));
    }
    Json json;
    json["href"] = std::string("/catalogue/") + kind.word + '/' + http::percent_encode(name);
    json["name"] = name;
    json["description"] = text_at(entry, "description");
    json["values"] = std::move(values);
    json["version"] = entry.value("version", 1);
    return json;
}

/// Hides the strings and numbers below every name that sounds secret; all of them if `hide`.
void hide_secrets(Json& json, bool hide = false) {
    if (hide && (json.is_string() || json.is_number())) json = "(not shown)";
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
        hide_secrets(value, hide || (json.is_object() && provisioner::model::sounds_secret(key)));
    }
}

}  // namespace

std::optional<CatalogueKind> catalogue_kind(const std::string& word) {
    for (const Kind& kind : kinds) {
        if (kind.word == word) return kind.kind;
    }
    return std::nullopt;
}

std::string plural_title(CatalogueKind kind) {
    return words_of_kind(kind).title;
}

Json to_json(const CataloguePage& page) {
    const Kind& kind = words_of_kind(page.kind);
    Json columns = Json::array();
    for (const Fact& fact : kind.facts(Json::object()))
        columns.push_back(Json{{"column", fact.label}});
    Json entries = Json::array();
    for (const Json& entry : page.entries) entries.push_back(entry_json(kind, entry));
    Json json;
    json["sentence"] = kind.sentence;
    json["kinds"] = kinds_json(page.kind);
    json["has_entries"] = !page.entries.empty();
    json["columns"] = std::move(columns);
    json["entries"] = std::move(entries);
    json["empty_text"] = std::string("Create entries through the API: POST /v2/") + kind.word + ".";
    return json;
}

Json to_json(const EntryPage& page) {
    const Kind& kind = words_of_kind(page.kind);
    const auto name = text_at(page.entry, "name");
    Json facts = Json::array();
    const auto add = [&](const std::string& label, const std::string& value) {
        Json item;
        item["label"] = label;
        item["value"] = value.empty() ? "none" : value;
        facts.push_back(std::move(item));
    };
    for (const Fact& fact : kind.facts(page.entry)) add(fact.label, fact.value);
    add("Version", std::to_string(page.entry.value("version", 1)));
    if (!page.for_whom.empty()) add("For", page.for_whom);
    Json json;
    json["kind"] = kind.word;
    json["kind_label"] = kind.title;
    json["name"] = name;
    json["description"] = text_at(page.entry, "description");
    json["facts"] = std::move(facts);
    json["permission_href"] = page.for_whom.empty() ? ""
                                                    : "/permissions/" + std::string(kind.word) +
                                                          '/' + http::percent_encode(name);
    json["api_path"] = page.prefix + "/v2/" + kind.word + '/' + http::percent_encode(name);
    Json document = provisioner::model::shown_entry(page.entry);
    hide_secrets(document);
    json["document"] = document.dump(2, ' ', false, Json::error_handler_t::replace);
    return json;
}

using http::Request;
using http::Response;
namespace store = provisioner::store;

Response list_entries(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return nothing_there(app, visitor, "part of the catalogue");

    auto entries = app.database.read([&](store::Connection& c) {
        return store::list_entries(c, visitor.who().tenant.id, *kind);
    });
    return drawn(app, visitor, 200, "catalogue/index",
                 {.title = plural_title(*kind), .section = "catalogue"},
                 to_json(CataloguePage{*kind, std::move(entries)}));
}

Response show_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return nothing_there(app, visitor, "part of the catalogue");

    const auto& name = request.path_value("name");
    std::string for_whom;
    const auto entry = app.database.read([&](store::Connection& c) {
        const auto tenant = visitor.who().tenant.id;
        if (can_be_withheld(*kind)) {
            for_whom = permission_words(store::find_permission(c, tenant, {*kind, name}));
        }
        return store::find_entry(c, tenant, *kind, name);
    });
    if (!entry) return nothing_there(app, visitor, "entry");
    return drawn(app, visitor, 200, "catalogue/show", {.title = name, .section = "catalogue"},
                 to_json(EntryPage{*kind, *entry, request.prefix, for_whom}));
}

}  // namespace fcgi::pages
