#include "provisioner/providers/openstack/parts.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include "provisioner/base/utf8.hpp"
#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {

namespace {

constexpr std::size_t longest_description = 255;
constexpr std::string_view taken = " taken, before: ";

bool is_v6(const std::string& range) {
    return range.find(':') != std::string::npos;
}

/// Without the bits of hosts, as Neutron writes it.
std::string canonical(const std::string& range) {
    boost::system::error_code wrong;
    if (is_v6(range)) {
        const auto network = boost::asio::ip::make_network_v6(range, wrong);
        return wrong ? range : network.canonical().to_string();
    }
    const auto network = boost::asio::ip::make_network_v4(range, wrong);
    return wrong ? range : network.canonical().to_string();
}

/// A rule as a text by which equal ones are found: all that Neutron compares.
std::string key_of(const base::Json& rule, const std::string& group) {
    const std::string ethertype = base::text_at(rule, "ethertype");
    std::string range = base::text_at(rule, "remote_ip_prefix");
    const std::string from_group = base::text_at(rule, "remote_group_id");
    if (range.empty() && from_group.empty()) range = ethertype == "IPv6" ? "::/0" : "0.0.0.0/0";
    const auto number = [&](const char* name) {
        const base::Json* value = base::member(rule, name);
        return value == nullptr || value->is_null() ? std::string() : base::to_text(*value);
    };
    const std::string protocol = base::text_at(rule, "protocol");
    return ethertype + " " + protocol + " " + number("port_range_min") + "-" +
           number("port_range_max") + " " + (range.empty() ? "" : canonical(range)) + " " +
           (from_group == group ? "itself" : from_group);
}

std::vector<base::Json> wanted_bodies(const std::string& group,
                                      const std::vector<cloud::FirewallRule>& wanted) {
    std::vector<base::Json> bodies;
    for (const char* ethertype : {"IPv4", "IPv6"}) {
        bodies.push_back({{"security_group_id", group},
                          {"direction", "ingress"},
                          {"ethertype", ethertype},
                          {"remote_group_id", group}});
    }
    for (const cloud::FirewallRule& rule : wanted) {
        bodies.push_back({{"security_group_id", group},
                          {"direction", "ingress"},
                          {"ethertype", is_v6(rule.range) ? "IPv6" : "IPv4"},
                          {"protocol", rule.protocol},
                          {"port_range_min", rule.first_port},
                          {"port_range_max", rule.last_port},
                          {"remote_ip_prefix", canonical(rule.range)}});
    }
    return bodies;
}

bool is_true(const base::Json& thing, const char* name) {
    const base::Json* value = base::member(thing, name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

}  // namespace

std::string description_of(const cloud::Mark& mark) {
    std::string text;
    for (const auto& [name, value] : cloud::tags_of(mark)) {
        text += (text.empty() ? "" : " ") + name + "=" + value;
    }
    return text;
}

cloud::Mark mark_in_description(const std::string& description) {
    std::map<std::string, std::string> tags;
    std::istringstream words(description.substr(0, description.find(taken)));
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        if (equals != std::string::npos) tags[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return cloud::mark_in(tags);
}

bool belongs_to(const cloud::Mark& own, const cloud::Mark& mark) {
    if (own.installation != mark.installation || own.installation.empty()) return false;
    if (!mark.name.empty() && own.name != mark.name) return false;
    if (mark.name.empty() && own.cluster != mark.cluster) return false;
    return mark.task == 0 || own.task <= mark.task;
}

std::string description_of_taken(const cloud::Mark& mark, const std::string& before) {
    const std::string begin = description_of(mark) + std::string(taken);
    const std::size_t left = longest_description - std::min(begin.size(), longest_description);
    return begin + std::string(base::utf8_prefix(before, left));
}

std::optional<std::string> description_before(const std::string& description) {
    const auto found = description.find(taken);
    if (found == std::string::npos) return std::nullopt;
    return description.substr(found + taken.size());
}

std::string id_named(const std::vector<base::Json>& things, const std::string& name,
                     const std::string& field, const std::string& what) {
    std::vector<std::string> ids;
    std::vector<std::string> names;
    for (const base::Json& thing : things) {
        const std::string id = base::text_at(thing, "id");
        if (id == name) return id;
        names.push_back(base::text_at(thing, "name"));
        if (names.back() == name) ids.push_back(id);
    }
    if (ids.size() == 1) return ids.front();
    if (ids.empty()) throw cloud::wrong(field + ": " + cloud::unknown_name(what, name, names));
    throw cloud::wrong(field + ": several of the name \"" + name + "\" are there (" + what +
                       "): give the id, one of " + listed(ids));
}

std::vector<base::Json> usable_networks(const std::vector<base::Json>& networks) {
    std::vector<base::Json> usable;
    for (const base::Json& network : networks) {
        const base::Json* subnets = base::member(network, "subnets");
        const bool has_subnets = subnets != nullptr && subnets->is_array() && !subnets->empty();
        const bool is_external = is_true(network, "router:external");
        if (is_true(network, "admin_state_up") && has_subnets && !is_external) {
            usable.push_back(network);
        }
    }
    return usable;
}

std::vector<base::Json> external_networks(const std::vector<base::Json>& networks) {
    std::vector<base::Json> external;
    for (const base::Json& network : networks) {
        if (is_true(network, "router:external")) external.push_back(network);
    }
    return external;
}

GroupChanges changes_of_group(const base::Json& group,
                              const std::vector<cloud::FirewallRule>& wanted) {
    const std::string id = base::text_at(group, "id");
    std::map<std::string, base::Json> missing;
    for (const base::Json& body : wanted_bodies(id, wanted)) missing[key_of(body, id)] = body;
    GroupChanges changes;
    std::set<std::string> there;
    const base::Json rules = group.value("security_group_rules", base::Json::array());
    for (const base::Json& rule : rules) {
        if (base::text_at(rule, "direction") != "ingress") continue;
        const std::string key = key_of(rule, id);
        if (missing.contains(key)) {
            there.insert(key);
        } else {
            changes.surplus.insert(base::text_at(rule, "id"));
        }
    }
    for (const auto& [key, body] : missing) {
        if (!there.contains(key)) changes.missing.push_back(body);
    }
    return changes;
}

}  // namespace provisioner::providers::openstack
