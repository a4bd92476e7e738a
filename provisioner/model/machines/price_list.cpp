#include "provisioner/model/machines/price_list.hpp"

#include <algorithm>
#include <array>

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/csv.hpp"

namespace provisioner::model {

namespace {

using base::Json;
using base::Problems;

constexpr std::size_t longest_value = 255;

/// A member of a price in both forms.
struct Column {
    const char* csv;
    const char* json;
    bool required;
};
constexpr std::array columns{
    Column{"provider_type", "providerType", true},
    Column{"provider", "provider", false},
    Column{"region", "region", false},
    Column{"flavor", "flavor", true},
    Column{"image", "image", false},
    Column{"currency", "currency", true},
    Column{"per_hour", "perHour", true},
};
/// The values of a price in the order of `columns`, as texts.
using Values = std::array<std::string, columns.size()>;

std::string problem_with_value(const Column& column, const std::string& value) {
    if (column.required && value.empty()) return "must be given";
    if (value.size() > longest_value) return "must not be longer than 255 bytes";
    if (!base::is_utf8(value)) return "must be UTF-8 text";
    if (base::has_control(value)) return "must not have control characters";
    const std::string_view name = column.csv;
    if (name == "currency" && !is_currency(value)) {
        return "must be three capital letters, such as USD, not " + value;
    }
    if (name == "per_hour" && !micros_in(value)) {
        return "must be a decimal number such as 0.107, with at most six decimals and not above "
               "1000000000, not " +
               value;
    }
    return "";
}

Values values_of(const Price& price) {
    return {price.of.provider_type,
            price.of.provider,
            price.of.region,
            price.of.flavor,
            price.of.image,
            price.per_hour.currency,
            decimal_text(price.per_hour.micros)};
}

/// Collects prices with the place each came from, and everything that is wrong.
class Reading {
 public:
    /// `is_csv` chooses the names of members in problems.
    explicit Reading(bool is_csv) : is_csv_(is_csv) {}

    void problem(std::string where, std::string message) {
        ++wrong_;
        if (problems_.size() < most_price_problems) {
            problems_.push_back({.field = std::move(where), .message = std::move(message)});
        }
    }

    void take(const std::string& where, const Values& values) {
        const std::size_t before = wrong_;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string wrong = problem_with_value(columns[i], values[i]);
            if (wrong.empty()) continue;
            problem(where,
                    std::string(is_csv_ ? columns[i].csv : columns[i].json) + " " + wrong + ".");
        }
        if (wrong_ > before) return;
        Price price{.of = {values[0], values[1], values[2], values[3], values[4]},
                    .per_hour = {.currency = values[5], .micros = *micros_in(values[6])}};
        const auto [first, is_new] = places_.emplace(price.of, where);
        if (!is_new) problem(where, "has a price for the same machines as " + first->second + ".");
        prices_.push_back(std::move(price));
    }

    base::Checked<std::vector<Price>> result() && {
        if (prices_.size() > most_prices) {
            problem("", "A price list may have at most " + std::to_string(most_prices) +
                            " prices, not " + std::to_string(prices_.size()) + ".");
        }
        if (wrong_ == 0) return std::move(prices_);
        if (wrong_ > problems_.size()) {
            problems_.push_back(
                {"", "And " + std::to_string(wrong_ - problems_.size()) + " more problems."});
        }
        return base::unexpected(std::move(problems_));
    }

