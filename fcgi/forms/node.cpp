#include "fcgi/forms/node.hpp"

#include "fcgi/forms/provider_fields.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;

namespace model = provisioner::model;

namespace {

// Lengths of the columns in characters.
constexpr std::size_t longest_id = 36;
constexpr std::size_t longest_property = 255;

std::string property(ObjectReader& properties, std::string_view key, std::string absent = "") {
    std::string text = properties.text(key).value_or(std::move(absent));
    if (provisioner::base::utf8_length(text) > longest_property) {
        properties.problem(key, "must not exceed 255 characters");
    }
    return text;
}

void read_properties(ObjectReader properties, model::Node& node) {
    node.hostname = property(properties, "hostname");
    node.hardware_type = property(properties, "hardwaretype");
    node.image_type = property(properties, "imagetype");
    node.flavor = property(properties, "flavor");
    node.image = property(properties, "image");
    node.ssh_user = property(properties, "sshuser", "root");
    node.addresses = properties.object("ipaddresses").texts();
    node.automators = properties.names("automators");
}

std::vector<std::string> names_of_services(ObjectReader& reader) {
    std::vector<std::string> names;
    for (ObjectReader& service : reader.objects("services")) {
        service.require("name");
        if (auto name = service.text("name")) names.push_back(*std::move(name));
    }
    return names;
}

}  // namespace

Checked<NodeQuestion> node_question(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    NodeQuestion question{.cluster = reader.text("clusterId").value_or(""),
                          .properties = reader.names("properties"),
                          .services = reader.names("services")};
    return model::unless_problems(std::move(question), std::move(problems));
}

Checked<model::Node> node(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    model::Node read;
    read.uuid = reader.text("id").value_or("");
    if (provisioner::base::utf8_length(read.uuid) > longest_id)
        reader.problem("id", "must not exceed 36 characters");
    const auto cluster = provisioner::base::parse_number(reader.text("clusterId").value_or(""));
    if (!cluster) reader.problem("clusterId", "must be the id of a cluster");
    read.cluster = model::ClusterId{cluster.value_or(0)};
    reader.require("services");
    read.services = names_of_services(reader);
    read_properties(reader.object("properties"), read);
    read.results = object_in(reader, "provisionerResults").value_or(Json::object());
    return model::unless_problems(std::move(read), std::move(problems));
}

}  // namespace fcgi::forms
