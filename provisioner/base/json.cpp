#include "provisioner/base/json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace provisioner::base {

namespace {

/// Keys that may be compared while a document is read: an object of 20,000 members, or many
/// smaller ones; half a second.
constexpr std::uint64_t most_comparisons = 200'000'000;

/// Whether the document is read in a time that goes with its length. Each key is compared with all
/// before it in its object (base::Json), so a megabyte of keys would take minutes. `text` must not
/// be nested deeper than deepest_json.
bool is_quick_to_read(std::string_view text) {
    std::array<std::uint64_t, deepest_json + 1> members{};
    std::size_t depth = 0;
    std::uint64_t comparisons = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            depth = std::min(depth + 1, members.size() - 1);
            members[depth] = 0;
        } else if (c == ']' || c == '}') {
            depth -= depth == 0 ? 0 : 1;
        } else if (c == ':') {
            comparisons += members[depth]++;
        }
    }
    return comparisons <= most_comparisons;
}

/// "Line 3, column 14: " for the byte that the parser read last, counted from one.
std::string place_in(std::string_view text, std::size_t byte) {
    const auto before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
    const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto is_character = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    };
    const auto column = std::ranges::count_if(before.substr(line_start), is_character) + 1;
    const auto line = std::ranges::count(before, '\n') + 1;
    return "Line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

/// What the parser calls a part of a text, and what people call it.
struct PartWords {
    std::string_view part;
    std::string_view words;
};

constexpr std::array part_words{
    PartWords{"end of input", "the end of the text"},
    PartWords{"string literal", "a text in double quotes"},
    PartWords{"number literal", "a number"},
    PartWords{"true literal", "true"},
    PartWords{"false literal", "false"},
    PartWords{"null literal", "null"},
    PartWords{"'['", "["},
    PartWords{"']'", "]"},
    PartWords{"'{'", "{"},
    PartWords{"'}'", "}"},
    PartWords{"':'", "a colon"},
    PartWords{"','", "a comma"},
    PartWords{"'[', '{', or a literal", "a value"},
};

std::string words_of_part(std::string_view part) {
    const auto* const found = std::ranges::find(part_words, part, &PartWords::part);
    return std::string(found == part_words.end() ? part : found->words);
}

/// What a text must have where the parser stopped; empty if it does not say.
std::string expected_words(std::string_view context, std::string_view expected) {
    if (context == "object key") return "the name of a member in double quotes";
    // The parser names the end only.
    if (context == "object" && expected == "'}'") return "a comma or }";
    if (context == "array" && expected == "']'") return "a comma or ]";
    return expected.empty() ? "" : words_of_part(expected);
}

/// The text between two others, the second one may be absent.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
    const auto at = text.find(begin);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + begin.size());
    return text.substr(0, text.find(end));
}

/// "expected a comma or }, found a text in double quotes." for what the parser says: "... syntax
/// error while parsing object - unexpected string literal; last read: '"b"'; expected '}'". What
/// was read last may be long or no text, so it is left out.
std::string reason_of(std::string_view said) {
    const auto context = between(said, "while parsing ", " - ");
    const auto reason = between(said, " - ", ";");
    // What was read last may say anything, what is expected comes behind it.
    const auto last = said.rfind("; expected ");
    const auto expected =
        expected_words(context, last == std::string_view::npos ? "" : said.substr(last + 11));
    if (reason.starts_with("unexpected ")) {
        const auto unexpected = reason.substr(11);
        const std::string found = words_of_part(unexpected);
        if (expected.empty()) return found + " does not belong here.";
        return "expected " + expected + ", found " + found + '.';
    }
    if (reason.starts_with("invalid literal")) {
        const std::string wanted = expected.empty() ? "a value" : expected;
        const bool says_quotes = wanted.find("double quotes") != std::string::npos;
        return "expected " + wanted + (says_quotes ? "." : "; texts stand in double quotes.");
    }
    if (reason.find("missing closing quote") != std::string_view::npos) {
        return "a text has no closing quote.";
    }
    if (reason.find("control character") != std::string_view::npos) {
        return "a text must not contain line breaks, tabs or other control characters; "
               "write \\n or \\t.";
    }
    return std::string(reason) + '.';
}

}  // namespace

int nesting_of(std::string_view text) {
    int depth = 0;
    int deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

std::optional<Json> parse_json(std::string_view text, const std::set<std::string>& left_out) {
    if (nesting_of(text) > deepest_json || !is_quick_to_read(text)) return std::nullopt;
    const auto is_kept = [&](int, Json::parse_event_t event, const Json& value) {
        return event != Json::parse_event_t::key ||
               !left_out.contains(value.get_ref<const std::string&>());
    };
    Json parsed =
        left_out.empty() ? Json::parse(text, nullptr, false) : Json::parse(text, is_kept, false);
    if (parsed.is_discarded()) return std::nullopt;
    return parsed;
}

std::string problem_with_json(std::string_view text) {
    if (nesting_of(text) > deepest_json) {
        return "It is nested more than " + std::to_string(deepest_json) + " levels deep.";
    }
    if (!is_quick_to_read(text)) return "An object has too many members.";
    try {
        // Parsed, and not only accepted: accept() says no reason.
        [[maybe_unused]] const Json read = Json::parse(text);
        return {};
    } catch (const Json::parse_error& error) {
        return place_in(text, error.byte) + reason_of(error.what());
    } catch (const Json::exception&) {
        return "A number is too large.";
    }
}

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& json, std::string_view key) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

std::string text_at(const Json& json, std::string_view key) {
    const Json* found = member(json, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> strings_of(const Json* array) {
    std::vector<std::string> strings;
    if (array == nullptr || !array->is_array()) return strings;
    for (const Json& element : *array) {
        if (element.is_string()) strings.push_back(element.get<std::string>());
    }
    return strings;
}

}  // namespace provisioner::base
