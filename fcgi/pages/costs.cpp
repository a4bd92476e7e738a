#include "fcgi/pages/costs.hpp"

#include <algorithm>

#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

Json limit_json(const std::string& what, std::optional<std::int64_t> limit, std::int64_t used,
                const std::string& words) {
    Json json;
    json["what"] = what;
    json["words"] = words;
    // Whole cents: a progress bar needs no more.
    json["max"] = limit ? std::max<std::int64_t>(*limit / 10'000, 1) : 1;
    json["used"] = used / 10'000;
    json["look"] = used > limit.value_or(0) ? "bad" : "active";
    return json;
}

}  // namespace

std::string known_cost_words(const model::HourlyCost& cost) {
    if (cost.per_hour.empty()) {
        return cost.unpriced.empty() ? translated("nothing") : translated("not known");
    }
    const std::string known = to_text(cost.per_hour);
    return cost.unpriced.empty() ? translated("{0} per hour", known)
                                 : translated("at least {0} per hour", known);
}

std::string cost_words(const model::HourlyCost& cost, const std::string& more) {
    const std::string known = known_cost_words(cost) + more;
    if (cost.per_hour.empty() || cost.unpriced.empty()) return known;
    std::size_t unpriced = 0;
    for (const auto& [kind, count] : cost.unpriced) unpriced += static_cast<std::size_t>(count);
    return translated_count(unpriced, "{1}; {0} machine has no price",
                            "{1}; {0} machines have no price", known);
}

std::string cost_words(const model::MeteredCost& cost) {
    const std::string known = to_rounded_text(cost.amounts);
    if (cost.unpriced_seconds == 0) return known.empty() ? translated("nothing") : known;
    const std::string time = spoken(std::chrono::seconds{cost.unpriced_seconds});
    return known.empty() ? translated("not known: {0} of machine time without a price", time)
                         : translated("{0} and {1} of machine time without a price", known, time);
}

Json costs_json(const std::optional<model::HourlyCost>& cost, const std::string& more,
                const std::vector<std::string>& warnings) {
    std::vector<std::string> said;
    for (const std::string& sentence : warnings) {
        std::string words = problem_words(sentence);
        if (std::ranges::count(said, words) == 0) said.push_back(std::move(words));
    }
    Json notes = Json::array();
    for (const std::string& words : said) notes.push_back(Json{{"note", words}});
    Json json;
    json["has_costs"] = cost.has_value() || !warnings.empty();
    json["cost_words"] = cost ? cost_words(*cost, more) : "";
    json["has_cost_notes"] = !notes.empty();
    json["cost_notes"] = std::move(notes);
    return json;
}

Json budget_limits_json(const operations::BudgetState& state) {
    const auto& [budget, use, warnings] = state;
    const auto text = [&](std::int64_t micros) {
        constexpr std::int64_t cent = model::micros_per_unit / 100;
        const bool is_less = micros > 0 && micros < cent;
        const std::string words =
            to_rounded_text(model::Money{budget.currency, is_less ? cent : micros});
        return is_less ? translated("less than {0}", words) : words;
    };
    const auto exact = [&](std::int64_t micros) {
        return to_text(model::Money{budget.currency, micros});
    };
    Json limits = Json::array();
    const std::int64_t hour = use.machines.hourly.per_hour.of(budget.currency);
    if (budget.per_hour) {
        limits.push_back(
            limit_json(translated("Per hour"), budget.per_hour, hour,
                       translated("{0} of {1}", exact(hour), exact(*budget.per_hour))));
    }
    const std::int64_t spent = use.spent.amounts.of(budget.currency);
    const std::int64_t committed = use.machines.committed.of(budget.currency);
    if (budget.per_month) {
        limits.push_back(
            limit_json(translated("In {0}", use.month.name), budget.per_month, spent + committed,
                       translated("{0} spent and {1} still to come for existing machines, of {2}",
                                  text(spent), text(committed), text(*budget.per_month))));
    }
    return limits;
}

std::string unpriced_words(const std::string& currency) {
    if (currency.empty()) return "";
    return translated(
        "The tenant has a budget, but no machine has a price in {0}: it cannot create clusters "
        "until there are prices.",
        currency);
}

std::string unpriced_words(const std::vector<operations::TypeAtProvider>& types,
                           const Labels& labels) {
    if (types.empty()) return "";
    constexpr std::size_t most_named = 5;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(types.size(), most_named); ++i) {
        const auto& [type, provider] = types[i];
        names.push_back(translated("{0} of {1}", labels.hardware_type(type),
                                   labels.of(model::CatalogueKind::provider, provider)));
    }
    if (types.size() > most_named) {
        names.push_back(translated("{0} more", grouped(types.size() - most_named)));
    }
    return translated(
        "The tenant has a budget, and these hardware types have no price: {0}. No cluster can have "
        "them until they have one.",
        listed(names));
}

std::string read_unpriced_types(provisioner::store::Connection& connection,
                                const model::Tenant& tenant, provisioner::base::Timestamp now) {
    const auto types = operations::unpriced_types(connection, tenant, now);
    if (types.empty()) return "";
    return unpriced_words(
        types, read_labels(connection, tenant.id,
                           {model::CatalogueKind::hardware_type, model::CatalogueKind::provider}));
}

std::string unpriced_words(const provisioner::base::Problems& problems) {
    const bool is_unpriced = std::ranges::any_of(problems, [](const auto& problem) {
        return problem.message.find("There is no price for ") != std::string::npos;
    });
    if (!is_unpriced) return "";
    return translated(
        "The tenant has a budget, and machines as they are chosen here have no price: no such "
        "cluster can be created until they have one.");
}

}  // namespace fcgi::pages
