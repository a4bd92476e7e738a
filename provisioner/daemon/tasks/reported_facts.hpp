#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"

namespace provisioner::daemon {

/// What steps tell of their node among what they print: lines "cooperage-fact <name> <JSON>" of
/// names that are expected. The last word on a name holds; a line that is no JSON, or longer than
/// 64 KiB, is only output.
class ReportedFacts {
 public:
    /// The names the next step may tell.
    void expect(const std::vector<std::string>& names);

    /// More of the step's standard output, in pieces as they come.
    void add(std::string_view text);

    /// Everything that was told; an empty object if nothing was.
    const base::Json& facts() const { return facts_; }

 private:
    void take_line();

    std::vector<std::string> names_;
    /// The line that has not ended yet.
    std::string line_;
    base::Json facts_ = base::Json::object();
};

}  // namespace provisioner::daemon
