#include "fcgi/pages/jobs/terminal.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace fcgi::pages {

namespace {

constexpr char32_t replacement = U'\uFFFD';
constexpr std::size_t longest_parameters = 256;

struct Rgb {
    int red;
    int green;
    int blue;
};

/// The 16 colours as xterm has them: what is nearest is compared with these.
constexpr std::array<Rgb, 16> xterm{{{0, 0, 0},
                                     {205, 0, 0},
                                     {0, 205, 0},
                                     {205, 205, 0},
                                     {0, 0, 238},
                                     {205, 0, 205},
                                     {0, 205, 205},
                                     {229, 229, 229},
                                     {127, 127, 127},
                                     {255, 0, 0},
                                     {0, 255, 0},
                                     {255, 255, 0},
                                     {92, 92, 255},
                                     {255, 0, 255},
                                     {0, 255, 255},
                                     {255, 255, 255}}};

/// A colour of the 256: the 16, a cube of 6 x 6 x 6, and 24 greys.
std::int8_t colour_of_256(int number) {
    if (number < 16) return static_cast<std::int8_t>(number);
    if (number >= 232) {
        const int grey = 8 + (number - 232) * 10;
        return nearest_colour(grey, grey, grey);
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
    const int in_cube = number - 16;
    return nearest_colour(level(in_cube / 36), level(in_cube / 6 % 6), level(in_cube % 6));
}

/// The numbers between ";" and ":"; an empty one is 0. Numbers above 65535 count as that.
std::vector<int> numbers_in(const std::string& parameters) {
    std::vector<int> numbers{0};
    for (const char c : parameters) {
        if (c == ';' || c == ':') {
            numbers.push_back(0);
        } else if (c >= '0' && c <= '9') {
            numbers.back() = std::min(65535, numbers.back() * 10 + (c - '0'));
        }
    }
    return numbers;
}

/// Reads what follows 38, 48 or 58 at `at`, and moves `at` to the last of it.
std::optional<std::int8_t> extended_colour(const std::vector<int>& numbers, std::size_t& at,
                                           bool has_colons) {
    const auto number = [&](std::size_t ahead) {
        return at + ahead < numbers.size() ? numbers[at + ahead] : 0;
    };
    const int kind = number(1);
    std::optional<std::int8_t> colour;
    std::size_t taken = 1;
    if (kind == 5) {
        if (number(2) <= 255) colour = colour_of_256(number(2));
        taken = 2;
    } else if (kind == 2) {
        // 38:2::r:g:b has the number of a colour space before the colours.
        const std::size_t first = has_colons && numbers.size() - at > 5 ? 3 : 2;
        if (std::max({number(first), number(first + 1), number(first + 2)}) <= 255) {
            colour = nearest_colour(number(first), number(first + 1), number(first + 2));
        }
        taken = first + 2;
    }
    at += taken;
    return colour;
}

bool changes_order(char32_t character) {
    return (character >= 0x202A && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

void append_utf8(std::string& text, char32_t character) {
    const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
    if (character < 0x80) {
        byte(character);
    } else if (character < 0x800) {
        byte(0xC0 | (character >> 6));
        byte(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        byte(0xE0 | (character >> 12));
        byte(0x80 | ((character >> 6) & 0x3F));
        byte(0x80 | (character & 0x3F));
    } else {
        byte(0xF0 | (character >> 18));
        byte(0x80 | ((character >> 12) & 0x3F));
        byte(0x80 | ((character >> 6) & 0x3F));
        byte(0x80 | (character & 0x3F));
    }
}

}  // namespace

std::int8_t nearest_colour(int red, int green, int blue) {
    int best = std::numeric_limits<int>::max();
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < xterm.size(); ++i) {
        const int r = xterm[i].red - red;
        const int g = xterm[i].green - green;
        const int b = xterm[i].blue - blue;
        const int distance = r * r + g * g + b * b;
        if (distance >= best) continue;
        best = distance;
        nearest = i;
    }
    return static_cast<std::int8_t>(nearest);
}

bool TerminalLine::take(char byte) {
    const auto value = static_cast<unsigned char>(byte);
    if (lacking_ > 0) {
        if ((value & 0xC0) == 0x80) {
            partial_ = (partial_ << 6) | (value & 0x3F);
            if (--lacking_ > 0) return false;
            const bool is_valid = partial_ >= least_ && partial_ <= 0x10FFFF &&
                                  (partial_ < 0xD800 || partial_ > 0xDFFF);
            return take_character(is_valid ? partial_ : replacement);
        }
        lacking_ = 0;
        take_character(replacement);
    }
    if (value < 0x80) return take_character(value);
    const auto begin = [&](int lacking, char32_t bits, char32_t least) {
        lacking_ = lacking;
        partial_ = bits;
        least_ = least;
        return false;
    };
    if ((value & 0xE0) == 0xC0) return begin(1, value & 0x1F, 0x80);
    if ((value & 0xF0) == 0xE0) return begin(2, value & 0x0F, 0x800);
    if ((value & 0xF8) == 0xF0) return begin(3, value & 0x07, 0x10000);
    return take_character(replacement);
}

bool TerminalLine::take_character(char32_t character) {
    if (character == U'\n') {
        state_ = State::text;
        return true;
    }
    if (state_ != State::text) {
        take_in_sequence(character);
    } else if (character < 0x20 || (character >= 0x7F && character < 0xA0)) {
        control_character(character);
    } else {
        put(changes_order(character) ? replacement : character);
    }
    return false;
}

void TerminalLine::take_in_sequence(char32_t character) {
    const bool is_intermediate = character >= 0x20 && character <= 0x2F;
    if (character == 0x18 || character == 0x1A) {  // cancelled
        state_ = State::text;
        return;
    }
    if (state_ == State::string || state_ == State::string_escape) {
        const bool ends = character == 0x07 || character == 0x9C ||
                          (state_ == State::string_escape && character == U'\\');
        state_ = ends ? State::text : character == 0x1B ? State::string_escape : State::string;
        return;
    }
    if (character == 0x1B) {
        state_ = State::escape;
        return;
    }
    if (character < 0x20) return control_character(character);
    switch (state_) {
        case State::escape:
            parameters_.clear();
            if (character == U'[') {
                state_ = State::control;
            } else if (character == U']' || character == U'P' || character == U'X' ||
                       character == U'^' || character == U'_') {
                state_ = State::string;
            } else {
                state_ = is_intermediate ? State::intermediate : State::text;
            }
            return;
        case State::intermediate:
            if (!is_intermediate) state_ = State::text;
            return;
        default:
            if (character >= 0x40 && character <= 0x7E) return end_control(character);
            if (character > 0x7E) {
                state_ = State::text;
            } else if (parameters_.size() < longest_parameters) {
                parameters_ += static_cast<char>(character);
            }
            return;
    }
}

void TerminalLine::control_character(char32_t character) {
    switch (character) {
        case U'\r':
            column_ = 0;
            return;
        case U'\b':
            column_ -= column_ > 0 ? 1 : 0;
            return;
        case U'\t':
            return put(character);
        case 0x1B:
            state_ = State::escape;
            return;
        case 0x9B:
            parameters_.clear();
            state_ = State::control;
            return;
        case 0x90:
        case 0x98:
        case 0x9D:
        case 0x9E:
        case 0x9F:
            state_ = State::string;
            return;
        default:
            return;
    }
}

void TerminalLine::put(char32_t character) {
    begun_ = true;
    const std::size_t at = column_++;
    if (at >= longest_) {
        cut_ = std::max(cut_, at + 1 - longest_);
        return;
    }
    if (at >= cells_.size()) cells_.resize(at + 1);
    size_ = std::max(size_, at + 1);
    cells_[at] = {character, style_, erasures_};
}

void TerminalLine::end_control(char32_t final) {
    state_ = State::text;
    const bool is_plain = std::ranges::all_of(
        parameters_, [](char c) { return (c >= '0' && c <= '9') || c == ';' || c == ':'; });
    if (!is_plain) return;
    if (final == U'm') set_style();
    if (final == U'K') erase();
}

void TerminalLine::erase() {
    const int what = numbers_in(parameters_).front();
    if (what == 0) erase_from(column_);
    if (what == 1) erase_before(column_ + 1);
    if (what == 2) erase_from(0);
}

void TerminalLine::erase_from(std::size_t column) {
    size_ = std::min(size_, column);
    cut_ = 0;
    while (!erased_from_.empty() && erased_from_.back().edge >= column) erased_from_.pop_back();
    erased_from_.push_back({column, ++erasures_});
}

void TerminalLine::erase_before(std::size_t column) {
    while (!erased_before_.empty() && erased_before_.back().edge <= column) {
        erased_before_.pop_back();
    }
    erased_before_.push_back({column, ++erasures_});
}

void TerminalLine::set_style() {
    const auto numbers = numbers_in(parameters_);
    const bool has_colons = parameters_.find(':') != std::string::npos;
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const int number = numbers[at];
        const auto colour = [&](int first) { return static_cast<std::int8_t>(number - first); };
        if (number == 0) style_ = {};
        if (number == 1) style_.bold = true;
        if (number == 2) style_.faint = true;
        if (number == 3) style_.italic = true;
        if (number == 4) {
            // 4:0 is not underlined, 4:3 is curly.
            const bool has_kind = has_colons && at + 1 < numbers.size();
            style_.underlined = !has_kind || numbers[at + 1] != 0;
            if (has_kind) ++at;
        }
        if (number == 7) style_.inverse = true;
        if (number == 21) style_.underlined = true;
        if (number == 22) style_.bold = style_.faint = false;
        if (number == 23) style_.italic = false;
        if (number == 24) style_.underlined = false;
        if (number == 27) style_.inverse = false;
        if (number >= 30 && number <= 37) style_.ink = colour(30);
        if (number == 39) style_.ink = -1;
        if (number >= 40 && number <= 47) style_.ground = colour(40);
        if (number == 49) style_.ground = -1;
        if (number >= 90 && number <= 97) style_.ink = colour(82);
        if (number >= 100 && number <= 107) style_.ground = colour(92);
        if (number != 38 && number != 48 && number != 58) continue;
        const auto extended = extended_colour(numbers, at, has_colons);
        if (extended && number == 38) style_.ink = *extended;
        if (extended && number == 48) style_.ground = *extended;
    }
}

std::vector<TerminalSpan> TerminalLine::spans() const {
    std::vector<TerminalSpan> spans;
    // The latest erasure of each kind that reaches the cell: in both lists one moves to the right.
    std::size_t from = 0;
    std::size_t before = erased_before_.size();
    const Cell blank;
    for (std::size_t i = 0; i < size_; ++i) {
        while (from < erased_from_.size() && erased_from_[from].edge <= i) ++from;
        while (before > 0 && erased_before_[before - 1].edge <= i) --before;
        const std::uint32_t erased = std::max(from > 0 ? erased_from_[from - 1].number : 0,
                                              before > 0 ? erased_before_[before - 1].number : 0);
        const Cell& cell = erased > cells_[i].written_after ? blank : cells_[i];
        if (spans.empty() || spans.back().style != cell.style) {
            spans.push_back({.text = "", .style = cell.style});
        }
        append_utf8(spans.back().text, cell.character);
    }
    return spans;
}

void TerminalLine::next() {
    cells_.clear();
    size_ = 0;
    erasures_ = 0;
    erased_from_.clear();
    erased_before_.clear();
    column_ = 0;
    cut_ = 0;
    begun_ = false;
}

}  // namespace fcgi::pages
