#include <algorithm>
#include <optional>
#include <sstream>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;

namespace {

constexpr std::string_view map_prefix = "providermap.";
constexpr std::string_view more_settings = "more";
/// Stands for the provider in the row for one more; no name has it.
constexpr auto any_other = "*";

/// A setting that has a control of its own.
struct MappedSetting {
    const char* key;
    std::string column;
};

std::vector<MappedSetting> settings_of(CatalogueKind kind) {
    if (kind == CatalogueKind::hardware_type) return {{"flavor", translated("Flavor")}};
    return {{"image", translated("Image")}, {"sshuser", translated("SSH user")}};
}

Json choices_of(const EditPage& page, const std::string& provider, const char* key) {
    const auto offer = page.context.offers.find(provider);
    if (offer == page.context.offers.end()) return Json::array();
    const Json* choices = member(offer->second, "choices");
    const Json* list = choices == nullptr ? nullptr : member(*choices, key);
    return list == nullptr || !list->is_array() ? Json::array() : *list;
}

/// "cpus=2" a line: what has no control of its own.
std::string lines_of_others(const Json* settings, const std::vector<MappedSetting>& own) {
    std::string lines;
    if (settings == nullptr || !settings->is_object()) return lines;
    for (const auto& [key, value] : settings->items()) {
        const bool is_own =
            std::ranges::any_of(own, [&](const MappedSetting& one) { return one.key == key; });
        if (is_own) continue;
        lines += (lines.empty() ? "" : "\n") + key + '=' + text_of_value(value);
    }
    return lines;
}

std::string control_id(const std::string& row, const std::string& key) {
    return "map-" + row + '-' + key;
}

Json list_json(const std::string& id, const Json& choices) {
    Json list;
    list["list"] = id;
    list["options"] = Json::array();
    for (const Json& choice : choices) {
        Json option;
        option["value"] = text_at(choice, "value");
        option["label"] = text_at(choice, "label");
        list["options"].push_back(std::move(option));
    }
    return list;
}

Json input_json(const std::string& id, const std::string& name, const std::string& column,
                const std::string& label, const std::string& value, const EditPage& page) {
    Json input;
    input["id"] = id;
    input["name"] = name;
    input["column"] = column;
    input["label"] = label;
    input["value"] = value;
    input["list"] = "";
    input["problem"] = messages_for(name, page.problems);
    return input;
}

/// The providers of the catalogue, in wire form.
const std::vector<Json>& known_providers(const EditPage& page) {
    return provisioner::operations::entries_of(page.context.entries, CatalogueKind::provider);
}

/// Those that have a row: with settings, or in the form as it was sent. Where there is only one
/// provider, there is nothing to choose.
std::vector<std::string> providers_of(const EditPage& page) {
    std::vector<std::string> names = page.rows;
    if (const Json* map = member(page.entry, "providermap"); map != nullptr && map->is_object()) {
        for (const auto& [name, settings] : map->items()) {
            if (std::ranges::count(names, name) == 0) names.push_back(name);
        }
    }
    const auto& known = known_providers(page);
    if (names.empty() && known.size() == 1) names.push_back(text_at(known.front(), "name"));
    return names;
}

std::string note_on(const EditPage& page, const std::string& provider) {
    for (const Json& one : known_providers(page)) {
        if (text_at(one, "name") == provider) return text_at(one, "providertype");
    }
    return translated("No such provider");
}

/// "providermap.<provider>.<key>", taken apart; `provider` is the chosen one in the row for one
/// more, and empty if none was chosen there.
struct MappedName {
    std::string provider{};
    std::string key{};
};

std::optional<MappedName> mapped_name(const http::FormData& sent, const std::string& name) {
    if (!name.starts_with(map_prefix)) return std::nullopt;
    const auto dot = name.rfind('.');
    if (dot < map_prefix.size()) return std::nullopt;
    std::string provider = name.substr(map_prefix.size(), dot - map_prefix.size());
    if (provider == any_other) provider = sent.trimmed(added_provider);
    return MappedName{std::move(provider), name.substr(dot + 1)};
}

/// The controls of a provider's row. `value_of` says what they show.
template <class ValueOf>
Json mapped_row_json(const EditPage& page, const std::string& provider, const std::string& words,
                     const std::string& number, const ValueOf& value_of, Json& lists,
                     std::vector<NamedControl>& controls) {
    const std::string prefix = std::string(map_prefix) + provider + '.';
    Json row;
    row["inputs"] = Json::array();
    for (const auto& setting : settings_of(page.kind)) {
        const std::string id = control_id(number, setting.key);
        auto input = input_json(id, prefix + setting.key, setting.column,
                                translated("{0} at {1}", setting.column, words),
                                value_of(setting.key), page);
        controls.push_back({prefix + setting.key, id, text_at(input, "label")});
        if (const auto choices = choices_of(page, provider, setting.key); !choices.empty()) {
            input["list"] = id + "-list";
            lists.push_back(list_json(id + "-list", choices));
        }
        row["inputs"].push_back(std::move(input));
    }
    const std::string more(more_settings);
    row["more"] = input_json(control_id(number, more), prefix + more, translated("Other settings"),
                             translated("Other settings at {0}", words), value_of(more), page);
    controls.push_back({prefix + more, control_id(number, more), text_at(row["more"], "label")});
    return row;
}

/// The row for one more provider; null when all have one.
Json added_json(const EditPage& page, const std::vector<std::string>& rows, Json& lists,
                std::vector<NamedControl>& controls) {
    FormField choice{.id = "added-provider",
                     .name = added_provider,
                     .label = translated("Add a provider"),
                     .control = FormField::Control::select,
                     .options = {{"", translated("Choose a provider")}}};
    std::vector<Json> others = known_providers(page);
    std::erase_if(others, [&](const Json& one) {
        return std::ranges::count(rows, text_at(one, "name")) > 0;
    });
    if (others.empty()) return nullptr;
    for (auto& option : entry_choices(others)) choice.options.push_back(std::move(option));
    controls.push_back({choice.name, choice.id, choice.label});
    const auto typed = [&](const std::string& key) {
        const auto found = page.unplaced.find(key);
        return found == page.unplaced.end() ? "" : found->second;
    };
    Json row = mapped_row_json(page, any_other, translated("the added provider"), "added", typed,
                               lists, controls);
    row["choice"] = to_json(choice, page.problems);
    return row;
}

}  // namespace

