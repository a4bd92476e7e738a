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

/// A column's text; empty when it is NULL.
std::string text_column(Rows& row, const std::string& name);

/// A DATETIME(6) column that is never NULL. Read as text: CppDB's tm would lose the microseconds.
base::Timestamp time_column(Rows& row, const std::string& name);

/// The same for a column that may be NULL.
std::optional<base::Timestamp> optional_time_column(Rows& row, const std::string& name);

/// A column of JSON text; throws std::logic_error when it is none.
base::Json json_column(Rows& row, const std::string& name);

/// A column holding a JSON array of strings.
std::vector<std::string> strings_column(Rows& row, const std::string& name);

/// What the columns place, sha256, size and is_gzip say of a content, and that of its name.
model::Content content_columns(Rows& row, const std::string& name);

/// Who asked for a job: the columns asked_by_id and asked_by.
model::Asker asker_columns(Rows& row);

/// What to bind for an optional time where the statement says NULLIF(?, '').
std::string sql_or_empty(const std::optional<base::Timestamp>& moment);

/// The text as far as a TEXT column holds it, cut between characters of UTF-8.
std::string fitting_text(const std::string& text);

using statements::repeated;
using statements::rows_per_statement;

}  // namespace provisioner::store
