#include "provisioner/messages/messages.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace provisioner::messages {

namespace {

std::runtime_error wrong_line(int number, const std::string& reason) {
    return std::runtime_error("line " + std::to_string(number) + ": " + reason);
}

/// What a C string literal says: "a\nb" in quotation marks.
std::string said_by(std::string_view literal, int line) {
    if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') {
        throw wrong_line(line, "a text in quotation marks is missing");
    }
    std::string text;
    literal = literal.substr(1, literal.size() - 2);
    for (std::size_t at = 0; at < literal.size(); ++at) {
        if (literal[at] == '"') throw wrong_line(line, "\" must be written as \\\"");
        if (literal[at] != '\\') {
            text += literal[at];
            continue;
        }
        if (++at == literal.size()) throw wrong_line(line, "\\ at the end");
        switch (literal[at]) {
            case 'n':
                text += '\n';
                break;
            case 't':
                text += '\t';
                break;
            case '"':
            case '\\':
                text += literal[at];
                break;
            default:
                throw wrong_line(line, std::string("there is no \\") + literal[at]);
        }
    }
    return text;
}

std::string po_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + '"';
}

/// The value of a line of the header; nothing if it has none.
std::optional<std::string> in_header(const std::string& header, std::string_view name) {
    std::istringstream lines(header);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(name, 0) != 0) continue;
        const auto start = line.find_first_not_of(' ', name.size());
        if (start != std::string::npos) return line.substr(start);
    }
    return std::nullopt;
}

/// An entry as it is read, and where its last text goes on.
struct Entry {
    std::optional<std::string> id{};
    std::string plural_id{};
    std::vector<std::string> translations{};
    std::string* last = nullptr;
    bool is_fuzzy = false;

    bool is_translated() const {
        return !is_fuzzy && !translations.empty() &&
               std::none_of(translations.begin(), translations.end(),
                            [](const std::string& text) { return text.empty(); });
    }
};

/// The form of "msgstr[2] ": 2; nothing if the line is none of a form.
std::optional<std::size_t> form_in(const std::string& line) {
    constexpr std::string_view start = "msgstr[";
    const bool is_form = line.rfind(start, 0) == 0 && line.size() > start.size() + 2 &&
                         line[start.size()] >= '0' && line[start.size()] <= '9' &&
                         line.substr(start.size() + 1, 2) == "] ";
    if (!is_form) return std::nullopt;
    return static_cast<std::size_t>(line[start.size()] - '0');
}

}  // namespace

Messages Messages::from_po(std::string_view text) {
    Texts texts;
    Entry entry;
    const auto keep = [&] {
        if (entry.id && entry.is_translated()) texts[*entry.id] = std::move(entry.translations);
        entry = {};
    };
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const auto follows = [&](std::string_view word) { return line.rfind(word, 0) == 0; };
        const auto begin = [&](std::string& place, std::size_t at) {
            place = said_by(std::string_view(line).substr(at), number);
            entry.last = &place;
        };
        if (line.empty() || follows("#~")) continue;
        const bool is_new = line.front() == '#' || follows("msgid ");
        if (is_new && !entry.translations.empty()) keep();
        if (line.front() == '#') {
            if (follows("#,") && line.find("fuzzy") != std::string::npos) entry.is_fuzzy = true;
        } else if (follows("msgid ")) {
            begin(entry.id.emplace(), 6);
        } else if (follows("msgid_plural ") && entry.id) {
            begin(entry.plural_id, 13);
        } else if (follows("msgstr ") && entry.id) {
            begin(entry.translations.emplace_back(), 7);
        } else if (const auto form = form_in(line); form && entry.id) {
            if (*form != entry.translations.size()) {
                throw wrong_line(number, "the forms must stand in order, from msgstr[0] on");
            }
            begin(entry.translations.emplace_back(), 10);
        } else if (line.front() == '"' && entry.last != nullptr) {
            *entry.last += said_by(line, number);
        } else {
            throw wrong_line(number, "this is none of msgid, msgstr, \"…\" and #");
        }
    }
    keep();
    const auto header = texts.extract("");
    if (header.empty()) throw std::runtime_error("there is no header (msgid \"\")");
    auto language = in_header(header.mapped().front(), "Language:");
    if (!language) throw std::runtime_error("the header has no \"Language: …\"");
    std::replace(language->begin(), language->end(), '_', '-');
    const auto rule = in_header(header.mapped().front(), "Plural-Forms:");
    return {*language, std::move(texts), rule ? PluralRule(*rule) : PluralRule()};
}

const std::string* Messages::of(std::string_view english) const {
    const auto found = texts_.find(english);
    return found == texts_.end() ? nullptr : &found->second.front();
}

const std::string* Messages::of(std::string_view english, unsigned long number) const {
    const auto found = texts_.find(english);
    if (found == texts_.end()) return nullptr;
    const std::size_t form = rule_.form_of(number);
    return form < found->second.size() ? &found->second[form] : nullptr;
}

std::string to_pot(const std::map<std::string, std::string>& places) {
    std::string text =
        "msgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"MIME-Version: 1.0\\n\"\n"
        "\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
        "\"Content-Transfer-Encoding: 8bit\\n\"\n";
    // In the order of the places: neighbours on a page are neighbours for translators.
    std::multimap<std::string, std::string> in_order;
    for (const auto& [english, place] : places) in_order.emplace(place, english);
    for (const auto& [place, english] : in_order) {
        text += "\n#: " + place + "\nmsgid " + po_literal(english) + "\nmsgstr \"\"\n";
    }
    return text;
}

}  // namespace provisioner::messages
