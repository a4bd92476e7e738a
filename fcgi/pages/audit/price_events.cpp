#include "fcgi/pages/audit/price_events.hpp"

#include <algorithm>
#include <array>

#include "provisioner/base/json.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/machines/price.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
namespace audit = provisioner::model::audit;
namespace base = provisioner::base;

namespace {

constexpr std::string_view price_prefix = "perHour.";

Json prices_in(const std::string& document) {
    return base::parse_json(document).value_or(Json());
}

bool is_of_prices(const audit::Event& event) {
    return event.action == "price-list.replace" && event.outcome == audit::Outcome::done;
}

/// "simulated, east, any flavor" of the recorded "simulated, east, *".
std::string machines_in_words(const std::string& recorded) {
    constexpr std::string_view separator = ", ";
    std::string words;
    for (std::size_t begin = 0; begin <= recorded.size();) {
        const auto end = std::min(recorded.find(separator, begin), recorded.size());
        const std::string part = recorded.substr(begin, end - begin);
        if (!words.empty()) words += separator;
        words += part == provisioner::model::any_flavor ? translated("any flavor") : part;
        begin = end + separator.size();
    }
    return words;
}

/// What the only price that an event is of is for, as it is recorded; empty for others.
std::string machines_of_only_price(const audit::Event& event) {
    if (!is_of_prices(event)) return "";
    const Json before = prices_in(event.before);
    const Json after = prices_in(event.after);
    int changes = 0;
    for (const char* count : {"added", "changed", "removed"}) {
        const Json* number = base::member(after, count);
        if (number != nullptr && number->is_number_integer()) changes += number->get<int>();
    }
    if (changes != 1) return "";
    for (const Json* document : {&after, &before}) {
        const Json* prices = base::member(*document, "perHour");
        if (prices != nullptr && prices->is_object() && !prices->empty()) {
            return prices->begin().key();
        }
    }
    return "";
}

}  // namespace

std::string price_action_words(const audit::Event& event) {
    const std::string recorded = machines_of_only_price(event);
    if (recorded.empty()) return "";
    const std::string machines = machines_in_words(recorded);
    const Json after = prices_in(event.after);
    if (after.value("added", 0) == 1) return translated("Add price of {0}", machines);
    return after.value("removed", 0) == 1 ? translated("Remove price of {0}", machines)
                                          : translated("Change price of {0}", machines);
}

std::string price_member_words(const audit::Event& event, const std::string& member) {
    if (!is_of_prices(event)) return "";
    if (member == "prices") return translated("Number of prices");
    if (!member.starts_with(price_prefix)) return "";
    if (!machines_of_only_price(event).empty()) return translated("Price per hour");
    return translated("Price of {0}, per hour",
                      machines_in_words(member.substr(price_prefix.size())));
}

bool is_shown_of_prices(const audit::Event& event, const std::string& member) {
    constexpr std::array counts{"added", "changed", "removed", "unchanged"};
    if (!is_of_prices(event) || member.starts_with(price_prefix)) return true;
    if (std::ranges::find(counts, member) != counts.end()) return false;
    return machines_of_only_price(event).empty();
}

}  // namespace fcgi::pages
