#include "provisioner/model/money.hpp"

#include <algorithm>
#include <limits>

#include "provisioner/base/ids.hpp"

namespace provisioner::model {

namespace {

constexpr std::int64_t seconds_per_hour = 3600;
constexpr std::size_t most_decimals = 6;
constexpr std::size_t least_decimals = 2;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

bool is_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t limited_sum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? largest : sum;
}

template <class Words>
std::string joined(const Amounts& amounts, const Words& words) {
    const auto& all = amounts.by_currency();
    const bool has_amount = std::ranges::any_of(all, [](const auto& of) { return of.second != 0; });
    std::string text;
    for (const auto& [currency, micros] : all) {
        // Nothing at all is said in one currency.
        if (micros == 0 && (has_amount || !text.empty())) continue;
        text += (text.empty() ? "" : " and ") + words(Money{currency, micros});
    }
    return text;
}

}  // namespace

bool is_currency(std::string_view text) {
    return text.size() == 3 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<std::int64_t> micros_in(std::string_view text) {
    const auto point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    const bool has_point = point < text.size();
    const std::string_view part = has_point ? text.substr(point + 1) : std::string_view("0");
    if (!is_digits(whole) || !is_digits(part) || part.size() > most_decimals) return std::nullopt;
    std::string decimals(part);
    decimals.resize(most_decimals, '0');
    const auto units = base::parse_number(whole);
    if (!units || *units > most_micros / micros_per_unit) return std::nullopt;
    const std::int64_t micros = *units * micros_per_unit + *base::parse_number(decimals);
    if (micros > most_micros) return std::nullopt;
    return micros;
}

std::string decimal_text(std::int64_t micros) {
    const std::string sign = micros < 0 ? "-" : "";
    const std::int64_t units = std::abs(micros / micros_per_unit);
    std::string decimals = base::padded(std::abs(micros % micros_per_unit), most_decimals);
    while (decimals.size() > least_decimals && decimals.back() == '0') decimals.pop_back();
    return sign + std::to_string(units) + "." + decimals;
}

std::string to_text(const Money& money) {
    return decimal_text(money.micros) + " " + money.currency;
}

std::string to_rounded_text(const Money& money) {
    constexpr std::int64_t micros_per_cent = micros_per_unit / 100;
    if (money.micros < micros_per_cent) return to_text(money);
    const std::int64_t cents = limited_sum(money.micros, micros_per_cent / 2) / micros_per_cent;
    return to_text(Money{.currency = money.currency, .micros = cents * micros_per_cent});
}

// Hours and the rest apart, so that the product of a price and the rest cannot overflow.
std::int64_t cost_of(std::int64_t micros_per_hour, std::int64_t seconds) {
    std::int64_t hours = 0;
    if (__builtin_mul_overflow(seconds / seconds_per_hour, micros_per_hour, &hours)) return largest;
    std::int64_t rest = 0;
    if (__builtin_mul_overflow(seconds % seconds_per_hour, micros_per_hour, &rest)) return largest;
    return limited_sum(hours, limited_sum(rest, seconds_per_hour / 2) / seconds_per_hour);
}

void Amounts::add(const Money& money) {
    std::int64_t& micros = micros_[money.currency];
    micros = limited_sum(micros, money.micros);
}

void Amounts::add(const Amounts& others) {
    for (const auto& [currency, micros] : others.micros_) {
        add(Money{.currency = currency, .micros = micros});
    }
}

std::int64_t Amounts::of(const std::string& currency) const {
    const auto found = micros_.find(currency);
    return found == micros_.end() ? 0 : found->second;
}

std::string to_text(const Amounts& amounts) {
    return joined(amounts, [](const Money& money) { return to_text(money); });
}

std::string to_rounded_text(const Amounts& amounts) {
    return joined(amounts, [](const Money& money) { return to_rounded_text(money); });
}

}  // namespace provisioner::model
