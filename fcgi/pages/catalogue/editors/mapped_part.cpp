#include <algorithm>
#include <set>
#include <sstream>

#include "fcgi/pages/catalogue/editors/parts.hpp"
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

std::string control_id(std::size_t row, std::string_view key) {
    return "map-" + std::to_string(row) + '-' + std::string(key);
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

/// Names of all providers, and of those that the entry names although there are none.
std::vector<std::string> providers_of(const EditPage& page) {
    std::vector<std::string> names;
    const auto found = page.context.entries.find(CatalogueKind::provider);
    if (found != page.context.entries.end()) {
        for (const Json& provider : found->second) names.push_back(text_at(provider, "name"));
    }
    if (const Json* map = member(page.entry, "providermap"); map != nullptr && map->is_object()) {
        for (const auto& [name, settings] : map->items()) {
            if (std::ranges::count(names, name) == 0) names.push_back(name);
        }
    }
    return names;
}

std::string note_on(const EditPage& page, const std::string& provider) {
    const auto found = page.context.entries.find(CatalogueKind::provider);
    if (found != page.context.entries.end()) {
        for (const Json& one : found->second) {
            if (text_at(one, "name") == provider) return text_at(one, "providertype");
        }
    }
    return translated("No such provider");
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
    std::size_t number = 0;
    for (const std::string& provider : providers_of(page)) {
        const Json* own = map == nullptr ? nullptr : member(*map, provider);
        const std::string prefix = std::string(map_prefix) + provider + '.';
        Json row;
        row["provider"] = provider;
        row["note"] = note_on(page, provider);
        row["inputs"] = Json::array();
        for (const auto& setting : settings) {
            const Json* value = own == nullptr ? nullptr : member(*own, setting.key);
            const std::string id = control_id(number, setting.key);
            auto input = input_json(id, prefix + setting.key, setting.column,
                                    translated("{0} at {1}", std::string(setting.column), provider),
                                    value == nullptr ? "" : text_of_value(*value), page);
            controls.push_back({prefix + setting.key, id, input.at("label").get<std::string>()});
            if (const auto choices = choices_of(page, provider, setting.key); !choices.empty()) {
                input["list"] = id + "-list";
                part["lists"].push_back(list_json(id + "-list", choices));
            }
            row["inputs"].push_back(std::move(input));
        }
        row["more"] =
            input_json(control_id(number, more_settings), prefix + std::string(more_settings),
                       translated("Other settings"), translated("Other settings at {0}", provider),
                       lines_of_others(own, settings), page);
        part["rows"].push_back(std::move(row));
        ++number;
    }
    part["has_rows"] = number > 0;
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

provisioner::base::Problems problems_in_lines(const http::FormData& sent) {
    provisioner::base::Problems problems;
    for (const auto& [name, value] : sent.fields) {
        const bool is_lines =
            name.starts_with(map_prefix) && name.ends_with('.' + std::string(more_settings));
        if (!is_lines) continue;
        std::istringstream lines(value);
        int number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const auto equals = line.find('=');
            const bool is_setting = equals != std::string::npos &&
                                    !http::trim(std::string_view(line).substr(0, equals)).empty();
            if (http::trim(line).empty() || is_setting) continue;
            problems.push_back({name, translated("Line {0} is not name=value.", number)});
        }
    }
    return problems;
}

void read_mapped(const http::FormData& sent, CatalogueKind, Json& entry) {
    Json map = Json::object();
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(map_prefix)) continue;
        const auto dot = name.rfind('.');
        if (dot < map_prefix.size()) continue;
        const std::string provider = name.substr(map_prefix.size(), dot - map_prefix.size());
        const std::string key = name.substr(dot + 1);
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
