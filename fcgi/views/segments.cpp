#include "fcgi/views/segments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>

namespace fcgi::views {

namespace {

constexpr std::array elements_of_a_line{"a",    "abbr",   "b",    "bdi", "code", "em",
                                        "i",    "kbd",    "mark", "s",   "samp", "small",
                                        "span", "strong", "sub",  "sup", "time", "var"};
constexpr std::array elements_without_words{"code", "kbd", "pre", "samp", "script", "style"};
constexpr std::array attributes_with_words{
    "alt",        "aria-description", "aria-label",       "aria-roledescription",
    "data-label", "data-says",        "data-says-unseen", "placeholder",
    "title"};

template <class List>
bool is_one_of(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

enum class Kind { text, value, opening, closing, whole, boundary };

/// A piece of a view: [begin, end) of its text.
struct Token {
    Kind kind = Kind::text;
    std::size_t begin = 0;
    std::size_t end = 0;
    /// Of opening and closing tags.
    std::string_view name{};
};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The end of the Mustache tag at `at`, behind its braces.
std::size_t end_of_mustache(std::string_view view, std::size_t at) {
    const bool is_raw = view.substr(at, 3) == "{{{";
    const std::string_view end = is_raw ? "}}}" : "}}";
    const auto found = view.find(end, at);
    if (found == std::string_view::npos) throw std::runtime_error("a Mustache tag is not closed");
    return found + end.size();
}

/// Whether a Mustache tag is a value, and not a section, a partial or a comment.
bool is_value(std::string_view tag) {
    return tag.size() > 2 && std::string_view("#^/>!=").find(tag[2]) == std::string_view::npos;
}

/// The end of the HTML tag at `at`, behind its bracket. Sections in it may hold brackets.
std::size_t end_of_tag(std::string_view view, std::size_t at) {
    char quote = 0;
    while (++at < view.size()) {
        if (view.substr(at, 2) == "{{") {
            at = end_of_mustache(view, at) - 1;
        } else if (quote != 0) {
            if (view[at] == quote) quote = 0;
        } else if (view[at] == '"' || view[at] == '\'') {
            quote = view[at];
        } else if (view[at] == '>') {
            return at + 1;
        }
    }
    throw std::runtime_error("an HTML tag is not closed");
}

std::string_view name_in(std::string_view tag) {
    const std::size_t begin = tag.substr(0, 2) == "</" ? 2 : 1;
    std::size_t end = begin;
    while (end < tag.size() && (is_letter(tag[end]) || (tag[end] >= '0' && tag[end] <= '9'))) ++end;
    return tag.substr(begin, end - begin);
}

/// Behind the end of the element whose opening tag ends at `at`.
std::size_t end_of_element(std::string_view view, std::size_t at, std::string_view name) {
    const std::string closing = "</" + std::string(name) + ">";
    const auto found = view.find(closing, at);
    if (found == std::string_view::npos) {
        throw std::runtime_error("the element " + std::string(name) + " is not closed");
    }
    return found + closing.size();
}

Token tag_at(std::string_view view, std::size_t at) {
    if (view.substr(at, 4) == "<!--") return {Kind::boundary, at, view.find("-->", at) + 3};
    const std::size_t end = end_of_tag(view, at);
    const std::string_view tag = view.substr(at, end - at);
    const std::string_view name = name_in(tag);
    const bool is_closing = tag.substr(0, 2) == "</";
    const bool is_of_line = is_one_of(elements_of_a_line, name);
    if (is_closing) return {is_of_line ? Kind::closing : Kind::boundary, at, end, name};
    const bool is_left_out = is_one_of(elements_without_words, name) ||
                             tag.find(" translate=\"no\"") != std::string_view::npos;
    if (is_left_out) {
        return {is_of_line ? Kind::whole : Kind::boundary, at, end_of_element(view, end, name)};
    }
    return {is_of_line ? Kind::opening : Kind::boundary, at, end, name};
}

std::vector<Token> tokens_of(std::string_view view) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < view.size()) {
        Token token;
        if (view.substr(at, 2) == "{{") {
            const std::size_t end = end_of_mustache(view, at);
            const bool is_of_line = is_value(view.substr(at, end - at));
            token = {is_of_line ? Kind::value : Kind::boundary, at, end};
        } else if (view[at] == '<') {
            token = tag_at(view, at);
        } else {
            const auto tag = std::min(view.find('<', at), view.find("{{", at));
            token = {Kind::text, at, std::min(tag, view.size())};
        }
        at = token.end;
        tokens.push_back(token);
    }
    return tokens;
}

/// Tags whose other half stands beyond a boundary end sentences, too.
void part_at_lonely_tags(std::vector<Token>& tokens) {
    std::vector<std::size_t> open;
    const auto are_boundaries = [&](const std::vector<std::size_t>& places) {
        for (const std::size_t place : places) tokens[place].kind = Kind::boundary;
    };
    for (std::size_t place = 0; place < tokens.size(); ++place) {
        Token& token = tokens[place];
        if (token.kind == Kind::boundary) {
            are_boundaries(open);
            open.clear();
        } else if (token.kind == Kind::opening) {
            open.push_back(place);
        } else if (token.kind == Kind::closing) {
            if (!open.empty() && tokens[open.back()].name == token.name) {
                open.pop_back();
            } else {
                token.kind = Kind::boundary;
            }
        }
    }
    are_boundaries(open);
}

/// Whether there are letters in the text, entities apart.
bool has_words(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '&') {
            const auto end = text.find(';', at);
            if (end != std::string_view::npos) at = end;
        } else if (is_letter(text[at])) {
            return true;
        }
    }
    return false;
}

