#include "provisioner/model/csv.hpp"

#include <algorithm>

namespace provisioner::model {

namespace {

std::string without_blanks_around(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

std::optional<CsvRow> CsvReader::next() {
    while (at_ < text_.size()) {
        const auto end = std::min(text_.find('\n', at_), text_.size());
        const auto line = text_.substr(at_, end - at_);
        const bool is_empty = line.find_first_not_of(" \t\r,") == std::string_view::npos;
        if (!is_empty && line.front() != '#') return row();
        at_ = end + 1;
        ++line_;
    }
    return std::nullopt;
}

CsvRow CsvReader::row() {
    CsvRow row{.line = line_};
    for (;;) {
        row.values.push_back(value(row));
        if (at_row_end()) break;
        ++at_;
    }
    ++at_;
    ++line_;
    return row;
}

std::string CsvReader::value(CsvRow& row) {
    if (at_ < text_.size() && text_[at_] == '"') return quoted_value(row);
    std::string value;
    for (; !at_row_end() && text_[at_] != ','; ++at_) value += text_[at_];
    return without_blanks_around(value);
}

std::string CsvReader::quoted_value(CsvRow& row) {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\n') ++line_;
        if (text_[at_] != '"') {
            value += text_[at_];
            continue;
        }
        const bool is_doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '"';
        if (!is_doubled) break;
        value += text_[++at_];
    }
    if (at_ >= text_.size()) row.is_broken = true;
    ++at_;
    for (; !at_row_end() && text_[at_] != ','; ++at_) {
        if (text_[at_] != '\r' && text_[at_] != ' ') row.is_broken = true;
    }
    return value;
}

std::string csv_row(const std::vector<std::string>& values) {
    std::string row;
    for (const std::string& value : values) {
        if (&value != &values.front()) row += ',';
        if (value.find_first_of(",\"\r\n# \t") == std::string::npos) {
            row += value;
            continue;
        }
        row += '"';
        for (const char c : value) row += c == '"' ? "\"\"" : std::string(1, c);
        row += '"';
    }
    return row + "\r\n";
}

}  // namespace provisioner::model