 private:
    bool is_csv_;
    std::vector<Price> prices_;
    std::map<MachineKind, std::string> places_;
    Problems problems_;
    std::size_t wrong_ = 0;
};

std::string names_of_columns() {
    std::string names;
    for (const Column& column : columns)
        names += (names.empty() ? "" : ", ") + std::string(column.csv);
    return names;
}

/// For each place in a row the index in `columns`; nothing for a header that cannot be used.
std::optional<std::vector<std::size_t>> order_in(const CsvRow& header, Reading& reading) {
    const std::string where = "line " + std::to_string(header.line);
    std::vector<std::size_t> order;
    bool is_good = true;
    const auto wrong = [&](const std::string& message) {
        reading.problem(where, message);
        is_good = false;
    };
    for (const std::string& name : header.values) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const Column& column) { return name == column.csv; });
        const auto index = static_cast<std::size_t>(found - columns.begin());
        if (found == columns.end()) {
            wrong("There is no column " + name + ". The columns are " + names_of_columns() + ".");
        } else if (std::find(order.begin(), order.end(), index) != order.end()) {
            wrong("The column " + name + " is there twice.");
        }
        order.push_back(index);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool is_there = std::find(order.begin(), order.end(), i) != order.end();
        if (columns[i].required && !is_there) {
            wrong("The column " + std::string(columns[i].csv) + " is missing.");
        }
    }
    return is_good ? std::optional(order) : std::nullopt;
}

void take_row(const CsvRow& row, const std::vector<std::size_t>& order, Reading& reading) {
    const std::string where = "line " + std::to_string(row.line);
    if (row.is_broken) {
        reading.problem(where, "A quotation mark is not closed, or text stands beside it.");
        return;
    }
    if (row.values.size() != order.size()) {
        reading.problem(where, "has " + std::to_string(row.values.size()) +
                                   " values, but there are " + std::to_string(order.size()) +
                                   " columns.");
        return;
    }
    Values values;
    for (std::size_t i = 0; i < order.size(); ++i) values[order[i]] = row.values[i];
    reading.take(where, values);
}

/// The member as text; nothing for a value that is neither text nor number.
std::optional<std::string> text_in(const Json& entry, const char* name) {
    const Json* value = base::member(entry, name);
    if (value == nullptr || value->is_null()) return "";
    if (value->is_string()) return value->get<std::string>();
    // The shortest text of the number: the one that was written, up to 15 digits.
    if (value->is_number()) return base::to_text(*value);
    return std::nullopt;
}

}  // namespace

base::Checked<std::vector<Price>> prices_from_csv(std::string_view text) {
    Reading reading(true);
    CsvReader rows(text);
    const auto header = rows.next();
    if (!header) {
        reading.problem("line 1",
                        "The first line must name the columns: " + names_of_columns() + ".");
        return std::move(reading).result();
    }
    const auto order = order_in(*header, reading);
    if (!order) return std::move(reading).result();
    while (const auto row = rows.next()) take_row(*row, *order, reading);
    return std::move(reading).result();
}

base::Checked<std::vector<Price>> prices_from_json(const Json& json) {
    Reading reading(false);
    const Json* member = base::member(json, "prices");
    const Json& list = member == nullptr ? json : *member;
    if (!list.is_array()) {
        reading.problem("prices", "must be an array");
        return std::move(reading).result();
    }
    int number = 0;
    for (const Json& entry : list) {
        const std::string where = "entry " + std::to_string(++number);
        if (!entry.is_object()) {
            reading.problem(where, "must be an object");
            continue;
        }
        Values values;
        bool is_readable = true;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            auto value = text_in(entry, columns[i].json);
            if (!value) reading.problem(where, std::string(columns[i].json) + " must be a text.");
            is_readable = is_readable && value;
            values[i] = std::move(value).value_or("");
        }
        if (is_readable) reading.take(where, values);
    }
    return std::move(reading).result();
}

std::string to_csv(const std::vector<Price>& prices) {
    std::vector<std::string> names;
    for (const Column& column : columns) names.emplace_back(column.csv);
    std::string text = csv_row(names);
    for (const Price& price : prices) {
        const Values values = values_of(price);
        text += csv_row({values.begin(), values.end()});
    }
    return text;
}

Json to_json(const std::vector<Price>& prices) {
    Json list = Json::array();
    for (const Price& price : prices) {
        const Values values = values_of(price);
        Json entry = Json::object();
        for (std::size_t i = 0; i < columns.size(); ++i) entry[columns[i].json] = values[i];
        entry["validFrom"] = base::to_millis(price.valid_from);
        list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace provisioner::model
