#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace provisioner::daemon {

/// A text that is looked for in others, in a time that grows with the length of those whatever both
/// are like: nodes print what they want, so a search must not have bad cases. Source: Knuth,
/// Morris, Pratt, "Fast pattern matching in strings" (1977).
class Pattern {
 public:
    explicit Pattern(std::string text);

    const std::string& text() const { return text_; }

    /// The first place at or after `from` where the pattern is in `text`; npos without one, and for
    /// an empty pattern.
    std::size_t find_in(std::string_view text, std::size_t from = 0) const;

    /// Adds every place of the pattern in `text` to `places`, {begin, end}, overlapping ones, too.
    void add_all_in(std::string_view text,
                    std::vector<std::pair<std::size_t, std::size_t>>& places) const;

    /// How many bytes at the end of a text begin the pattern, after one more byte: `begun` is the
    /// number before it, at most all bytes of the pattern.
    std::size_t after(std::size_t begun, char next) const;

    /// How many bytes at the end of the pattern begin it, all of it left out.
    std::size_t end_of_whole() const { return shorter_.back(); }

 private:
    std::string text_;
    /// For each number of bytes, the longest shorter beginning that they end with.
    std::vector<std::size_t> shorter_;
};

}  // namespace provisioner::daemon
