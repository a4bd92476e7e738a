#include "fcgi/pages/catalogue/editors/provider_choice.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;

Json to_json(const ProviderChoicePage& page) {
    std::vector<Json> types;
    for (const auto& type : page.types) {
        const std::string& name = type.header.name;
        Json item;
        item["type_name"] = name;
        item["type_label"] = type.header.label.value_or(name);
        item["type_about"] = type.header.description.value_or("");
        item["type_href"] = "/catalogue/new/providers?providertype=" + http::percent_encode(name);
        types.push_back(std::move(item));
    }
    std::ranges::stable_sort(types, {},
                             [](const Json& type) { return text_at(type, "type_label"); });
    Json json;
    json["has_types"] = !types.empty();
    json["types"] = std::move(types);
    return json;
}

}  // namespace fcgi::pages
