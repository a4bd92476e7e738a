#pragma once

#include <string>
#include <string_view>

namespace provisioner::daemon {

/// Keeps the end of a stream of text.
class Tail {
 public:
    /// `limit` in characters. Source: the wire contract keeps 2048 of each stream of a failed
    /// action.
    explicit Tail(std::size_t limit = 2048) : limit_(limit) {}

    void add(std::string_view text);

    /// The last characters, after "[snipped]" if any were cut.
    std::string text() const;

    /// The last line that is not blank; empty if there is none.
    std::string last_line() const;

 private:
    std::size_t limit_;
    std::string kept_;
    bool cut_ = false;
};

}  // namespace provisioner::daemon