std::string with_single_spaces(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (!is_blank(c)) {
            result += c;
        } else if (result.empty() || result.back() != ' ') {
            result += ' ';
        }
    }
    return result;
}

using Run = std::vector<Token>;

void trim_blanks(std::string_view view, Run& run) {
    const auto is_empty = [](const Token& token) {
        return token.kind == Kind::text && token.begin == token.end;
    };
    while (!run.empty() && run.front().kind == Kind::text) {
        Token& first = run.front();
        while (first.begin < first.end && is_blank(view[first.begin])) ++first.begin;
        if (!is_empty(first)) break;
        run.erase(run.begin());
    }
    while (!run.empty() && run.back().kind == Kind::text) {
        Token& last = run.back();
        while (last.begin < last.end && is_blank(view[last.end - 1])) --last.end;
        if (!is_empty(last)) break;
        run.pop_back();
    }
}

/// Whether the first tag of the run is closed by its last one.
bool is_one_element(const Run& run) {
    if (run.size() < 2 || run.front().kind != Kind::opening) return false;
    int depth = 0;
    for (std::size_t place = 0; place < run.size(); ++place) {
        if (run[place].kind == Kind::opening) ++depth;
        if (run[place].kind == Kind::closing && --depth == 0) return place + 1 == run.size();
    }
    return false;
}

std::optional<Segment> segment_of(std::string_view view, Run run) {
    trim_blanks(view, run);
    while (is_one_element(run)) {
        run.erase(run.begin());
        run.pop_back();
        trim_blanks(view, run);
    }
    const auto text_of = [&](const Token& token) {
        return view.substr(token.begin, token.end - token.begin);
    };
    const bool is_for_readers = std::any_of(run.begin(), run.end(), [&](const Token& token) {
        return token.kind == Kind::text && has_words(text_of(token));
    });
    if (!is_for_readers) return std::nullopt;
    Segment segment;
    segment.begin = run.front().begin;
    segment.end = run.back().end;
    std::vector<std::size_t> open;
    for (const Token& token : run) {
        const std::string piece(text_of(token));
        if (token.kind == Kind::opening) {
            segment.elements.emplace_back(piece, "");
            open.push_back(segment.elements.size());
            segment.text += "<" + std::to_string(open.back()) + ">";
        } else if (token.kind == Kind::closing) {
            segment.elements[open.back() - 1].second = piece;
            segment.text += "</" + std::to_string(open.back()) + ">";
            open.pop_back();
        } else if (token.kind == Kind::whole) {
            segment.elements.emplace_back(piece, "");
            segment.text += "<" + std::to_string(segment.elements.size()) + "/>";
        } else {
            segment.text += piece;
        }
    }
    segment.text = with_single_spaces(segment.text);
    return segment;
}

