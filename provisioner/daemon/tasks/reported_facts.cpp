#include "provisioner/daemon/tasks/reported_facts.hpp"

#include <algorithm>

namespace provisioner::daemon {

namespace {

constexpr std::string_view mark = "cooperage-fact ";
constexpr std::size_t longest = 65'536;

}  // namespace

void ReportedFacts::expect(const std::vector<std::string>& names) {
    names_ = names;
    line_.clear();
}

void ReportedFacts::add(std::string_view text) {
    if (names_.empty()) return;
    while (!text.empty()) {
        const auto end = text.find('\n');
        // A line that is too long is kept one byte too long, which marks it, and dropped at its
        // end.
        line_ += text.substr(0, std::min(end, longest + 1 - line_.size()));
        if (end == std::string_view::npos) return;
        if (line_.size() <= longest) take_line();
        line_.clear();
        text.remove_prefix(end + 1);
    }
}

void ReportedFacts::take_line() {
    if (!line_.starts_with(mark)) return;
    const auto blank = line_.find(' ', mark.size());
    if (blank == std::string::npos) return;
    const std::string name = line_.substr(mark.size(), blank - mark.size());
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) return;
    if (auto value = base::parse_json(line_.substr(blank + 1))) facts_[name] = *std::move(value);
}

}  // namespace provisioner::daemon
