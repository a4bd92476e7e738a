#include "provisioner/providers/digitalocean/requests.hpp"

#include <map>
#include <set>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/digitalocean/names.hpp"
#include "provisioner/providers/digitalocean/type.hpp"

namespace provisioner::providers::digitalocean {

namespace {

using base::Json;
using cloud::FirewallRule;
using cloud::text_of;

/// All ports, in rules and in answers.
constexpr auto every_port = "0";

Call call_of(const char* method, std::string path, const char* scope, Json body = nullptr) {
    Call call;
    call.method = method;
    call.path = std::move(path);
    call.scope = scope;
    call.body = std::move(body);
    return call;
}

std::string ports_text(const FirewallRule& rule) {
    if (rule.first_port == rule.last_port) return std::to_string(rule.first_port);
    return std::to_string(rule.first_port) + "-" + std::to_string(rule.last_port);
}

Json rule_of(const std::string& protocol, const std::string& ports, const char* side,
             Json members) {
    Json rule = Json::object();
    rule["protocol"] = protocol;
    rule["ports"] = ports;
    rule[side] = std::move(members);
    return rule;
}

Json addresses_member(Json addresses) {
    Json members = Json::object();
    members["addresses"] = std::move(addresses);
    return members;
}

Json tags_member(const std::string& tag) {
    Json members = Json::object();
    members["tags"] = Json::array({tag});
    return members;
}

/// Rules that let clients in: one for each protocol and range of ports.
Json rules_for_clients(const std::vector<FirewallRule>& wanted) {
    std::map<std::pair<std::string, std::string>, Json> addresses;
    for (const FirewallRule& rule : wanted) {
        auto& list = addresses[{rule.protocol, ports_text(rule)}];
        if (list.is_null()) list = Json::array();
        list.push_back(rule.range);
    }
    Json rules = Json::array();
    for (auto& [what, list] : addresses) {
        rules.push_back(rule_of(what.first, what.second, "sources", addresses_member(list)));
    }
    return rules;
}

constexpr std::array protocols{"tcp", "udp", "icmp"};

/// "in tcp 22 192.0.2.0/24" for each pair of a rule and one of its sources.
void add_sentences(const Json& firewall, const char* rules_name, const char* side,
                   std::set<std::string>& sentences) {
    const Json* rules = base::member(firewall, rules_name);
    if (rules == nullptr || !rules->is_array()) return;
    for (const Json& rule : *rules) {
        const std::string protocol = base::text_at(rule, "protocol");
        std::string ports = base::text_at(rule, "ports");
        const bool is_every =
            protocol == "icmp" || ports.empty() || ports == "all" || ports == "1-65535";
        if (is_every) ports = every_port;
        const Json* targets = base::member(rule, side);
        if (targets == nullptr || !targets->is_object()) continue;
        for (const auto& [kind, list] : targets->items()) {
            for (const Json& target : list) {
                sentences.insert(std::string(side) + " " + protocol + " " + ports + " " + kind +
                                 " " + base::to_text(target));
            }
        }
    }
}

std::set<std::string> sentences_of(const Json& firewall) {
    std::set<std::string> sentences;
    add_sentences(firewall, "inbound_rules", "sources", sentences);
    add_sentences(firewall, "outbound_rules", "destinations", sentences);
    for (const std::string& tag : base::strings_of(base::member(firewall, "tags"))) {
        sentences.insert("tag " + tag);
    }
    return sentences;
}

void add_choices(const Account& account, Json& body) {
    const std::string vpc = text_of(account, "digitalocean_vpc");
    if (!vpc.empty()) body["vpc_uuid"] = vpc;
    if (!has_public_address(account)) body["public_networking"] = false;
    for (const char* choice : {"ipv6", "monitoring", "backups"}) {
        const std::string field = std::string("digitalocean_") + choice;
        if (cloud::is_yes(text_of(account, field), false)) body[choice] = true;
    }
}

}  // namespace

Call create_droplet(const cloud::Order& order, const Parts& parts) {
    Json body = Json::object();
    body["name"] = droplet_name(order.mark);
    body["region"] = order.placement.zone;
    body["size"] = order.placement.flavor;
    const auto number = base::parse_number(order.spec.image);
    body["image"] = number ? Json(*number) : Json(order.spec.image);
    body["tags"] = own_tags(order.account);
    body["tags"].push_back(installation_tag(order.mark.installation));
    body["tags"].push_back(cluster_tag(order.mark));
    if (!order.user_data.empty()) body["user_data"] = order.user_data;
    if (parts.key) body["ssh_keys"] = Json::array({*parts.key});
    if (!parts.volume.empty()) body["volumes"] = Json::array({parts.volume});
    add_choices(order.account, body);
    Call call = call_of("POST", "/v2/droplets", "droplet:create, tag:create", std::move(body));
    call.makes_droplet = true;
    return call;
}

Call destroy_droplet(const std::string& id) {
    return call_of("DELETE", "/v2/droplets/" + cloud::percent_encoded(id), "droplet:delete");
}

Call create_tag(const std::string& tag) {
    Json body = Json::object();
    body["name"] = tag;
    return call_of("POST", "/v2/tags", "tag:create", std::move(body));
}

Call tag_droplets(const std::string& tag, const std::vector<std::string>& ids) {
    Json resources = Json::array();
    for (const std::string& id : ids) {
        resources.push_back({{"resource_id", id}, {"resource_type", "droplet"}});
    }
    Json body = Json::object();
    body["resources"] = std::move(resources);
    return call_of("POST", "/v2/tags/" + cloud::percent_encoded(tag) + "/resources", "tag:create",
                   std::move(body));
}

Call delete_tag(const std::string& tag) {
    return call_of("DELETE", "/v2/tags/" + cloud::percent_encoded(tag), "tag:delete");
}

Json firewall_body(const Account& account, const MachineSpec& spec) {
    const cloud::Mark mark = cloud::cluster_mark_of(account, spec);
    const std::string tag = cluster_tag(mark);
    Json inbound = rules_for_clients(cloud::wanted_rules(account, spec));
    Json outbound = Json::array();
    for (const char* protocol : protocols) {
        inbound.push_back(rule_of(protocol, every_port, "sources", tags_member(tag)));
        Json everywhere = Json::array({"0.0.0.0/0", "::/0"});
        outbound.push_back(
            rule_of(protocol, every_port, "destinations", addresses_member(std::move(everywhere))));
    }
    Json body = Json::object();
    body["name"] = firewall_name(mark);
    body["inbound_rules"] = std::move(inbound);
    body["outbound_rules"] = std::move(outbound);
    body["tags"] = Json::array({tag});
    return body;
}

bool is_as_wanted(const Json& firewall, const Json& wanted) {
    return sentences_of(firewall) == sentences_of(wanted);
}

Call create_volume(const Account& account, const cloud::Mark& mark, const std::string& region) {
    Json body = Json::object();
    body["name"] = volume_name(mark);
    body["region"] = region;
    body["size_gigabytes"] = volume_size(account);
    body["filesystem_type"] = "ext4";
    body["tags"] = Json::array({installation_tag(mark.installation), cluster_tag(mark)});
    return call_of("POST", "/v2/volumes", "block_storage:create, tag:create", std::move(body));
}

Json mounts_of_volume(const cloud::Mark& mark) {
    Json mount = Json::array({"/dev/disk/by-id/scsi-0DO_Volume_" + volume_name(mark), "/data",
                              "ext4", "defaults,nofail,discard", "0", "2"});
    Json members = Json::object();
    members["mounts"] = Json::array({std::move(mount)});
    return members;
}

}  // namespace provisioner::providers::digitalocean
