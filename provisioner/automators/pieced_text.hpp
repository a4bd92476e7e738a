#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "provisioner/automators/shared_values.hpp"

namespace provisioner::automators {

/// A text whose large parts are shared with other tasks; the object owns only the rest. With 10,000
/// nodes a task's document is megabytes, and 100,000 tasks have nearly the same one. So the shared
/// parts exist once per daemon and once per node.
///
/// A value; shared parts are immutable, so copies may live in several threads.
class PiecedText {
 public:
    /// A shared part; never null.
    using Shared = std::shared_ptr<const SharedText>;
    /// Text of its own, or a shared part.
    using Piece = std::variant<std::string, Shared>;

    PiecedText() = default;
    /// Implicit, so that plain texts can be passed for pieced ones.
    PiecedText(std::string own) { add(own); }
    PiecedText(const char* own) { add(std::string_view(own)); }

    /// Appends text of its own.
    void add(std::string_view own);
    /// Appends a shared part. Below least_shared bytes it is copied and becomes text of its own:
    /// delivering it by itself would cost more.
    void add(Shared shared);

    /// The pieces in order. None is empty, and two own texts never follow each other.
    const std::vector<Piece>& pieces() const { return pieces_; }

    /// Bytes of the whole text. Linear in the number of pieces.
    std::size_t size() const;

    /// The whole text as a copy.
    std::string joined() const;

 private:
    std::vector<Piece> pieces_;
};

/// The text of a piece of either kind; valid as long as the piece.
std::string_view text_of(const PiecedText::Piece& piece);

/// Compact JSON, as base::to_text() writes it, in which references are shared pieces. Automators
/// must write documents with it: base::to_text() cannot resolve references.
PiecedText json_text(const base::Json& document, const SharedValues& shared);

}  // namespace provisioner::automators
