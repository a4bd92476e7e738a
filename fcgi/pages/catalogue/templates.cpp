#include "fcgi/pages/catalogue/templates.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/page_reads.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::model::ClusterTemplate;

namespace {

constexpr std::size_t services_on_a_card = 5;

Json card_json(const ClusterTemplate& cluster_template) {
    const auto& header = cluster_template.header;
    const auto& names = cluster_template.defaults.services;
    Json services = Json::array();
    for (std::size_t i = 0; i < std::min(names.size(), services_on_a_card); ++i) {
        services.push_back(Json{{"service", names[i]}});
    }
    Json json;
    json["href"] = "/clusters/new?template=" + http::percent_encode(header.name);
    json["title"] = title_of(header);
    json["description"] = header.description.value_or("");
    json["more_services"] =
        names.size() > services_on_a_card ? Json(names.size() - services_on_a_card) : Json();
    json["services"] = std::move(services);
    json["size"] = size_words(cluster_template.constraints);
    json["lease"] = "Lease: " + lease_words(cluster_template.lease);
    return json;
}

}  // namespace

Json to_json(const TemplatesPage& page) {
    Json list = Json::array();
    for (const auto& cluster_template : page.templates) list.push_back(card_json(cluster_template));
    Json json;
    json["has_templates"] = !page.templates.empty();
    json["templates"] = std::move(list);
    return json;
}

http::Response list_templates(const http::Request&, const auth::Visitor& visitor, App& app) {
    auto templates = app.database.read(
        [&](provisioner::store::Connection& c) { return read_templates(c, visitor.who()); });
    return drawn(app, visitor, 200, "catalogue/templates",
                 {.title = "Templates", .section = "templates"},
                 to_json(TemplatesPage{std::move(templates)}));
}

}  // namespace fcgi::pages
