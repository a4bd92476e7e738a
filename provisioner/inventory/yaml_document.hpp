#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::inventory {

/// A value of a YAML or JSON text, with its place.
struct Node {
    enum class Kind { scalar, list, map };

    Kind kind = Kind::scalar;
    /// Of a scalar, as written: types are not guessed, so "0755" stays what it is.
    std::string text;
    /// Whether the scalar is null: ~, null, or nothing at all.
    bool is_null = false;
    /// The tag, "!vault"; empty where the text has none.
    std::string tag;
    std::vector<std::shared_ptr<const Node>> items;
    /// In the order of the text. A value stands once for all of its aliases.
    std::vector<std::pair<std::string, std::shared_ptr<const Node>>> members;
    /// From 1.
    int line = 0;
    /// Values within values below this one, aliases written out; 0 for a scalar.
    int height = 0;

    /// The member of that name of a map; null if there is none.
    const Node* find(std::string_view name) const;
};

/// Why a text is no YAML, and where.
struct YamlError {
    int line = 0;
    std::string message;
};

/// The first document of the text. JSON is read as well, for YAML has it as its flow style.
/// Anchors, aliases and merge keys (<<) are followed; a map with two equal keys is an error. Null
/// for a text without a document.
base::expected<std::shared_ptr<const Node>, YamlError> read_yaml(std::string_view text);

}  // namespace provisioner::inventory
