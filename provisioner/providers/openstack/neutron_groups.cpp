#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/neutron.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::NotYet;
using http_client::Reply;

namespace {

/// Several machines of a cluster may make its group at the same time. All wait for that long, and
/// then take the oldest: times are in seconds, so one that is made later cannot look as old.
constexpr std::chrono::milliseconds settled_after{2000};

bool is_older(const base::Json& one, const base::Json& other) {
    const auto key = [](const base::Json& group) {
        return std::pair(base::text_at(group, "created_at"), base::text_at(group, "id"));
    };
    return key(one) < key(other);
}

}  // namespace

asio::awaitable<std::vector<std::string>> Neutron::groups(const Account& account,
                                                          const MachineSpec& spec) {
    const auto names = cloud::list_in(cloud::setting(account, spec, "security_groups"));
    std::vector<std::string> ids;
    if (!names.empty()) {
        const std::vector<base::Json> all =
            co_await api_.list_kept(account, "network", "/security-groups", "security_groups");
        for (const std::string& name : names) {
            ids.push_back(id_named(all, name, "security_groups", "security group"));
            const auto found = std::find_if(all.begin(), all.end(), [&](const base::Json& group) {
                return base::text_at(group, "id") == ids.back();
            });
            cloud::refuse_own_name("security_groups", base::text_at(*found, "name"));
        }
        co_return ids;
    }
    const base::Json own = co_await own_group(account, spec);
    co_await repair(account, spec, own);
    ids.push_back(base::text_at(own, "id"));
    co_return ids;
}

asio::awaitable<std::vector<base::Json>> Neutron::groups_described(const Account& account,
                                                                   std::string description) {
    const std::string path = "/security-groups?description=" + cloud::percent_encoded(description);
    std::vector<base::Json> found = co_await api_.list(account, "network", path, "security_groups");
    std::erase_if(found, [&](const base::Json& group) {
        return base::text_at(group, "description") != description;
    });
    co_return found;
}

asio::awaitable<base::Json> Neutron::own_group(const Account& account, const MachineSpec& spec) {
    const std::string description = description_of(cloud::cluster_mark_of(account, spec));
    std::vector<base::Json> found = co_await groups_described(account, description);
    std::sort(found.begin(), found.end(), is_older);
    if (found.empty()) {
        base::Json group = base::Json::object();
        group["name"] = cloud::cloud_name(account, spec.cluster);
        group["description"] = description;
        const base::Json made = co_await change(account, "POST", "/security-groups",
                                                "security_group", std::move(group));
        throw NotYet(settled_after,
                     "the security group " + base::text_at(made, "id") + " has been made");
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
        const std::string double_path = "/security-groups/" + base::text_at(found[i], "id");
        co_await api_.remove(account, "network", double_path, "the second group");
    }
    co_return found.front();
}

asio::awaitable<void> Neutron::repair(const Account& account, const MachineSpec& spec,
                                      const base::Json& group) {
    const GroupChanges changes = changes_of_group(group, cloud::wanted_rules(account, spec));
    for (const base::Json& rule : changes.missing) {
        Call call;
        call.method = "POST";
        call.service = "network";
        call.path = "/security-group-rules";
        call.body["security_group_rule"] = rule;
        const Reply reply = co_await api_.send(account, std::move(call));
        if (is_group_gone(reply)) {
            throw NotYet(settled_after, "the security group was deleted meanwhile");
        }
        // 409: another machine of the cluster has just made the same.
        const bool is_there = reply.status == 409 && !is_quota(reply);
        if (reply.status != 201 && !is_there) throw_refusal(reply, "a rule of the security group");
    }
    for (const std::string& id : changes.surplus) {
        co_await api_.remove(account, "network", "/security-group-rules/" + id,
                             "a rule of the security group");
    }
}

}  // namespace provisioner::providers::openstack
