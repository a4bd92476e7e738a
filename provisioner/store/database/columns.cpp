#include "provisioner/store/database/columns.hpp"

#include <stdexcept>

#include "provisioner/base/utf8.hpp"

namespace provisioner::store {

namespace {

constexpr std::size_t longest_text = 65535;

}  // namespace

std::string containing(const std::string& text) {
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '!') pattern += '!';
        pattern += c;
    }
    return pattern + '%';
}

std::string fitting_text(const std::string& text) {
    const std::string clean = base::to_utf8(text);
    return std::string(base::utf8_prefix(clean, longest_text));
}

std::string text_column(Rows& row, const std::string& name) {
    if (row.is_null(name)) return "";
    return row.get<std::string>(name);
}

base::Timestamp time_column(Rows& row, const std::string& name) {
    return base::from_sql(row.get<std::string>(name));
}

std::optional<base::Timestamp> optional_time_column(Rows& row, const std::string& name) {
    if (row.is_null(name)) return std::nullopt;
    return time_column(row, name);
}

base::Json json_column(Rows& row, const std::string& name) {
    auto json = base::parse_json(row.get<std::string>(name));
    if (!json) throw std::logic_error("column " + name + " holds no JSON");
    return *std::move(json);
}

std::vector<std::string> strings_column(Rows& row, const std::string& name) {
    const base::Json json = json_column(row, name);
    return base::strings_of(&json);
}

std::vector<std::string> optional_strings_column(Rows& row, const std::string& name) {
    return row.is_null(name) ? std::vector<std::string>() : strings_column(row, name);
}

model::Content content_columns(Rows& row, const std::string& name) {
    return {.name = row.get<std::string>(name),
            .place = base::stored_word<model::ContentPlace>(row.get<std::string>("place")),
            .sha256 = row.get<std::string>("sha256"),
            .size = static_cast<std::uint64_t>(row.get<long long>("size")),
            .is_gzip = row.get<int>("is_gzip") != 0};
}

model::Asker asker_columns(Rows& row) {
    model::Asker asker{.user = {},
                       .name = row.get<std::string>("asked_by"),
                       .request = row.get<std::string>("request")};
    if (!row.is_null("asked_by_id")) asker.user.value = row.get<long long>("asked_by_id");
    return asker;
}

std::string sql_or_empty(const std::optional<base::Timestamp>& moment) {
    return moment ? base::to_sql(*moment) : "";
}

}  // namespace provisioner::store
