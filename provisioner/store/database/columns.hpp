#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/plugins/content.hpp"
#include "provisioner/statements/many_rows.hpp"
#include "provisioner/store/database/statement.hpp"

namespace provisioner::store {

// Readers for column types that Rows::get does not know, and the reverse conversions for binding.
// All of them read the current row of `row` and throw std::logic_error when there is no row or no
// such column.

/// A column's text; empty when it is NULL.
std::string text_column(Rows& row, const std::string& name);

/// A DATETIME(6) column that is never NULL, in UTC. Read as text, because CppDB's tm would lose the
/// microseconds. Throws std::invalid_argument when the text is no time.
base::Timestamp time_column(Rows& row, const std::string& name);

/// The same for a column that may be NULL; nothing for NULL.
std::optional<base::Timestamp> optional_time_column(Rows& row, const std::string& name);

/// A column of JSON text. Throws std::logic_error when the column holds no JSON.
base::Json json_column(Rows& row, const std::string& name);

/// A column holding a JSON array of strings, in the array's order.
std::vector<std::string> strings_column(Rows& row, const std::string& name);

/// The same of a column that may be NULL: no strings then.
std::vector<std::string> optional_strings_column(Rows& row, const std::string& name);

/// A content from the columns place, sha256, size and is_gzip. `name` is the column of its name,
/// because queries that join other tables with a `name` rename it.
model::Content content_columns(Rows& row, const std::string& name);

/// The requester of a job, from the columns asked_by_id, asked_by and request. The user is 0 when
/// asked_by_id is NULL.
model::Asker asker_columns(Rows& row);

/// The text to bind for an optional time where the statement says NULLIF(?, ''). Rows cannot bind
/// NULL itself.
std::string sql_or_empty(const std::optional<base::Timestamp>& moment);

/// The pattern for `LIKE ? ESCAPE '!'` that takes the texts that contain `text`, whose own `%` and
/// `_` mean themselves.
std::string containing(const std::string& text);

/// The longest prefix that fits a TEXT column (65535 bytes), cut between characters of UTF-8, with
/// U+FFFD for bytes that are none: the database refuses those. For messages, which may come from
/// machines and clouds, may be longer than their column and may lose their end.
std::string fitting_text(const std::string& text);

/// Files of store/ write lists of rows with these two.
using statements::repeated;
using statements::rows_per_statement;
using statements::with_list;

}  // namespace provisioner::store
