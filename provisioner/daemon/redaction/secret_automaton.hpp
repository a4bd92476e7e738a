#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace provisioner::daemon {

/// Looks for several texts at once, byte by byte, in a time that grows with the bytes read alone,
/// whatever they and the texts are like: nodes print what they want, so a search must not have bad
/// cases. Some 24 bytes of memory for each byte of the texts. Immutable, so it may be shared.
/// Source: Aho, Corasick, "Efficient string matching" (1975).
class SecretAutomaton {
 public:
    /// What was read so far. Begins with 0.
    using State = std::uint32_t;

    /// Empty texts are ignored. Throws std::length_error for texts of 4 GiB together.
    explicit SecretAutomaton(std::vector<std::string> texts);

    /// The state after one more byte.
    State after(State state, char next) const;

    /// How many bytes the longest text has that ends with the byte read last; 0 for none.
    std::size_t longest_end(State state) const { return ends_[state]; }

    /// How many of the bytes read last may begin a text that is not complete yet.
    std::size_t begun(State state) const { return begun_[state]; }

 private:
    /// The state after `next` without a look at shorter endings; 0 if there is none.
    State child(State state, char next) const;

    // Of each state: children are next to each other, in the order of their bytes.
    std::vector<unsigned char> byte_;
    std::vector<State> first_child_;
    std::vector<std::uint32_t> children_;
    /// The state of the longest shorter ending that begins a text.
    std::vector<State> shorter_;
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint32_t> begun_;
};

/// The automaton that masks these secrets: it finds each one, a secret without the blanks at its
/// ends, and of a secret of several lines the same with other line ends and each line of at least
/// shortest_line bytes, because terminals and tools change line ends. Who asks with the same
/// secrets gets the same automaton as long as somebody has it or it is among the last ones that
/// were asked for: making one costs some 100 ns for each byte, and a turn of a task begins many
/// times a second. From any thread.
std::shared_ptr<const SecretAutomaton> automaton_of(const std::vector<std::string>& secrets);

inline constexpr std::size_t shortest_line = 16;

}  // namespace provisioner::daemon
