#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::model {

// Money is exact: whole numbers of millionths ("micros") of a currency's unit, never a floating
// point number. Amounts of two currencies are never added up.

/// Micros of one unit: 1 USD has 1,000,000.
constexpr std::int64_t micros_per_unit = 1'000'000;

/// The largest amount that people may write, in micros: a thousand million units.
constexpr std::int64_t most_micros = 1'000'000'000 * micros_per_unit;

/// An amount of one currency.
struct Money {
    /// As is_currency says.
    std::string currency{};
    std::int64_t micros = 0;

    bool operator==(const Money&) const = default;
};

/// Whether `text` is three capital letters, as ISO 4217 has them: "USD". The list of currencies is
/// not known here.
bool is_currency(std::string_view text);

/// The amount in a decimal number without sign and exponent: "12", "0.0116". Nothing for any other
/// text, for more than six decimals and for more than most_micros.
std::optional<std::int64_t> micros_in(std::string_view text);

/// Micros as a decimal number with two to six decimals: "12.50", "0.0116". micros_in() reads it
/// back, unless it is negative.
std::string decimal_text(std::int64_t micros);

/// "12.50 USD".
std::string to_text(const Money& money);

/// The same rounded to cents, "12.50 USD", for sums; exact below one cent.
std::string to_rounded_text(const Money& money);

/// What a price per hour comes to in so many seconds, rounded to a micro (half up). Both at least
/// 0. Stops at the largest number.
std::int64_t cost_of(std::int64_t micros_per_hour, std::int64_t seconds);

/// Amounts by currency.
class Amounts {
 public:
    /// Adds to the amount of its currency; stops at the largest number.
    void add(const Money& money);
    void add(const Amounts& others);

    /// Micros of a currency; 0 without any.
    std::int64_t of(const std::string& currency) const;

    /// Currency -> micros. Only currencies that were added.
    const std::map<std::string, std::int64_t>& by_currency() const { return micros_; }

    bool empty() const { return micros_.empty(); }

    bool operator==(const Amounts&) const = default;

 private:
    std::map<std::string, std::int64_t> micros_;
};

/// "1.20 EUR and 0.30 USD", by currency; empty without amounts.
std::string to_text(const Amounts& amounts);
std::string to_rounded_text(const Amounts& amounts);

}  // namespace provisioner::model
