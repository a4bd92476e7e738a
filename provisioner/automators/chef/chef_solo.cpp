#include "provisioner/automators/chef/chef_solo.hpp"

#include <array>

#include "provisioner/automators/chef/chef_solo_scripts.hpp"
#include "provisioner/automators/cluster_facts.hpp"
#include "provisioner/automators/node_files.hpp"
#include "provisioner/automators/resource_files.hpp"
#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using remote::quote;
using remote::Upload;

const std::string chef_home = "/var/cache/cooperage/chef-solo";
const std::string run_chef = chef_home + "/lib/run-chef";
const std::string chef_archives = chef_home + "/archives";
/// Directories that Chef, and cookbooks written for Coopr, expect.
const std::string documents = "/var/cache/coopr";
const std::string chef = "/var/chef";

Tool chef_tool() {
    return {.is_there =
                "(PATH=$PATH:" + chef_path() + "; command -v chef-solo || command -v cinc-solo)",
            .name = "Chef",
            .apt = "cinc chef",
            .yum = "cinc chef",
            .apt_least = "12.5",
            .otherwise = install_chef_by_vendor(),
            .advice =
                "put the package cinc or chef into the image, or let the node reach a source "
                "of packages that has it (apt, dnf, yum or omnitruck.chef.io)"};
}

remote::Steps bootstrap_chef(const AutomatorTask& task) {
    ResourceFiles files(chef_home);
    for (const Resource& resource : *task.resources) {
        const std::string place = "/" + resource.type;
        if (resource.type == "cookbooks" || resource.type == "data_bags") {
            files.add_archive(resource, chef + place, chef_archives + place);
        } else if (resource.type == "roles") {
            files.add_file(resource, chef + place + "/" + resource.name, readable);
        }
    }
    remote::Steps steps{
        make_directories({documents, chef + "/cookbooks", chef + "/data_bags", chef + "/roles",
                          chef_archives + "/cookbooks", chef_archives + "/data_bags"},
                         files.recall()),
        install_step(chef_tool()),
        Upload{.path = run_chef, .content = run_chef_script(), .mode = executable},
        Upload{.path = chef_home + "/lib/solo.rb", .content = solo_configuration()}};
    files.add_to(steps);
    return steps;
}

/// Lays `over` over `json`: two objects are merged, any other value is replaced.
void merge(Json& json, const Json& over) {
    for (const auto& [key, value] : over.items()) {
        Json& member = json[key];
        if (member.is_object() && value.is_object()) {
            merge(member, value);
        } else {
            member = value;
        }
    }
}

struct FromNode {
    const char* name;
    const char* pointer;
};

constexpr std::array of_the_node{
    FromNode{"services", "/config/services"}, FromNode{"hostname", "/config/hostname"},
    FromNode{"clusterId", "/clusterId"}, FromNode{"ipaddresses", "/config/ipaddresses"}};

std::string run_list_of(const AutomatorTask& task, base::Problems& problems) {
    const std::string* run_list = field_of(task, "run_list");
    std::string entries;
    if (run_list != nullptr) entries = *run_list;
    std::erase_if(entries, [](unsigned char c) { return std::isspace(c) != 0; });
    if (entries.empty()) problems.push_back({"run_list", "must be given"});
    return entries;
}

remote::Steps act_by_chef(const AutomatorTask& task, const std::string& run_list, const Json& own) {
    const Json document = task.document();
    const std::string attributes = documents + "/" + task.id + ".json";
    NodeAction action;
    action.label = label_of(task);
    action.limit = task.limit;
    action.directory = chef;
    action.files = {
        {.path = attributes, .content = json_file(chef_attributes(own, document), task)}};
    action.variables = exports(task, document);
    action.command = run_chef + " " + quote(attributes) + " " + quote(run_list) + "\n";
    return steps_of(std::move(action));
}

}  // namespace

base::Json chef_attributes(const Json& own, const Json& document) {
    const Json cluster = cluster_config(document);
    Json merged = cluster;
    merge(merged, own);
    const Json::json_pointer nodes("/config/nodes");
    merged["nodes"] = document.contains(nodes) ? document.at(nodes) : Json::object();

    Json attributes = own;
    attributes.update(merged);
    if (cluster.contains("coopr")) return attributes;
    Json& coopr = attributes["coopr"];
    if (!coopr.is_object()) coopr = Json::object();
    coopr["cluster"] = merged;
    for (const auto& [name, pointer] : of_the_node) {
        const Json::json_pointer place(pointer);
        if (document.contains(place)) coopr[name] = document.at(place);
    }
    return attributes;
}

base::Checked<remote::Steps> ChefSoloAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_with_task(task, "chef-solo");
    const bool first = task.action == model::Action::bootstrap;
    const std::string run_list = first ? "" : run_list_of(task, problems);
    const Json own = json_object_field(task, "json_attributes", problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return first ? bootstrap_chef(task) : act_by_chef(task, run_list, own);
}

model::PluginType ChefSoloAutomator::type() const {
    model::PluginType type;
    type.header.name = "chef-solo";
    type.header.description = "Runs Chef cookbooks and roles, without a server";
    type.kind = model::PluginKind::automator;
    type.admin.fields = {
        text_field("run_list", "run-list", "The chef-solo run-list for this action"),
        text_field("json_attributes", "JSON attributes",
                   "Custom JSON data for this chef-solo run")};
    type.admin.required = {{"run_list"}};
    type.resource_types = {{.name = "cookbooks", .format = "archive", .permissions = std::nullopt},
                           {.name = "data_bags", .format = "archive", .permissions = std::nullopt},
                           {.name = "roles", .format = "file", .permissions = std::nullopt}};
    return type;
}

}  // namespace provisioner::automators
