#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::base {

/// JSON that keeps the order of its keys, as the wire format's readers are used to see them.
using Json = nlohmann::ordered_json;

/// How deep strict JSON is nested: 0 for a number, 1 for `[1]`. A guess for anything else.
int nesting_of(std::string_view text);

/// More nested JSON is not read: copying it would exhaust the stack. MariaDB takes 32 levels.
constexpr int deepest_json = 200;

/// `text` as JSON; nothing when it is not, or nested deeper than deepest_json.
std::optional<Json> parse_json(std::string_view text);

/// Compact text. Bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string to_text(const Json& json);

/// The member `key` of an object, or null when `json` is no object or has no such member.
const Json* member(const Json& json, std::string_view key);

/// The strings of an array of strings, in order; empty for anything else.
std::vector<std::string> strings_of(const Json* array);

}  // namespace provisioner::base