/// The value of the attribute that begins at `at`, up to `end` or its quotation mark: sections end
/// sentences here, too.
void add_value(std::string_view view, std::size_t at, std::size_t end,
               std::vector<Segment>& segments) {
    Run run;
    const auto end_run = [&] {
        if (auto segment = segment_of(view, run)) segments.push_back(*std::move(segment));
        run.clear();
    };
    while (at < end && view[at] != '"') {
        Token token{Kind::text, at, std::min(view.find('"', at), view.find("{{", at))};
        if (view.substr(at, 2) == "{{") {
            token.end = end_of_mustache(view, at);
            token.kind = is_value(view.substr(at, token.end - at)) ? Kind::value : Kind::boundary;
        }
        at = token.end;
        if (token.kind == Kind::boundary)
            end_run();
        else
            run.push_back(token);
    }
    end_run();
}

/// What the attributes of all tags say.
std::vector<Segment> values_of(std::string_view view) {
    std::vector<Segment> segments;
    for (const Token& tag : tokens_of(view)) {
        if (view[tag.begin] != '<' || tag.kind == Kind::closing) continue;
        for (const std::string_view name : attributes_with_words) {
            const std::string start = " " + std::string(name) + "=\"";
            for (auto at = view.find(start, tag.begin); at < tag.end;
                 at = view.find(start, at + 1)) {
                add_value(view, at + start.size(), tag.end, segments);
            }
        }
    }
    return segments;
}

/// What stands between the tags.
std::vector<Segment> sentences_of(std::string_view view) {
    std::vector<Token> tokens = tokens_of(view);
    part_at_lonely_tags(tokens);
    std::vector<Segment> segments;
    Run run;
    const auto end_run = [&] {
        if (auto segment = segment_of(view, run)) segments.push_back(*std::move(segment));
        run.clear();
    };
    for (const Token& token : tokens) {
        if (token.kind == Kind::boundary)
            end_run();
        else
            run.push_back(token);
    }
    end_run();
    return segments;
}

/// The values and elements in a text: "{{name}}", "<1>", "</1>", "<2/>".
std::multiset<std::string> marks_in(std::string_view text) {
    std::multiset<std::string> marks;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_mustache = text.substr(at, 2) == "{{";
        if (!is_mustache && text[at] != '<') continue;
        const auto end = is_mustache ? end_of_mustache(text, at) : text.find('>', at) + 1;
        if (end == 0) throw std::runtime_error("'<' without '>' in: " + std::string(text));
        marks.emplace(text.substr(at, end - at));
        at = end - 1;
    }
    return marks;
}

void in_order(std::vector<Segment>& segments) {
    std::sort(segments.begin(), segments.end(),
              [](const Segment& one, const Segment& other) { return one.begin < other.begin; });
}

std::string in_view(const Segment& segment, const std::string& translation) {
    if (marks_in(segment.text) != marks_in(translation)) {
        throw std::runtime_error("the translation of \"" + segment.text +
                                 "\" has other values or elements: \"" + translation + "\"");
    }
    std::string result = translation;
    const auto put = [&result](const std::string& sign, const std::string& piece) {
        if (const auto at = result.find(sign); at != std::string::npos) {
            result.replace(at, sign.size(), piece);
        }
    };
    for (std::size_t number = segment.elements.size(); number > 0; --number) {
        const auto& [first, second] = segment.elements[number - 1];
        const std::string digits = std::to_string(number);
        put("<" + digits + (second.empty() ? "/>" : ">"), first);
        put("</" + digits + ">", second);
    }
    return result;
}

using Translate = std::function<std::string(const std::string&)>;

std::string replaced(std::string_view view, std::vector<Segment> segments,
                     const Translate& translate) {
    in_order(segments);
    std::string result;
    std::size_t at = 0;
    for (const Segment& segment : segments) {
        result.append(view, at, segment.begin - at);
        result += in_view(segment, translate(segment.text));
        at = segment.end;
    }
    return result.append(view, at);
}

}  // namespace

std::vector<Segment> segments_of(std::string_view view) {
    std::vector<Segment> segments = sentences_of(view);
    for (Segment& value : values_of(view)) segments.push_back(std::move(value));
    in_order(segments);
    return segments;
}

std::string with_translations(std::string_view view, const Translate& translate) {
    // A sentence has the tags within it as they are, so what their attributes say comes first.
    const std::string with_values = replaced(view, values_of(view), translate);
    return replaced(with_values, sentences_of(with_values), translate);
}

}  // namespace fcgi::views
