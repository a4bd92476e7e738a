#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/memo.hpp"

namespace provisioner::automators {

/// Bytes from which on a text is shared. A shorter one travels in the script of each task, which
/// costs less than a delivery of its own.
constexpr std::size_t least_shared = 8192;

/// A text that many tasks have in common.
struct SharedText {
    std::string text;
    /// SHA-256 of the text, 64 hexadecimal digits in lower case; names the file on nodes.
    std::string sha256;
};

/// The text with its checksum. Linear in its length.
SharedText with_checksum(std::string text);

/// Large values that the documents of many tasks have in common, above all the nodes of the
/// cluster. A document holds a reference in their place. A memo keeps the texts made of a value,
/// one for each way to write it. So tasks that share the memo make each text once.
///
/// The object belongs to one task while it is compiled, and to one thread. The memo belongs to the
/// cluster as the daemon has read it, and any thread may use it.
class SharedValues {
 public:
    /// `memo` must not be null. Its names must mean the same values in all objects that share it.
    explicit SharedValues(std::shared_ptr<base::Memo> memo = std::make_shared<base::Memo>())
        : memo_(std::move(memo)) {}

    /// The reference that stands in a document for the value that `make` makes. `make` runs only if
    /// a text of the value is needed and not in the memo. What it uses must outlive this object.
    /// The first `make` of a name is kept.
    base::Json refer_to(const std::string& name, std::function<base::Json()> make);

    /// What `change` makes of `json`. For a reference the result is another reference, and `change`
    /// runs only when its text is made; `how` names the change within the memo.
    base::Json changed(const base::Json& json, const std::string& how,
                       const std::function<base::Json(const base::Json&)>& change);

    /// The text of the value behind a reference, which must come from this object. `form` names the
    /// way in which `write` writes it; different ways need different names. Threads that ask for a
    /// text that is being made wait for it.
    std::shared_ptr<const SharedText> text_of(
        const base::Json& reference, const std::string& form,
        const std::function<std::string(const base::Json&)>& write) const;

 private:
    std::shared_ptr<base::Memo> memo_;
    /// By the name of the value.
    std::map<std::string, std::function<base::Json()>> makers_;
};

/// Whether this stands in a document for a shared value. References are binary JSON, which parsed
/// text never contains.
bool is_reference(const base::Json& json);

}  // namespace provisioner::automators
