#include "fcgi/api/costs.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::model::decimal_text;

namespace {

namespace model = provisioner::model;

Json unpriced_json(const model::MachineCounts& unpriced) {
    const auto sentences = model::unpriced_sentences(unpriced);
    Json list = Json::array();
    for (const auto& [kind, count] : unpriced) {
        list.push_back({{"providerType", kind.provider_type},
                        {"provider", kind.provider},
                        {"region", kind.region},
                        {"flavor", kind.flavor},
                        {"image", kind.image},
                        {"machines", count},
                        {"message", sentences[list.size()]}});
    }
    return list;
}

Json limit_json(const std::optional<std::int64_t>& micros) {
    return micros ? Json(decimal_text(*micros)) : Json();
}

}  // namespace

Json amounts_json(const model::Amounts& amounts) {
    Json list = Json::array();
    for (const auto& [currency, micros] : amounts.by_currency()) {
        list.push_back({{"currency", currency}, {"amount", decimal_text(micros)}});
    }
    return list;
}

Json to_json(const model::HourlyCost& cost) {
    return {{"perHour", amounts_json(cost.per_hour)}, {"unpriced", unpriced_json(cost.unpriced)}};
}

Json to_json(const provisioner::operations::ClusterCost& cost) {
    Json json = to_json(cost.hourly);
    json["soFar"] = amounts_json(cost.so_far.amounts);
    json["unpricedSeconds"] = cost.so_far.unpriced_seconds;
    return json;
}

Json to_json(const model::Budget& budget) {
    return {{"currency", budget.currency},
            {"perHour", limit_json(budget.per_hour)},
            {"perMonth", limit_json(budget.per_month)}};
}

Json to_json(const provisioner::operations::BudgetState& state) {
    const std::string& currency = state.budget.currency;
    const model::BudgetUse& use = state.use;
    Json json = to_json(state.budget);
    json["month"] = use.month.name;
    json["usedPerHour"] = decimal_text(use.machines.hourly.per_hour.of(currency));
    json["spent"] = decimal_text(use.spent.amounts.of(currency));
    json["committed"] = decimal_text(use.machines.committed.of(currency));
    json["warnings"] = state.warnings;
    return json;
}

http::Response csv(std::string body, const std::string& file_name) {
    http::Response response{.status = 200,
                            .headers = {{"Content-Type", "text/csv; charset=utf-8"}},
                            .body = std::move(body)};
    return http::with_header(std::move(response), "Content-Disposition",
                             "attachment; filename=\"" + file_name + "\"");
}

}  // namespace fcgi::api
