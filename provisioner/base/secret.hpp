#pragma once

#include <ostream>
#include <string>
#include <utility>

namespace provisioner::base {

/// Text that must not reach logs, pages or error messages: a password, token or key. Holders are
/// request structs, configurations and the vault.
///
/// A distinct type makes each use visible. Nothing converts to it or from it implicitly, and
/// streams print "[secret]". It is not protected in memory: copies are ordinary strings and are not
/// wiped.
class Secret {
 public:
    Secret() = default;
    /// Takes the text over; move it in, so that no other copy stays.
    explicit Secret(std::string text) : text_(std::move(text)) {}

    /// The text itself. Callers pass it on to a library or hash it, and must not log or format it.
    const std::string& reveal() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// Not in constant time. Compare tokens by hash, or as csrf_token_matches() does.
    bool operator==(const Secret&) const = default;

    friend std::ostream& operator<<(std::ostream& out, const Secret&) { return out << "[secret]"; }

 private:
    std::string text_;
};

}  // namespace provisioner::base
