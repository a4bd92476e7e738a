#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// Keeps the last 2000 bytes of a command's output, for the message of a failure. What a command
/// prints last usually names the cause, and a node could print without end.
class Complaint {
 public:
    /// Appends output and drops the oldest bytes beyond the limit.
    void add(std::string_view piece);

    /// "exit code 1, disk full"; "exit code 1" when nothing was printed. Blanks and line ends at
    /// the end of the text are left out.
    std::string with_exit_code(int code) const;

 private:
    std::string text_;
};

}  // namespace provisioner::remote
