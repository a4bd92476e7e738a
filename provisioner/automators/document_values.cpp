#include "provisioner/automators/document_values.hpp"

namespace provisioner::automators {

namespace {

using base::Json;

std::string escaped(const std::string& text) {
    std::string line;
    for (const char c : text) {
        switch (c) {
            case '\\':
                line += "\\\\";
                break;
            case '\t':
                line += "\\t";
                break;
            case '\n':
                line += "\\n";
                break;
            case '\r':
                line += "\\r";
                break;
            case '\0':
                break;
            default:
                line += c;
        }
    }
    return line;
}

std::string one_to_a_line(const Json& array) {
    std::string text;
    for (const Json& element : array) text += plain_text(element) + "\n";
    if (!text.empty()) text.pop_back();
    return text;
}

void add_value(const std::string& key, const std::string& value, std::string& table) {
    table += escaped(key) + "\t" + escaped(value) + "\n";
}

void add_all(const std::string& key, const Json& json, std::string& table) {
    if (json.is_array()) add_value(key, one_to_a_line(json), table);
    if (!json.is_structured()) {
        add_value(key, plain_text(json), table);
        return;
    }
    const std::string prefix = key + "/";
    for (const auto& [name, member] : json.items()) add_all(prefix + name, member, table);
}

}  // namespace

std::string plain_text(const Json& json) {
    return json.is_string() ? json.get<std::string>() : base::to_text(json);
}

std::string value_at(const Json& document, const char* pointer) {
    const Json::json_pointer place(pointer);
    return document.contains(place) ? plain_text(document.at(place)) : "";
}

std::string values_table(const Json& document) {
    std::string table;
    if (!document.is_object()) return table;
    for (const auto& [name, member] : document.items()) add_all(name, member, table);
    return table;
}

}  // namespace provisioner::automators