Json mapped_part(const EditPage& page, std::vector<NamedControl>& controls) {
    const auto settings = settings_of(page.kind);
    Json part;
    part["columns"] = Json::array();
    for (const auto& setting : settings)
        part["columns"].push_back(Json{{"column", setting.column}});
    part["columns"].push_back(Json{{"column", translated("Other settings")}});
    part["rows"] = Json::array();
    part["lists"] = Json::array();
    const Json* map = member(page.entry, "providermap");
    const auto rows = providers_of(page);
    for (std::size_t number = 0; number < rows.size(); ++number) {
        const Json* own = map == nullptr ? nullptr : member(*map, rows[number]);
        const auto stored = [&](const std::string& key) {
            if (key == more_settings) return lines_of_others(own, settings);
            const Json* value = own == nullptr ? nullptr : member(*own, key);
            return value == nullptr ? std::string() : text_of_value(*value);
        };
        Json row = mapped_row_json(page, rows[number], rows[number], std::to_string(number), stored,
                                   part["lists"], controls);
        row["provider"] = rows[number];
        row["note"] = note_on(page, rows[number]);
        part["rows"].push_back(std::move(row));
    }
    part["added"] = added_json(page, rows, part["lists"], controls);
    part["has_rows"] = !rows.empty() || !part["added"].is_null();
    part["what"] =
        page.kind == CatalogueKind::hardware_type
            ? translated(
                  "What each provider calls this size. A provider without a flavor does not "
                  "offer it.")
            : translated(
                  "What each provider calls this system, and who logs in there (root if it "
                  "is empty). A provider without an image does not offer it.");
    return part;
}

