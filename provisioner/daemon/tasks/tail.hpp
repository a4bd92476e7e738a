#pragma once

#include <string>
#include <string_view>

namespace provisioner::daemon {

/// Keeps the end of what a step prints, for the message and the tails of a failure. Holds at most
/// its limit plus the piece just added.
class Tail {
 public:
    /// `limit` in bytes. Source: the wire contract keeps 2048 characters of each stream of a failed
    /// action.
    explicit Tail(std::size_t limit = 2048) : limit_(limit) {}

    /// Appends a piece of any size, which may end inside a character.
    void add(std::string_view text);

    /// The end of the stream, after "[snipped]" when something was cut. Begins with a whole
    /// character if the stream is UTF-8.
    std::string text() const;

    /// The last line that is not blank, without blanks at its end; empty when all is blank.
    std::string last_line() const;

 private:
    std::size_t limit_;
    std::string kept_;
    bool cut_ = false;
};

}  // namespace provisioner::daemon
