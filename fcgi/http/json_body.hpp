#pragma once

#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::http {

/// How deep objects and arrays of a body may be nested. MariaDB takes JSON of 31 levels, and what
/// is stored of a body stands at most one level deeper than in it.
constexpr int json_depth_limit = 30;

/// Reads a request body as JSON; strict JSON takes the fast path. What clients of the wire contract
/// rely on is read too: strings in single quotes, names and values without quotes, comments (// and
/// # to the end of the line, /* */), `=` or
/// `=>` for `:`, `;` for `,`, and true, false and null in any case. Of two equal names the last
/// wins. One Problem, without a field, says what is wrong and at which byte: an empty body, bytes
/// that are no UTF-8, nesting deeper than json_depth_limit, text after the value. Source: Gson's
/// lenient JsonReader, which the reference server used.
provisioner::base::Checked<provisioner::base::Json> read_json(std::string_view body);

}  // namespace fcgi::http
