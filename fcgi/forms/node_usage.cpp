#include "fcgi/forms/node_usage.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"

namespace fcgi::forms {

using provisioner::base::expected;
using provisioner::base::parse_number;
using provisioner::base::unexpected;
using provisioner::operations::UsageQuestion;
using namespace std::chrono_literals;

namespace {

// The last second of the year 9999, the latest that the database can hold.
constexpr std::int64_t latest = 253402300799;

struct Period {
    std::string_view word;
    std::int64_t seconds;
};

constexpr std::array periods{Period{"hour", 3600}, Period{"day", 86'400}, Period{"week", 604'800},
                             Period{"month", 2'592'000}, Period{"year", 31'104'000}};

struct Unit {
    std::string_view word;
    std::chrono::nanoseconds length;
};

constexpr std::array units{Unit{"nanoseconds", 1ns},  Unit{"microseconds", 1us},
                           Unit{"milliseconds", 1ms}, Unit{"seconds", 1s},
                           Unit{"minutes", 1min},     Unit{"hours", 1h},
                           Unit{"days", 24h}};

template <class Table>
auto find_word(const Table& table, std::string_view word) {
    return std::find_if(table.begin(), table.end(),
                        [&](const auto& entry) { return entry.word == word; });
}

bool is_moment(const std::optional<std::int64_t>& seconds) {
    return seconds && *seconds >= 0 && *seconds <= latest;
}

bool read_moments(const http::Request& request, UsageQuestion& question) {
    const auto start = request.query_value("start");
    const auto end = request.query_value("end");
    if (start) question.start = parse_number(*start);
    if (end) question.end = parse_number(*end);
    const bool each_is_good =
        (!start || is_moment(question.start)) && (!end || is_moment(question.end));
    const bool in_order = !start || !end || question.start <= question.end;
    return each_is_good && in_order;
}

}  // namespace

std::string incorrect_moments(const http::Request& request) {
    return "Incorrect value for start " + request.query_value("start").value_or("null") +
           " or end " + request.query_value("end").value_or("null") + " timestamp";
}

expected<UsageQuestion, std::string> usage_question(const http::Request& request) {
    UsageQuestion question;
    if (!read_moments(request, question)) return unexpected(incorrect_moments(request));
    if (const auto word = request.query_value("groupby")) {
        const auto* period = find_word(periods, *word);
        if (period == periods.end()) {
            return unexpected("Incorrect value for field groupby: " + *word);
        }
        question.period = period->seconds;
    }
    if (const auto word = request.query_value("timeunit")) {
        const auto* unit = find_word(units, provisioner::base::in_small_letters(*word));
        if (unit == units.end()) {
            return unexpected("Incorrect value for field timeunit: " + *word);
        }
        question.unit = unit->length;
    }
    return question;
}

}  // namespace fcgi::forms
