#pragma once

#include <ostream>
#include <string>
#include <utility>

namespace provisioner::base {

/// Text that must not be seen: it prints as "[secret]" and has to be asked for by name.
class Secret {
 public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}

    const std::string& reveal() const { return text_; }
    bool empty() const { return text_.empty(); }
    bool operator==(const Secret&) const = default;

    friend std::ostream& operator<<(std::ostream& out, const Secret&) { return out << "[secret]"; }

 private:
    std::string text_;
};

}  // namespace provisioner::base
