#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi::pages {

/// How a terminal draws a character. Colours are 0 to 15 (8 to 15 are the bright ones), -1 is the
/// terminal's own.
struct TerminalStyle {
    std::int8_t ink = -1;
    std::int8_t ground = -1;
    bool bold = false;
    bool faint = false;
    bool italic = false;
    bool underlined = false;
    bool inverse = false;

    bool operator==(const TerminalStyle&) const = default;
};

/// Characters of one style, in UTF-8.
struct TerminalSpan {
    std::string text{};
    TerminalStyle style{};

    bool operator==(const TerminalSpan&) const = default;
};

/// The colour of the 16 that is nearest to a red, green and blue of 0 to 255 each.
std::int8_t nearest_colour(int red, int green, int blue);

/// What a terminal shows of a line that is printed to it, byte by byte. Pure.
///
/// * Characters stand where the cursor is. A carriage return and a backspace move it back, so what
/// is
///   printed later stands over what was there. CSI K erases.
/// * CSI m (SGR) sets the style: bold, faint, italic, underlined, inverse, the 16 colours, and the
///   nearest of them to a colour of 256 or of RGB.
/// * All other escape sequences and control characters are left out, and never shown as text. One
///   that does not end ends with the line.
/// * What is no UTF-8, and characters that change the order of text (bidirectional controls), are
///   U+FFFD.
///
/// A sequence or character may begin in one piece of output and end in the next. The work grows
/// with the bytes, whatever they are: erasing costs nothing until the line is read.
class TerminalLine {
 public:
    /// Keeps the first `longest` characters of a line and counts the others.
    explicit TerminalLine(std::size_t longest) : longest_(longest) {}

    /// Takes one byte; true when it ends the line. Read the line then, and call next().
    bool take(char byte);
    /// Whether anything stands in the line, or stood there.
    bool has_begun() const { return begun_; }
    /// The line so far.
    std::vector<TerminalSpan> spans() const;
    /// Characters that were cut off.
    std::size_t cut() const { return cut_; }
    /// Empties the line. The style and a sequence under way stay.
    void next();

 private:
    struct Cell {
        char32_t character = U' ';
        TerminalStyle style{};
        /// How often something was erased before it was written.
        std::uint32_t written_after = 0;
    };
    /// The cells before or from `edge` on were erased.
    struct Erasure {
        std::size_t edge;
        /// How many erasures there were with this one.
        std::uint32_t number;
    };
    enum class State { text, escape, intermediate, control, string, string_escape };

    /// Each takes one character in that state; true when the line ends.
    bool take_character(char32_t character);
    void take_in_sequence(char32_t character);
    void control_character(char32_t character);
    void put(char32_t character);
    /// The sequence CSI `parameters_` `final`.
    void end_control(char32_t final);
    void erase();
    void erase_from(std::size_t column);
    void erase_before(std::size_t column);
    void set_style();

    std::size_t longest_;
    /// The first `size_` are the line. What lies behind was there before it was erased.
    std::vector<Cell> cells_{};
    std::size_t size_ = 0;
    std::uint32_t erasures_ = 0;
    /// Those that no later one covers: the edges ascend in `erased_from_` and descend in
    /// `erased_before_`, and the latest is at the end of both.
    std::vector<Erasure> erased_from_{};
    std::vector<Erasure> erased_before_{};
    std::size_t column_ = 0;
    std::size_t cut_ = 0;
    bool begun_ = false;
    TerminalStyle style_{};
    State state_ = State::text;
    /// Of a CSI sequence, with its private and intermediate characters.
    std::string parameters_{};
    /// Of a character of several bytes: its value so far, the bytes that lack, the least value that
    /// may have this length.
    char32_t partial_ = 0;
    int lacking_ = 0;
    char32_t least_ = 0;
};

}  // namespace fcgi::pages
