#include "provisioner/model/catalogue/entity.hpp"

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"

namespace provisioner::model {

using base::Json;

EntityHeader read_header(ObjectReader& reader) {
    EntityHeader header;
    // A name of the wrong shape is one Problem, not also a missing name.
    const bool readable = !reader.has("name") || reader.value("name")->is_primitive();
    header.name = reader.text("name").value_or("");
    const auto wrong = problem_with_name(header.name);
    if (readable && wrong) reader.problem("name", *wrong);
    header.label = reader.text("label");
    header.description = reader.text("description");
    header.icon = reader.text("icon");
    return header;
}

Json header_json(const EntityHeader& header) {
    Json json = Json::object();
    json["name"] = header.name;
    if (header.label) json["label"] = *header.label;
    if (header.description) json["description"] = *header.description;
    if (header.icon) json["icon"] = *header.icon;
    json["version"] = header.version;
    return json;
}

std::vector<Link> read_links(ObjectReader& reader) {
    std::vector<Link> links;
    for (ObjectReader& element : reader.objects("links")) {
        element.require("label");
        element.require("url");
        Link link{.label = element.text("label").value_or(""),
                  .url = element.text("url").value_or("")};
        if (std::find(links.begin(), links.end(), link) == links.end()) {
            links.push_back(std::move(link));
        }
    }
    return links;
}

Json links_json(const std::vector<Link>& links) {
    Json json = Json::array();
    for (const Link& link : links) json.push_back({{"label", link.label}, {"url", link.url}});
    return json;
}

}  // namespace provisioner::model
