#include "fcgi/pages/machines/price_words.hpp"

#include <algorithm>

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::Price;

namespace {

std::vector<Price> prices_without(const std::vector<Price>& prices,
                                  const std::vector<Price>& others) {
    std::vector<Price> rest;
    for (const Price& price : prices) {
        const bool is_there = std::ranges::any_of(others, [&](const Price& other) {
            return other.of == price.of && other.per_hour == price.per_hour;
        });
        if (!is_there) rest.push_back(price);
    }
    return rest;
}

std::string price_and_machines(const Price& price) {
    return translated("{0}, {1} per hour", machines_of_price(price), to_text(price.per_hour));
}

std::string all_of_them(const std::vector<Price>& prices) {
    std::string words;
    for (const Price& price : prices) {
        words += (words.empty() ? "" : "; ") + price_and_machines(price);
    }
    return words;
}

}  // namespace

std::string machines_of_price(const Price& price) {
    const bool is_any = price.of.flavor == provisioner::model::any_flavor;
    std::string place = price.of.provider_type;
    for (const std::string& part : {price.of.provider, price.of.region, price.of.image}) {
        if (!part.empty()) place += ", " + part;
    }
    return (is_any ? translated("any flavor") : price.of.flavor) + " (" + place + ')';
}

std::string price_changes_in_words(const std::vector<Price>& before,
                                   const std::vector<Price>& after) {
    const auto more = prices_without(after, before);
    const auto less = prices_without(before, after);
    if (more.empty() && less.empty()) return translated("No price changes.");
    if (more.size() == 1 && less.size() == 1) {
        return more[0].of == less[0].of
                   ? translated("1 price changes: {0} instead of {1}.", price_and_machines(more[0]),
                                to_text(less[0].per_hour))
                   : translated("1 price changes: {0} instead of {1}.", price_and_machines(more[0]),
                                price_and_machines(less[0]));
    }
    std::string words;
    if (!more.empty()) {
        words = translated_count(more.size(), "{0} price more: {1}.", "{0} prices more: {1}.",
                                 all_of_them(more));
    }
    if (!less.empty()) {
        words += (words.empty() ? "" : " ") + translated_count(less.size(), "{0} price less: {1}.",
                                                               "{0} prices less: {1}.",
                                                               all_of_them(less));
    }
    return words;
}

std::string problem_with_provider_of(const Price& price, const TypesOfProviders& types) {
    const auto found = types.find(price.of.provider);
    if (found == types.end() || found->second == price.of.provider_type) return "";
    return translated("{0} is of the type {1}, so no machine would have this price.",
                      price.of.provider, found->second);
}

provisioner::base::Problems problems_with_providers_of(const std::vector<Price>& prices,
                                                       const TypesOfProviders& types) {
    provisioner::base::Problems problems;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        auto problem = problem_with_provider_of(prices[i], types);
        if (!problem.empty()) {
            problems.push_back({"line " + std::to_string(i + 2), std::move(problem)});
        }
    }
    return problems;
}

}  // namespace fcgi::pages
