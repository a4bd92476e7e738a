#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/memo.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace provisioner::macros {

/// Why a text could not be expanded.
struct MacroError {
    /// In the words of the wire contract, for example "'host.bogus' is not a valid macro name".
    std::string message;
    /// What stands between the two '%', for example "host.bogus".
    std::string macro{};
    /// The value it is in, as keys and indexes from the outside in: "web.hosts.0"; empty when it is
    /// not known.
    std::string place{};

    bool operator==(const MacroError&) const = default;
};

/// The error with this message and nothing yet of where it is.
inline base::unexpected<MacroError> macro_error(std::string message) {
    return base::unexpected(MacroError{std::move(message)});
}

/// For people: "'host.bogus' is not a valid macro name (%host.bogus% in web.hosts.0)".
std::string to_text(const MacroError& error);

/// The nodes macros speak about, as their holder keeps them: values, or shared with others. They
/// must outlive it.
class NodeList {
 public:
    NodeList() = default;
    NodeList(std::nullptr_t) {}
    NodeList(const std::vector<model::Node>* nodes) : values_(nodes) {}
    NodeList(const std::vector<std::shared_ptr<const model::Node>>* nodes) : shared_(nodes) {}

    std::size_t size() const {
        if (values_ != nullptr) return values_->size();
        return shared_ != nullptr ? shared_->size() : 0;
    }
    const model::Node& operator[](std::size_t i) const {
        return values_ != nullptr ? (*values_)[i] : *(*shared_)[i];
    }

 private:
    const std::vector<model::Node>* values_ = nullptr;
    const std::vector<std::shared_ptr<const model::Node>>* shared_ = nullptr;
};

/// What macros speak about. The order of the nodes does not matter, nodenum does.
struct MacroContext {
    std::string cluster_owner;
    NodeList nodes = {};
    /// The node whose task this is; null for a link of the cluster itself.
    const model::Node* self = nullptr;
    /// Keeps what all nodes have in common, from one expansion to the next of the same owner and
    /// nodes; null: nothing is kept.
    base::Memo* memo = nullptr;
};

/// `text` with every %macro% replaced.
base::expected<std::string, MacroError> expand(std::string_view text, const MacroContext& context);

/// What stands in an expanded configuration for a text that is the same on all nodes: `from` is
/// what it was before.
using ForAllNodes = std::function<base::Json(const std::string& from,
                                             const std::shared_ptr<const std::string>& expanded)>;

/// A copy of `config` with every string value, however deep, expanded; keys and other values as
/// they were. With a memo, `for_all_nodes` says what becomes of strings that do not speak of the
/// node itself; they are expanded once.
base::expected<base::Json, MacroError> expand_all(const base::Json& config,
                                                  const MacroContext& context,
                                                  const ForAllNodes& for_all_nodes = {});

/// The URL expanded; as it was if anything in it fails or has no value.
std::string expand_link(const std::string& url, const MacroContext& context);

}  // namespace provisioner::macros
