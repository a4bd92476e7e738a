#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::model {

// Comma separated values as RFC 4180 has them.

/// A row and the number of its first line, from 1.
struct CsvRow {
    int line = 0;
    /// At least one. Without blanks around them, unless they were quoted.
    std::vector<std::string> values{};
    /// A quotation mark was not closed, or text stood beside one: the values mean nothing.
    bool is_broken = false;
};

/// Splits text into rows. Lines may end without a carriage return.
class CsvReader {
 public:
    /// `text` must outlive the reader. A byte order mark is skipped.
    explicit CsvReader(std::string_view text);

    /// The next row; nothing at the end. Empty lines and lines that begin with # are skipped.
    std::optional<CsvRow> next();

 private:
    bool at_row_end() const { return at_ >= text_.size() || text_[at_] == '\n'; }
    CsvRow row();
    std::string value(CsvRow& row);
    std::string quoted_value(CsvRow& row);

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// A row with its line end. Values are quoted where they need it.
std::string csv_row(const std::vector<std::string>& values);

}  // namespace provisioner::model
