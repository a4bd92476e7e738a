#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "provisioner/daemon/redaction/secret_automaton.hpp"

namespace provisioner::daemon {

/// Least bytes of a secret that is masked in place. A shorter one occurs in ordinary words by
/// chance; a mask there would reveal it by the letters around it.
inline constexpr std::size_t shortest_replaced = 4;

/// One stream of output on its way to people, with secrets masked. Only the bytes that may begin a
/// secret stay here: what is masked for certain is dropped at once, also the middle of a run of
/// overlapping secrets that does not end.
class MaskedStream {
 public:
    /// Reads a piece of the stream. `secrets` are the same each time.
    void read(const SecretAutomaton& secrets, std::string_view piece);

    /// What can be shown of what was read: all that no secret can begin in any more. A mask stands
    /// for each run of secrets that overlap. Is nothing but a mask if it holds (a part of) a secret
    /// shorter than shortest_replaced.
    std::string shown(const SecretAutomaton& secrets);

    /// The same of all that was read, because nothing follows.
    std::string rest();

    /// How many bytes were read and neither shown nor masked.
    std::size_t kept_back() const { return text_.size(); }

 private:
    /// Bytes of the stream, counted from its beginning: [begin, end).
    struct Run {
        std::size_t begin;
        std::size_t end;
    };

    void note_end(std::size_t size);
    std::string shown_to(std::size_t limit);
    bool has_short_one(std::size_t limit, std::size_t masked_before,
                       const std::deque<Run>& masked) const;

    SecretAutomaton::State state_ = 0;
    /// How much was read, and how much of that was shown, masked or dropped.
    std::size_t read_ = 0;
    std::size_t done_ = 0;
    /// The bytes from done_ to read_.
    std::string text_;
    /// Runs of secrets from done_ on, in order; no two overlap.
    std::deque<Run> runs_;
    /// Secrets shorter than shortest_replaced that are not over yet, in the order of their ends.
    std::deque<Run> short_ones_;
    /// The end of the run that was masked last. It grows when another secret overlaps it.
    std::size_t masked_until_ = 0;
};

}  // namespace provisioner::daemon
