#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// Collects the end of what a command complains of.
class Complaint {
 public:
    void add(std::string_view piece);

    /// "exit code 1, disk full": without line ends at its end.
    std::string with_exit_code(int code) const;

 private:
    std::string text_;
};

}  // namespace provisioner::remote
