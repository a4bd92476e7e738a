#include "fcgi/http/lenient_json.hpp"

#include <charconv>
#include <cstdint>
#include <string>

#include "provisioner/base/words.hpp"

namespace fcgi::http {

using provisioner::base::Json;

namespace {

constexpr std::string_view blanks = " \t\r\n\f";
constexpr std::string_view ends_of_bare_word = " \t\r\n\f/\\;#={}[]:,\"'";
/// Of names, each with all before it in its object: half a second. As base::parse_json() has it.
constexpr std::uint64_t most_comparisons = 200'000'000;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// A word without quotes: null, true, false and numbers keep their meaning; every other word is a
/// string.
Json value_of_bare_word(std::string_view word) {
    const std::string lowered = provisioner::base::in_small_letters(word);
    if (lowered == "null") return nullptr;
    if (lowered == "true") return true;
    if (lowered == "false") return false;
    const auto number = provisioner::base::parse_json(word);
    if (number && number->is_number()) return *number;
    return std::string(word);
}

void append_utf8(std::string& text, std::uint32_t point) {
    const auto tail = [](std::uint32_t bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
    if (point < 0x80) {
        text += static_cast<char>(point);
    } else if (point < 0x800) {
        text += {static_cast<char>(0xC0 | (point >> 6)), tail(point)};
    } else if (point < 0x10000) {
        text += {static_cast<char>(0xE0 | (point >> 12)), tail(point >> 6), tail(point)};
    } else {
        text += {static_cast<char>(0xF0 | (point >> 18)), tail(point >> 12), tail(point >> 6),
                 tail(point)};
    }
}

class Reader {
 public:
    Reader(std::string_view text, int depth_limit, std::size_t most_values)
        : text_(text), depth_left_(depth_limit), most_values_(most_values) {
        if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    }

    Json document() {
        Json value = read_value();
        skip_blanks_and_comments();
        if (at_ < text_.size()) fail("unexpected text after the value");
        return value;
    }

 private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw JsonSyntaxError(reason + " at byte " + std::to_string(at_));
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char c) {
        if (peek() != c || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    void skip_blanks_and_comments() {
        for (;;) {
            at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
            const std::string_view rest = text_.substr(at_);
            if (rest.starts_with("//") || rest.starts_with('#')) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const auto end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) fail("a comment that does not end");
                at_ = end + 2;
            } else {
                return;
            }
        }
    }

    Json read_value() {
        skip_blanks_and_comments();
        if (at_ == text_.size()) fail("a value is missing");
        if (++values_ > most_values_) {
            fail("more than " + std::to_string(most_values_) + " values");
        }
        switch (peek()) {
            case '{':
                return nested(&Reader::read_members);
            case '[':
                return nested(&Reader::read_elements);
            case '"':
            case '\'':
                return read_quoted();
            default:
                return value_of_bare_word(read_bare_word());
        }
    }

    Json nested(Json (Reader::*read_inside)()) {
        if (depth_left_ == 0) fail("nested too deeply");
        --depth_left_;
        ++at_;
        Json value = (this->*read_inside)();
        ++depth_left_;
        return value;
    }

    Json read_members() {
        Json object = Json::object();
        skip_blanks_and_comments();
        if (take('}')) return object;
        do {
            std::string name = read_name();
            skip_blanks_and_comments();
            if (!take(':') && !take_equals()) fail("a colon is missing");
            comparisons_ += object.size();
            if (comparisons_ > most_comparisons) fail("the objects have too many members");
            object[std::move(name)] = read_value();
            skip_blanks_and_comments();
        } while (take(',') || take(';'));
        if (!take('}')) fail("a comma or } is missing");
        return object;
    }

    bool take_equals() {
        if (!take('=')) return false;
        take('>');
        return true;
    }

    Json read_elements() {
        Json array = Json::array();
        skip_blanks_and_comments();
        if (take(']')) return array;
        do {
            array.push_back(read_value());
            skip_blanks_and_comments();
        } while (take(',') || take(';'));
        if (!take(']')) fail("a comma or ] is missing");
        return array;
    }

    std::string read_name() {
        skip_blanks_and_comments();
        if (peek() == '"' || peek() == '\'') return read_quoted();
        return std::string(read_bare_word());
    }

    std::string_view read_bare_word() {
        const auto end = std::min(text_.find_first_of(ends_of_bare_word, at_), text_.size());
        if (end == at_) fail("a name or value is missing");
        const std::string_view word = text_.substr(at_, end - at_);
        at_ = end;
        return word;
    }

    std::string read_quoted() {
        const char quote = text_[at_++];
        std::string content;
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\') {
                read_escape(content);
            } else {
                content += text_[at_++];
            }
        }
        if (!take(quote)) fail("a string that does not end");
        return content;
    }

    void read_escape(std::string& content) {
        constexpr std::string_view letters = "\"'\\/bfnrt\n";
        constexpr std::string_view meanings = "\"'\\/\b\f\n\r\t\n";
        ++at_;
        if (take('u')) return append_utf8(content, read_code_point());
        const auto known = letters.find(peek());
        if (at_ == text_.size() || known == std::string_view::npos) fail("an unknown escape");
        content += meanings[known];
        ++at_;
    }

    std::uint32_t read_code_point() {
        const std::uint32_t unit = read_four_digits();
        const bool high = unit >= 0xD800 && unit <= 0xDBFF;
        if (unit >= 0xDC00 && unit <= 0xDFFF) fail("half a surrogate pair");
        if (!high) return unit;
        if (!take('\\') || !take('u')) fail("half a surrogate pair");
        const std::uint32_t low = read_four_digits();
        if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
        return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }

    std::uint32_t read_four_digits() {
        std::uint32_t value = 0;
        const std::string_view digits = text_.substr(at_, 4);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() != 4 || error != std::errc{} || end != digits.data() + 4) {
            fail("\\u needs four hexadecimal digits");
        }
        at_ += 4;
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_left_;
    std::size_t most_values_;
    std::size_t values_ = 0;
    std::uint64_t comparisons_ = 0;
};

}  // namespace

Json read_lenient_json(std::string_view text, int depth_limit, std::size_t most_values) {
    return Reader(text, depth_limit, most_values).document();
}

}  // namespace fcgi::http
