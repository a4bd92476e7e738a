#include "fcgi/forms/delete_cluster.hpp"

#include "fcgi/forms/provider_fields.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;

Checked<DeleteCluster> delete_cluster(const Json& json) {
    DeleteCluster wanted;
    if (json.is_null()) return wanted;
    Problems problems;
    ObjectReader reader(&json, "", problems);
    wanted.provider_fields = object_in(reader, "providerFields").value_or(Json::object());
    wanted.force = reader.truth("force").value_or(false);
    return provisioner::model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
