#include "provisioner/automators/document_values.hpp"

#include <algorithm>

namespace provisioner::automators {

namespace {

using base::Json;

/// The text that stands for a character in a table; null if the character stands for itself.
const char* escape_of(char c) {
    switch (c) {
        case '\\':
            return "\\\\";
        case '\t':
            return "\\t";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\0':
            return "";
        default:
            return nullptr;
    }
}

std::string escaped(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    while (!text.empty()) {
        const auto* special = std::find_if(text.begin(), text.end(), escape_of);
        line.append(text.begin(), special);
        if (special == text.end()) break;
        line += escape_of(*special);
        text.remove_prefix(static_cast<std::size_t>(special - text.begin()) + 1);
    }
    return line;
}

/// An array's elements in one line of a table, separated by escaped line ends.
void add_elements(const Json& array, const SharedValues& shared, PiecedText& table) {
    const char* between = "";
    for (const Json& element : array) {
        table.add(between);
        between = "\\n";
        if (is_reference(element)) {
            table.add(shared.text_of(element, "escaped",
                                     [](const Json& value) { return escaped(plain_text(value)); }));
        } else if (element.is_structured()) {
            table.add(escaped(json_text(element, shared).joined()));
        } else {
            table.add(escaped(plain_text(element)));
        }
    }
}

std::string line_of(const std::string& key, const std::string& value) {
    return escaped(key) + "\t" + escaped(value) + "\n";
}

void add_all(const std::string& key, const Json& json, const SharedValues& shared,
             PiecedText& table) {
    if (is_reference(json)) {
        return table.add(shared.text_of(json, "values of " + key, [&key](const Json& value) {
            PiecedText lines;
            add_all(key, value, SharedValues(), lines);
            return lines.joined();
        }));
    }
    if (json.is_array()) {
        table.add(escaped(key) + "\t");
        add_elements(json, shared, table);
        table.add("\n");
    }
    if (!json.is_structured()) return table.add(line_of(key, plain_text(json)));
    const std::string prefix = key + "/";
    for (const auto& [name, member] : json.items()) {
        add_all(prefix + name, member, shared, table);
    }
}

}  // namespace

std::string plain_text(const Json& json) {
    return json.is_string() ? json.get<std::string>() : base::to_text(json);
}

std::string value_at(const Json& document, const char* pointer) {
    const Json::json_pointer place(pointer);
    return document.contains(place) ? plain_text(document.at(place)) : "";
}

PiecedText values_table(const Json& document, const SharedValues& shared) {
    PiecedText table;
    if (!document.is_object()) return table;
    for (const auto& [name, member] : document.items()) add_all(name, member, shared, table);
    return table;
}

}  // namespace provisioner::automators