void read_rows(const http::FormData& sent, EditPage& page) {
    page.rows.clear();
    page.unplaced.clear();
    for (const auto& [name, value] : sent.fields) {
        const auto mapped = mapped_name(sent, name);
        if (!mapped) continue;
        if (mapped->provider.empty()) {
            if (!http::trim(value).empty()) page.unplaced[mapped->key] = value;
        } else if (std::ranges::count(page.rows, mapped->provider) == 0) {
            page.rows.push_back(mapped->provider);
        }
    }
}

provisioner::base::Problems problems_in_lines(const http::FormData& sent) {
    provisioner::base::Problems problems;
    bool lacks_provider = false;
    for (const auto& [name, value] : sent.fields) {
        const auto mapped = mapped_name(sent, name);
        if (!mapped) continue;
        lacks_provider |= mapped->provider.empty() && !http::trim(value).empty();
        if (mapped->key != more_settings) continue;
        const std::string provider = mapped->provider.empty() ? any_other : mapped->provider;
        std::istringstream lines(value);
        int number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const auto equals = line.find('=');
            const bool is_setting = equals != std::string::npos &&
                                    !http::trim(std::string_view(line).substr(0, equals)).empty();
            if (http::trim(line).empty() || is_setting) continue;
            problems.push_back({std::string(map_prefix) + provider + '.' + mapped->key,
                                translated("Line {0} is not name=value.", number)});
        }
    }
    if (lacks_provider) {
        problems.push_back({added_provider, translated("Choose the provider of these settings.")});
    }
    return problems;
}

provisioner::base::Problems problems_in_rows(const http::FormData& sent, CatalogueKind kind) {
    const bool is_mapped =
        kind == CatalogueKind::hardware_type || kind == CatalogueKind::image_type;
    if (!is_mapped) return {};
    const std::string needed = settings_of(kind).front().key;
    std::vector<std::string> named;
    std::vector<std::string> offering;
    if (const auto added = sent.trimmed(added_provider); !added.empty()) named.push_back(added);
    for (const auto& [name, value] : sent.fields) {
        const auto mapped = mapped_name(sent, name);
        if (!mapped || mapped->provider.empty() || http::trim(value).empty()) continue;
        if (mapped->key == needed) offering.push_back(mapped->provider);
        if (std::ranges::count(named, mapped->provider) == 0) named.push_back(mapped->provider);
    }
    provisioner::base::Problems problems;
    for (const auto& provider : named) {
        if (std::ranges::count(offering, provider) > 0) continue;
        problems.push_back({std::string(map_prefix) + provider + '.' + needed,
                            kind == CatalogueKind::hardware_type
                                ? translated("Enter the flavor, or empty the row: without a flavor "
                                             "the provider does not offer this type.")
                                : translated("Enter the image, or empty the row: without an image "
                                             "the provider does not offer this type.")});
    }
    return problems;
}

void read_mapped(const http::FormData& sent, CatalogueKind, Json& entry) {
    Json map = Json::object();
    for (const auto& [name, value] : sent.fields) {
        const auto mapped = mapped_name(sent, name);
        if (!mapped || mapped->provider.empty()) continue;
        const auto& [provider, key] = *mapped;
        const std::string text(http::trim(value));
        if (text.empty()) continue;
        if (key != more_settings) {
            map[provider][key] = text;
            continue;
        }
        std::string line;
        for (const char c : text + '\n') {
            if (c != '\n') {
                if (c != '\r') line += c;
                continue;
            }
            const auto equals = line.find('=');
            const std::string left(http::trim(line.substr(0, equals)));
            if (!left.empty()) {
                map[provider][left] =
                    equals == std::string::npos ? "" : http::trim(line.substr(equals + 1));
            }
            line.clear();
        }
    }
    if (map.empty() && member(entry, "providermap") == nullptr) return;
    entry["providermap"] = std::move(map);
}

}  // namespace fcgi::pages
