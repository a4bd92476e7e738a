#include "provisioner/daemon/tasks/tail.hpp"

#include "provisioner/base/utf8.hpp"

namespace provisioner::daemon {

void Tail::add(std::string_view text) {
    kept_ += text;
    if (kept_.size() <= limit_) return;
    kept_.erase(0, kept_.size() - base::utf8_suffix(kept_, limit_).size());
    cut_ = true;
}

std::string Tail::text() const {
    return cut_ ? "[snipped]" + kept_ : kept_;
}

std::string Tail::last_line() const {
    const auto last = kept_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return "";
    const auto before = kept_.find_last_of("\r\n", last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    return kept_.substr(first, last - first + 1);
}

}  // namespace provisioner::daemon
