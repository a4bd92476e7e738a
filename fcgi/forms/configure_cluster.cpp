#include "fcgi/forms/configure_cluster.hpp"

#include "fcgi/forms/provider_fields.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
using provisioner::operations::ConfigureCluster;

Checked<ConfigureCluster> configure_cluster(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    ConfigureCluster wanted;
    reader.require("config");
    wanted.config = object_in(reader, "config").value_or(Json::object());
    wanted.restart = reader.truth("restart").value_or(true);
    wanted.provider_fields = object_in(reader, "providerFields").value_or(Json::object());
    return provisioner::model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
