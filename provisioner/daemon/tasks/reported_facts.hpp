#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"

namespace provisioner::daemon {

/// Collects reported facts from the standard output of steps: lines "cooperage-fact <name> <JSON>".
/// For one turn at a task; its facts become those of queue::Succeeded.
///
/// Only expected names count: a node must not be able to change the facts by which a provider
/// identifies its machine. The last line for a name wins. A line with another name, without valid
/// JSON, or longer than 64 KiB is ordinary output. A last line without a newline is not read.
class ReportedFacts {
 public:
    /// Begins the next step, which may report `names` (remote::Run::facts). Facts of earlier steps
    /// are kept; a line that has not ended is dropped.
    void expect(const std::vector<std::string>& names);

    /// The next piece of the step's standard output, of any size. Cheap when no names are expected.
    void add(std::string_view text);

    /// All facts so far as a JSON object; empty when none was reported.
    const base::Json& facts() const { return facts_; }

 private:
    void take_line();

    std::vector<std::string> names_;
    /// The line that has not ended, cut to one byte more than the longest line.
    std::string line_;
    base::Json facts_ = base::Json::object();
};

}  // namespace provisioner::daemon
