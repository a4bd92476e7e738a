#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::model {

using TenantId = base::Id<struct TenantTag>;
using UserId = base::Id<struct UserTag>;
using ClusterId = base::Id<struct ClusterTag>;
using NodeId = base::Id<struct NodeTag>;
using JobId = base::Id<struct JobTag>;
using TaskId = base::Id<struct TaskTag>;

/// A cluster is `pending` while a job of it has not ended; `terminated` is final.
enum class ClusterStatus { pending, active, incomplete, inconsistent, terminated };

/// The catalogue as it was read for a cluster, frozen in it: later edits do not reach a cluster
/// that exists.
struct Snapshot {
    Provider provider;
    ClusterTemplate cluster_template;
    std::vector<Service> services;

    bool operator==(const Snapshot&) const = default;
};

base::Json to_json(const Snapshot& snapshot);

/// Reads what to_json wrote; throws std::logic_error for anything else.
Snapshot snapshot_from_json(const base::Json& json);

/// What a person asked for and what became of it.
struct Cluster {
    ClusterId id;
    TenantId tenant;
    /// 0: that user was deleted; admins of the tenant still see it.
    UserId owner_id{};
    /// The owner's name.
    std::string owner;
    std::string name;
    std::string description;
    ClusterStatus status = ClusterStatus::pending;
    /// Why the last job failed; empty when it did not.
    std::string message;
    base::Timestamp created_at{};
    std::optional<base::Timestamp> expires_at;
    std::vector<std::string> services;
    base::Json config = base::Json::object();
    Snapshot snapshot;
    JobId latest_job;
    int node_count = 0;
    /// What the names of its nodes end in; empty: "local".
    std::string dns_suffix{};
    /// Secret provider fields that people gave for this cluster: name -> sealed value. They go
    /// before those of the provider, and are wiped when its machines are gone.
    base::Json secrets = base::Json::object();
};

/// "00000001": eight digits, more when needed.
std::string wire_id(ClusterId id);

/// "00000001-002" and "00000001-002-011".
std::string wire_id(ClusterId cluster, JobId job);
std::string wire_id(ClusterId cluster, JobId job, TaskId task);

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::ClusterStatus>{
    std::pair{model::ClusterStatus::pending, std::string_view("pending")},
    std::pair{model::ClusterStatus::active, std::string_view("active")},
    std::pair{model::ClusterStatus::incomplete, std::string_view("incomplete")},
    std::pair{model::ClusterStatus::inconsistent, std::string_view("inconsistent")},
    std::pair{model::ClusterStatus::terminated, std::string_view("terminated")}};

}  // namespace provisioner::base
