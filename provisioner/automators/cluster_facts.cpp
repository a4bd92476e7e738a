#include "provisioner/automators/cluster_facts.hpp"

#include <array>

#include "provisioner/automators/document_values.hpp"

namespace provisioner::automators {

namespace {

using base::Json;

constexpr std::array of_this_node{"hostname", "nodenum", "ipaddresses", "services"};
constexpr std::array of_each_node{"nodenum", "ipaddresses", "services", "hardwaretype",
                                  "imagetype"};

template <class Names>
void copy_members(const Names& names, const Json& from, Json::object_t& to) {
    for (const char* name : names) {
        if (const Json* found = base::member(from, name)) to.emplace_back(name, *found);
    }
}

Json nodes_by_hostname(const Json& nodes) {
    // Appended without a look-up: an ordered object would search all of its keys for each new one.
    Json::object_t by_hostname;
    for (const auto& [id, node] : nodes.items()) {
        Json::object_t told;
        copy_members(of_each_node, node, told);
        by_hostname.emplace_back(value_at(node, "/hostname"), std::move(told));
    }
    return by_hostname;
}

}  // namespace

base::Json cluster_facts(const AutomatorTask& task, const Json& document) {
    Json::object_t facts;
    facts.emplace_back("action", base::to_word(task.action));
    facts.emplace_back("service", task.service);
    facts.emplace_back("task_id", task.id);
    facts.emplace_back("cluster_id", value_at(document, "/clusterId"));
    const Json* config = base::member(document, "config");
    if (config == nullptr) return facts;
    copy_members(of_this_node, *config, facts);
    const Json* nodes = base::member(*config, "nodes");
    facts.emplace_back(
        "nodes", nodes == nullptr ? Json::object()
                                  : task.shared->changed(*nodes, "by hostname", nodes_by_hostname));
    return facts;
}

base::Json cluster_config(const Json& document) {
    const Json::json_pointer place("/config/cluster");
    const bool there = document.contains(place) && document.at(place).is_object();
    return there ? document.at(place) : Json::object();
}

const Json& nodes_of(const Json& facts) {
    static const Json none = Json::object();
    const Json* nodes = base::member(facts, "nodes");
    return nodes == nullptr ? none : *nodes;
}

base::Json with_strings(const Json& json, SharedValues& shared, const std::string& how,
                        const std::function<Json(const std::string&)>& change,
                        bool (*keeps)(const std::string&), MemberNames names) {
    if (is_reference(json)) {
        return shared.changed(json, how, [how, change, keeps, names](const Json& value) {
            SharedValues none;
            return with_strings(value, none, how, change, keeps, names);
        });
    }
    if (json.is_string()) return change(json.get<std::string>());
    if (!json.is_structured()) return json;
    const MemberNames below = names == MemberNames::stay ? names : MemberNames::change;
    Json changed = json.is_array() ? Json::array() : Json::object();
    for (const auto& [key, member] : json.items()) {
        if (json.is_array()) {
            changed.push_back(with_strings(member, shared, how, change, keeps, below));
        } else if (keeps == nullptr || keeps(key)) {
            const Json name = names == MemberNames::change ? change(key) : Json(key);
            changed.get_ref<Json::object_t&>().emplace_back(
                name.is_string() ? name.get<std::string>() : key,
                with_strings(member, shared, how, change, keeps, below));
        }
    }
    return changed;
}

}  // namespace provisioner::automators
