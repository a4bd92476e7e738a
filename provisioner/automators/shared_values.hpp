#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/memo.hpp"

namespace provisioner::automators {

/// Bytes from which on a text is shared: a shorter one travels with the script of each task, which
/// costs less than to bring it by itself.
constexpr std::size_t least_shared = 8192;

/// A text that many tasks have in common.
struct SharedText {
    std::string text;
    /// 64 hexadecimal digits in lower case.
    std::string sha256;
};

SharedText with_checksum(std::string text);

/// Values of any size that the documents of many tasks have in common, the nodes of the cluster
/// above all. A document holds a reference in their place; they are made, and written as text, once
/// for all tasks that share a memo. One task's own, for the time of its compilation.
class SharedValues {
 public:
    explicit SharedValues(std::shared_ptr<base::Memo> memo = std::make_shared<base::Memo>())
        : memo_(std::move(memo)) {}

    /// What stands in a document for the value that `make` makes. In one memo a name is one value.
    base::Json refer_to(const std::string& name, std::function<base::Json()> make);

    /// What `change` makes of a value: of a shared one another shared one, where `how` names the
    /// change.
    base::Json changed(const base::Json& json, const std::string& how,
                       const std::function<base::Json(const base::Json&)>& change);

    /// What a reference stands for, as text: `form` names the way it is written.
    std::shared_ptr<const SharedText> text_of(
        const base::Json& reference, const std::string& form,
        const std::function<std::string(const base::Json&)>& write) const;

 private:
    std::shared_ptr<base::Memo> memo_;
    std::map<std::string, std::function<base::Json()>> makers_;
};

/// Whether that stands in a document for a shared value.
bool is_reference(const base::Json& json);

}  // namespace provisioner::automators
