#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/memo.hpp"
#include "provisioner/model/clusters/node.hpp"

/// Expands %macros% in strings of a cluster's configuration and in links. Pure and safe from any
/// thread: nodes come in, text or an error comes out. README.md of this folder describes the rules.
///
/// Macros are found by scanning for single '%'; parse.cpp turns the text between two of them into a
/// Macro, evaluate.cpp computes its value. With a memo, everything that is the same on all nodes is
/// computed once per state of the cluster. Without it, each of n nodes would build lists of n
/// names.
namespace provisioner::macros {

/// Why a text could not be expanded. The task fails with its text; links stay unexpanded.
struct MacroError {
    /// In the words of the wire contract, for example "'host.bogus' is not a valid macro name".
    /// Positions in it are zero-based inside the macro.
    std::string message;
    /// Text between the two '%', for example "host.bogus". parse() and evaluate() leave it empty;
    /// expand() adds it.
    std::string macro{};
    /// The string that contains the macro: keys and indexes from the outside in, "web.hosts.0".
    /// Empty for a text that is not part of a document.
    std::string place{};

    bool operator==(const MacroError&) const = default;
};

/// An error with this message; `macro` and `place` are added on the way out.
inline base::unexpected<MacroError> macro_error(std::string message) {
    return base::unexpected(MacroError{std::move(message)});
}

/// Message for people: "'host.bogus' is not a valid macro name (%host.bogus% in web.hosts.0)".
std::string to_text(const MacroError& error);

/// The nodes of a cluster without a copy of them. The web side holds nodes by value, the daemon
/// shares them between tasks (store::ClusterView); both convert implicitly from a pointer. A null
/// pointer is an empty list. The vector must outlive the list and stay unchanged.
class NodeList {
 public:
    NodeList() = default;
    NodeList(std::nullptr_t) {}
    NodeList(const std::vector<model::Node>* nodes) : values_(nodes) {}
    NodeList(const std::vector<std::shared_ptr<const model::Node>>* nodes) : shared_(nodes) {}

    /// Number of nodes; 0 for an empty list.
    std::size_t size() const {
        if (values_ != nullptr) return values_->size();
        return shared_ != nullptr ? shared_->size() : 0;
    }
    /// The node at index `i` < size(). Valid as long as the vector.
    const model::Node& operator[](std::size_t i) const {
        return values_ != nullptr ? (*values_)[i] : *(*shared_)[i];
    }

 private:
    const std::vector<model::Node>* values_ = nullptr;
    const std::vector<std::shared_ptr<const model::Node>>* shared_ = nullptr;
};

/// The longest text that an expansion makes, in bytes: a list of 10,000 hosts has half of it.
constexpr std::size_t longest_expansion = std::size_t{1} << 20;
/// All expanded strings of a document together, and the macros in them.
constexpr std::size_t longest_document = std::size_t{8} << 20;
constexpr int most_macros = 10'000;
/// A link that is longer is not expanded.
constexpr std::size_t longest_link = 8192;

/// Everything that macros can refer to. The order of the nodes does not matter: lists are sorted by
/// nodenum. Built for each expansion; owns only `cluster_owner`.
struct MacroContext {
    /// Value of %cluster.owner%: the owner's name.
    std::string cluster_owner;
    /// All nodes that macros may refer to. The daemon leaves out those a job is removing.
    NodeList nodes = {};
    /// The node of the task or of the link; null for a link of the cluster itself. Must outlive the
    /// context. Not necessarily one of `nodes`: a node that is being removed is not.
    const model::Node* self = nullptr;
    /// Cache of values that are the same on all nodes. Belongs to one state of owner and nodes; the
    /// holder of that state replaces it when they change (store::ClusterView). Null: nothing is
    /// cached.
    base::Memo* memo = nullptr;
    /// The longest text that an expansion may make. People choose what lists are made of, so a
    /// short text may ask for a long one.
    std::size_t longest = longest_expansion;
};

/// `text` with its macros replaced. If none of them has a value, `text` is returned unchanged;
/// otherwise a macro without a value becomes empty. Fails with the first error. "%%" is not a
/// delimiter and stays, and so does a '%' without partner. One pass: values are not expanded again.
/// Fails for a text that would be longer than context.longest, before it is made.
///
///     "%cluster.owner%@example.com"                  "ann@example.com"
///     "%host.service.zk%"                            "zk1-1000.local,zk1-1001.local"
///     "%join(map(host.service.zk,'$:2181'),' ')%"    "zk1-1000.local:2181 zk1-1001.local:2181"
///     "%num.service.absent%"                         "0"
///     "%host.service.absent%"                        "%host.service.absent%"
base::expected<std::string, MacroError> expand(std::string_view text, const MacroContext& context);

/// Makes the JSON value for a string that expands to the same text on all nodes. `from` is the
/// string before expansion, `expanded` the text, shared with all other nodes. The daemon stores a
/// reference there when the text is long (automators/shared_values.hpp).
using ForAllNodes = std::function<base::Json(const std::string& from,
                                             const std::shared_ptr<const std::string>& expanded)>;

/// A copy of `config` with every string value expanded at any depth. Keys and values of other types
/// stay. Stops at the first error, which then has its place. Fails for more than longest_document
/// or most_macros.
///
/// `for_all_nodes` is called only with a memo, for strings that have macros but none of self. They
/// are expanded once for all nodes. Recursive: `config` must not be nested deeper than
/// base::deepest_json.
base::expected<base::Json, MacroError> expand_all(const base::Json& config,
                                                  const MacroContext& context,
                                                  const ForAllNodes& for_all_nodes = {});

/// The first macro in the strings of `config` that no cluster can expand, because it is malformed
/// or has an unknown name; nothing if there is none. Whether services and addresses exist is not
/// looked at.
std::optional<MacroError> first_malformed(const base::Json& config);

/// The URL with its macros replaced; unchanged if any macro fails or has no value, or if it would
/// be longer than longest_link. A half-expanded URL would lead to another place. Empty for a URL
/// that is longer itself. Reports no error: links are shown before nodes have addresses, too.
std::string expand_link(const std::string& url, const MacroContext& context);

}  // namespace provisioner::macros
