#include "fcgi/pages/costs.hpp"

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;

std::string cost_words(const model::HourlyCost& cost) {
    std::size_t unpriced = 0;
    for (const auto& [kind, count] : cost.unpriced) unpriced += static_cast<std::size_t>(count);
    const std::string machines = translated_count(unpriced, "{0} machine", "{0} machines");
    if (cost.per_hour.empty()) {
        if (unpriced == 0) return translated("nothing");
        return translated("not known: {0}{1} no price", machines,
                          (unpriced == 1 ? translated(" has") : translated(" have")));
    }
    const std::string known = translated("{0} per hour", to_text(cost.per_hour));
    return unpriced == 0 ? known : translated("{0} and {1} without a price", known, machines);
}

std::string cost_words(const model::MeteredCost& cost) {
    const std::string known = to_rounded_text(cost.amounts);
    if (cost.unpriced_seconds == 0) return known.empty() ? translated("nothing") : known;
    const std::string time = spoken(std::chrono::seconds{cost.unpriced_seconds});
    return known.empty() ? translated("not known: {0} without a price", time)
                         : translated("{0} and {1} without a price", known, time);
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
