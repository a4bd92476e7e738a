#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::base {

/// JSON whose objects keep the order of insertion. The wire format, stored documents and golden
/// tests rely on that order. Looking up a key is linear in the number of keys: build large objects
/// by appending, or use a map.
using Json = nlohmann::ordered_json;

/// Deepest nesting of arrays and objects in JSON text: 0 for a number, 1 for `[1]`. For text that
/// is not JSON the result is meaningless but safe. One pass without recursion or allocation, so
/// that it can run before the parser does.
int nesting_of(std::string_view text);

/// Nesting limit of parse_json(). Deeper documents would exhaust the stack, because nlohmann copies
/// and destroys them recursively. Request bodies have a lower limit (fcgi/http/json_body.hpp),
/// because MariaDB's JSON functions accept only 32 levels.
constexpr int deepest_json = 200;

/// The document in `text`. Nothing when the text is not valid JSON in UTF-8, has anything after the
/// document, is nested deeper than deepest_json, or would take long to read: an object of more than
/// 20,000 members, or many large ones. Members named in
/// `left_out` are skipped at every depth and never take memory. Never throws for bad input.
std::optional<Json> parse_json(std::string_view text, const std::set<std::string>& left_out = {});

/// Why parse_json() gives nothing for `text`, for whoever wrote it: "Line 3, column 14: expected a
/// comma or }, found a number." Lines and columns count from one, columns in characters. Empty
/// for text that can be read. Never throws.
std::string problem_with_json(std::string_view text);

/// Compact text without blanks or line breaks. Bytes that are not UTF-8 become U+FFFD; nlohmann's
/// own dump() would throw. So the result is always valid UTF-8.
std::string to_text(const Json& json);

/// The member `key` of an object; null when `json` is not an object or has no such member. Points
/// into `json`. A member with the JSON value null is found: the result is then not a null pointer.
const Json* member(const Json& json, std::string_view key);

/// The text of the member `key`; empty when there is none or it is no string.
std::string text_at(const Json& json, std::string_view key);

/// The strings in an array, in order. Skips elements of other types. Empty for a null pointer and
/// for a value that is not an array. Meant for documents that were checked when they were stored.
std::vector<std::string> strings_of(const Json* array);

}  // namespace provisioner::base
