#include "fcgi/forms/create_cluster.hpp"

#include "fcgi/forms/provider_fields.hpp"
#include "fcgi/forms/signed_number.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
using provisioner::operations::CreateCluster;
using std::chrono::milliseconds;

namespace model = provisioner::model;

namespace {

constexpr auto lease_key = "initialLeaseDuration";

std::optional<std::string> name_in(ObjectReader& reader, std::string_view key) {
    auto name = reader.text(key);
    if (name && name->empty()) return std::nullopt;
    return name;
}

std::optional<milliseconds> lease_in(ObjectReader& reader) {
    const Json* lease = reader.value(lease_key);
    if (lease == nullptr) return std::nullopt;
    const auto number = signed_number(*lease);
    if (!number) return reader.duration(lease_key);
    if (*number == -1) return std::nullopt;
    return milliseconds{*number};
}

std::string description_in(ObjectReader& reader) {
    std::string description = reader.text("description").value_or("");
    if (description.size() > model::longest_text) {
        reader.problem("description",
                       "must not be longer than " + std::to_string(model::longest_text) + " bytes");
    }
    return description;
}

}  // namespace

Checked<CreateCluster> create_cluster(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    CreateCluster wanted;
    wanted.name = reader.text("name").value_or("");
    wanted.cluster_template = reader.text("clusterTemplate").value_or("");
    wanted.machines = reader.whole_number("numMachines").value_or(0);
    wanted.description = description_in(reader);
    wanted.provider = name_in(reader, "provider");
    wanted.provider_fields = object_in(reader, "providerFields").value_or(Json::object());
    wanted.services = reader.names("services");
    wanted.hardware_type = name_in(reader, "hardwaretype");
    wanted.image_type = name_in(reader, "imagetype");
    wanted.lease = lease_in(reader);
    wanted.dns_suffix = name_in(reader, "dnsSuffix");
    wanted.config = object_in(reader, "config").value_or(Json());
    return provisioner::model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
