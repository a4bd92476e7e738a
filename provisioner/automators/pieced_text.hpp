#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "provisioner/automators/shared_values.hpp"

namespace provisioner::automators {

/// A text whose large parts are shared with other tasks: it costs what is its own.
class PiecedText {
 public:
    using Shared = std::shared_ptr<const SharedText>;
    /// Text of its own, or shared.
    using Piece = std::variant<std::string, Shared>;

    PiecedText() = default;
    PiecedText(std::string own) { add(own); }
    PiecedText(const char* own) { add(std::string_view(own)); }

    void add(std::string_view own);
    /// A small one becomes text of its own: bringing it by itself would cost more.
    void add(Shared shared);

    /// Own texts and shared ones in turn, none of them empty.
    const std::vector<Piece>& pieces() const { return pieces_; }

    /// Bytes of the whole.
    std::size_t size() const;

    /// The whole.
    std::string joined() const;

 private:
    std::vector<Piece> pieces_;
};

/// Of a piece of either kind.
std::string_view text_of(const PiecedText::Piece& piece);

/// Compact JSON, as base::to_text() writes it.
PiecedText json_text(const base::Json& document, const SharedValues& shared);

}  // namespace provisioner::automators
