#include "fcgi/pages/costs.hpp"

#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
namespace model = provisioner::model;

std::string cost_words(const model::HourlyCost& cost) {
    std::size_t unpriced = 0;
    for (const auto& [kind, count] : cost.unpriced) unpriced += static_cast<std::size_t>(count);
    const std::string machines = counted(unpriced, "machine");
    if (cost.per_hour.empty()) {
        if (unpriced == 0) return "nothing";
        return "not known: " + machines + (unpriced == 1 ? " has" : " have") + " no price";
    }
    const std::string known = to_text(cost.per_hour) + " per hour";
    return unpriced == 0 ? known : known + " and " + machines + " without a price";
}

std::string cost_words(const model::MeteredCost& cost) {
    const std::string known = to_rounded_text(cost.amounts);
    if (cost.unpriced_seconds == 0) return known.empty() ? "nothing" : known;
    const std::string time = spoken(std::chrono::seconds{cost.unpriced_seconds});
    return known.empty() ? "not known: " + time + " without a price"
                         : known + " and " + time + " without a price";
}

Json costs_json(const std::optional<model::HourlyCost>& cost, const std::string& more,
                const std::vector<std::string>& warnings) {
    Json notes = Json::array();
    if (cost) {
        for (const std::string& sentence : model::unpriced_sentences(cost->unpriced)) {
            notes.push_back(Json{{"note", sentence}});
        }
    }
    for (const std::string& sentence : warnings) notes.push_back(Json{{"note", sentence}});
    Json json;
    json["has_costs"] = cost.has_value() || !warnings.empty();
    json["cost_words"] = cost ? cost_words(*cost) + more : "";
    json["has_cost_notes"] = !notes.empty();
    json["cost_notes"] = std::move(notes);
    return json;
}

}  // namespace fcgi::pages
