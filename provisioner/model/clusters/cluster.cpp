#include "provisioner/model/clusters/cluster.hpp"

#include <stdexcept>

namespace provisioner::model {

namespace {

using base::Json;

constexpr int cluster_digits = 8;
constexpr int job_and_task_digits = 3;

/// Readers of catalogue entries ignore "version", because people may not set it. In a stored
/// snapshot it is ours, so it is restored here.
template <class Entity>
Entity stored(base::Checked<Entity> read, const Json& json) {
    if (!read) {
        throw std::logic_error("a stored snapshot is damaged: " + base::to_text(read.error()));
    }
    read->header.version = json.value("version", 0);
    return std::move(*read);
}

const Json& part(const Json& json, std::string_view key) {
    const Json* found = base::member(json, key);
    if (found == nullptr) {
        throw std::logic_error("a stored snapshot lacks " + std::string(key));
    }
    return *found;
}

ClusterTemplate stored_template(const Json& json) {
    auto read = base::member(json, "immutable") == nullptr ? cluster_template_from_json(json)
                                                           : partial_template_from_json(json);
    return stored(std::move(read), json);
}

}  // namespace

Json to_json(const Snapshot& snapshot) {
    Json services = Json::array();
    for (const Service& service : snapshot.services) services.push_back(to_json(service));
    Json json = Json::object();
    json["provider"] = to_json(snapshot.provider);
    json["clusterTemplate"] = to_json(snapshot.cluster_template);
    json["services"] = std::move(services);
    if (snapshot.machines_asked_for > 0) json["machinesAskedFor"] = snapshot.machines_asked_for;
    return json;
}

Snapshot snapshot_from_json(const Json& json) {
    Snapshot snapshot;
    const Json& provider = part(json, "provider");
    snapshot.provider = stored(provider_from_json(provider), provider);
    snapshot.cluster_template = stored_template(part(json, "clusterTemplate"));
    const Json& services = part(json, "services");
    if (!services.is_array()) throw std::logic_error("a stored snapshot lacks a list of services");
    for (const Json& service : services) {
        snapshot.services.push_back(stored(service_from_json(service), service));
    }
    snapshot.machines_asked_for = json.value("machinesAskedFor", 0);
    return snapshot;
}

std::string wire_id(ClusterId id) {
    return base::padded(id.value, cluster_digits);
}

std::string wire_id(ClusterId cluster, JobId job) {
    return wire_id(cluster) + "-" + base::padded(job.value, job_and_task_digits);
}

std::string wire_id(ClusterId cluster, JobId job, TaskId task) {
    return wire_id(cluster, job) + "-" + base::padded(task.value, job_and_task_digits);
}

}  // namespace provisioner::model
