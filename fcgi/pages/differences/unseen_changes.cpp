#include "fcgi/pages/differences/unseen_changes.hpp"

#include <string_view>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// How the lines of a text end.
struct LineEnds {
    std::size_t all = 0;
    /// Those with CR LF.
    std::size_t windows = 0;

    bool are_windows() const { return all > 0 && windows == all; }
};

LineEnds ends_of(const std::string& text) {
    LineEnds ends;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n') continue;
        ++ends.all;
        ends.windows += i > 0 && text[i - 1] == '\r' ? 1 : 0;
    }
    return ends;
}

/// What became of the ends of lines where they are others; empty otherwise.
std::string words_on_line_ends(const LineEnds& before, const LineEnds& after) {
    if (before.windows == 0 && after.are_windows() && before.all > 0) {
        return translated("Line ends changed from LF to CR LF in all lines");
    }
    if (before.are_windows() && after.windows == 0 && after.all > 0) {
        return translated("Line ends changed from CR LF to LF in all lines");
    }
    const bool are_mixed = (before.windows > 0 && !before.are_windows()) ||
                           (after.windows > 0 && !after.are_windows());
    if (!are_mixed || before.windows == after.windows) return "";
    return translated("Lines that end with CR LF before: {0}, after: {1}", grouped(before.windows),
                      grouped(after.windows));
}

}  // namespace

std::size_t windows_ends(const std::string& text) {
    return ends_of(text).windows;
}

bool have_same_line_ends(const std::string& before, const std::string& after) {
    const auto inner = [](std::string_view text) {
        if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
        if (text.ends_with('\n')) text.remove_suffix(1);
        if (text.ends_with('\r')) text.remove_suffix(1);
        return text;
    };
    return inner(before) == inner(after);
}

std::string with_plain_ends(const std::string& text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
         i < text.size(); ++i) {
        const bool is_end = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (!is_end) plain += text[i];
    }
    return plain;
}

std::vector<std::string> words_on_unseen_changes(const std::string& before,
                                                 const std::string& after) {
    auto words = words_on_ends_of_text(before, after);
    auto ends = words_on_line_ends(ends_of(before), ends_of(after));
    if (!ends.empty()) words.insert(words.begin(), std::move(ends));
    return words;
}

std::vector<std::string> words_on_ends_of_text(const std::string& before,
                                               const std::string& after) {
    std::vector<std::string> words;
    const bool is_marked = after.starts_with(byte_order_mark);
    if (before.starts_with(byte_order_mark) != is_marked) {
        words.push_back(is_marked ? translated("A byte order mark was added")
                                  : translated("A byte order mark was removed"));
    }
    const bool has_end = after.ends_with('\n');
    // Of a text that is new, or gone, its lines say all.
    if (!before.empty() && !after.empty() && before.ends_with('\n') != has_end) {
        words.push_back(has_end ? translated("A newline was added at the end")
                                : translated("The newline at the end was removed"));
    }
    return words;
}

}  // namespace fcgi::pages
