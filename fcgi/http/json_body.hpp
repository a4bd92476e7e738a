#pragma once

#include <cstddef>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::http {

/// Deepest nesting of objects and arrays in a body. MariaDB accepts 31 levels in a JSON column, and
/// stored JSON adds at most one level around a body.
constexpr int json_depth_limit = 30;

/// Most values of a body, names not counted: each takes some hundred bytes of memory while two
/// bytes of the body may suffice for it ("[],").
constexpr std::size_t json_value_limit = 100'000;
/// The same for price lists (up to 50,000 prices) and whole catalogues, which admins send.
constexpr std::size_t long_json_value_limit = 500'000;

/// Reads a request body as JSON. Strict JSON takes a fast path. These forms are accepted too,
/// because clients of the wire contract rely on them:
/// * strings in single quotes, and names and values without quotes;
/// * comments: // and # to the end of the line, /* */;
/// * `=` or `=>` for `:`, and `;` for `,`;
/// * true, false and null in any case.
///
/// The last of two equal names wins. A body that cannot be read gives one Problem without a field:
/// an empty body, invalid UTF-8, a syntax error, nesting deeper than json_depth_limit, more than
/// `most_values` values, or text after the value. The last four name the byte. Memory beyond the
/// body itself is bounded by `most_values` and the body's length. Source: the lenient JsonReader of
/// Gson, which the reference server used.
provisioner::base::Checked<provisioner::base::Json> read_json(
    std::string_view body, std::size_t most_values = json_value_limit);

}  // namespace fcgi::http
