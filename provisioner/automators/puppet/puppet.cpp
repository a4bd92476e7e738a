#include "provisioner/automators/puppet/puppet.hpp"

#include <algorithm>

#include "provisioner/automators/cluster_facts.hpp"
#include "provisioner/automators/node_files.hpp"
#include "provisioner/automators/puppet/puppet_scripts.hpp"
#include "provisioner/automators/resource_files.hpp"
#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using remote::quote;
using remote::Upload;

const std::string puppet_home = "/var/cache/cooperage/puppet";
const std::string modules = puppet_home + "/modules";
const std::string manifests = puppet_home + "/manifests";
const std::string hiera = puppet_home + "/hiera";
const std::string puppet_archives = puppet_home + "/archives";
const std::string apply_manifest = puppet_home + "/lib/apply-manifest";

Tool puppet_tool() {
    return {.is_there = "(PATH=$PATH:" + puppet_path() + "; command -v puppet)",
            .name = "Puppet",
            .apt = "puppet-agent puppet",
            .yum = "puppet-agent puppet",
            .otherwise = "",
            .afterwards = stop_agent(),
            .advice =
                "put the package puppet-agent into the image, or let the node reach a source "
                "of packages that has it (apt, dnf or yum)"};
}

remote::Steps bootstrap_puppet(const AutomatorTask& task) {
    ResourceFiles files(puppet_home);
    for (const Resource& resource : *task.resources) {
        if (resource.type == "modules") {
            files.add_archive(resource, modules, puppet_archives + "/modules");
        } else if (resource.type == "manifests") {
            files.add_file(resource, manifests + "/" + resource.name, readable);
        } else if (resource.type == "hiera" && resource.is_gzip) {
            files.add_archive(resource, hiera, puppet_archives + "/hiera");
        } else if (resource.type == "hiera") {
            files.add_file(resource, hiera + "/" + resource.name, owner_only);
        }
    }
    remote::Steps steps{
        make_directories(
            {modules, manifests, hiera, puppet_archives + "/modules", puppet_archives + "/hiera"},
            files.recall()),
        install_step(puppet_tool()),
        Upload{.path = apply_manifest, .content = apply_manifest_script(), .mode = executable}};
    files.add_to(steps);
    return steps;
}

/// Text of the cluster's configuration is no expression: "%{" is escaped with Hiera's own function
/// literal().
Json not_interpolated(const std::string& text) {
    std::string literal;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool like_one = text[i] == '%' && i + 1 < text.size() && text[i + 1] == '{';
        literal += like_one ? "%{literal('%')}" : std::string(1, text[i]);
    }
    return literal;
}

/// The action's data wins over the cluster's, and that over data uploaded for all clusters.
Json hiera_config(const std::string& workspace) {
    const auto uploaded = [](const char* name, const Json& globs) -> Json {
        return {{"name", name}, {"data_hash", "yaml_data"}, {"datadir", hiera}, {"globs", globs}};
    };
    const auto ours = [&](const char* name, const char* file) -> Json {
        return {{"name", name}, {"data_hash", "json_data"}, {"datadir", workspace}, {"path", file}};
    };
    return {{"version", 5},
            {"hierarchy",
             {ours("action", "action.json"), ours("cluster", "cluster.json"),
              uploaded("node", {"**/nodes/%{facts.cooperage.hostname}.{yaml,yml,json}"}),
              uploaded("service", {"**/services/%{facts.cooperage.service}.{yaml,yml,json}"}),
              uploaded("everybody", {"*.{yaml,yml,json}", "*/*.{yaml,yml,json}"})}}};
}

Json cluster_data(const AutomatorTask& task, const Json& facts, const Json& document) {
    const Json config = cluster_config(document);
    Json data = config;
    // Puppet reads from it how values are converted, which can run programs.
    data.erase("lookup_options");
    data["cooperage"] = facts;
    data["cooperage"]["cluster"] = config;
    // Hiera interpolates the names of nested members, too, but not those it looks up.
    return with_strings(data, *task.shared, "not interpolated", not_interpolated, nullptr,
                        MemberNames::change_below);
}

bool is_class_name(std::string_view name) {
    bool starts = true;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i, 2) == "::") {
            if (starts && i > 0) return false;
            starts = true;
            ++i;
            continue;
        }
        const bool letter = name[i] >= 'a' && name[i] <= 'z';
        const bool later = (name[i] >= '0' && name[i] <= '9') || name[i] == '_';
        if (!letter && (starts || !later)) return false;
        starts = false;
    }
    return !starts;
}

bool is_environment(const std::string& name) {
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

struct WantedCatalogue {
    Json hiera_data;
    std::vector<std::string> classes;
    std::string environment;
};

WantedCatalogue read_puppet_fields(const AutomatorTask& task, base::Problems& problems) {
    WantedCatalogue wanted;
    want_one_of(task, "manifest", "classes", problems);
    if (const std::string* manifest = field_of(task, "manifest")) {
        live_resource(task, "manifests", *manifest, "manifest", problems);
    }
    if (const std::string* classes = field_of(task, "classes")) {
        wanted.classes = comma_list(*classes);
        if (wanted.classes.empty()) problems.push_back({"classes", "must name a class"});
    }
    for (const std::string& name : wanted.classes) {
        if (is_class_name(name)) continue;
        problems.push_back({"classes", "\"" + name + "\" is no name of a class"});
    }
    wanted.hiera_data = json_object_field(task, "hiera_data", problems);
    const std::string* environment = field_of(task, "environment");
    wanted.environment = environment == nullptr ? "production" : *environment;
    if (!is_environment(wanted.environment)) {
        problems.push_back({"environment", "must consist of a-z, 0-9 and _ only"});
    }
    return wanted;
}

std::string includes(const std::vector<std::string>& classes) {
    std::string manifest;
    for (const std::string& name : classes) manifest += "include " + name + "\n";
    return manifest;
}

remote::Steps act_by_puppet(const AutomatorTask& task, const WantedCatalogue& wanted) {
    const Json document = task.document();
    const Json facts = cluster_facts(task, document);
    const std::string workspace = puppet_home + "/tasks/" + task.id;
    const auto file = [&](const std::string& name, const Json& content) -> NodeFile {
        return {.path = workspace + "/" + name, .content = json_file(content, task)};
    };
    NodeAction action;
    action.label = label_of(task);
    action.limit = task.limit;
    action.directory = manifests;
    action.workspace = workspace;
    action.files = {
        file("hiera.yaml", hiera_config(workspace)),
        file("action.json", wanted.hiera_data),
        file("cluster.json", cluster_data(task, facts, document)),
        file("facts.d/cooperage.json", {{"cooperage", facts}}),
        {.path = workspace + "/environments/" + wanted.environment + "/environment.conf",
         .content = "modulepath = " + modules + ":$basemodulepath\n"}};
    action.variables = exports(task, document);
    std::string manifest = workspace + "/classes.pp";
    if (const std::string* name = field_of(task, "manifest")) {
        manifest = "./" + *name;
    } else {
        action.files.push_back({.path = manifest, .content = includes(wanted.classes)});
    }
    action.command = apply_manifest + " " + quote(workspace) +
                     " --environment=" + quote(wanted.environment) + " " + quote(manifest) + "\n";
    return steps_of(std::move(action));
}

}  // namespace

base::Checked<remote::Steps> PuppetAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_with_task(task, "puppet");
    const bool first = task.action == model::Action::bootstrap;
    WantedCatalogue wanted;
    if (!first) wanted = read_puppet_fields(task, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return first ? bootstrap_puppet(task) : act_by_puppet(task, wanted);
}

model::PluginType PuppetAutomator::type() const {
    model::PluginType type;
    type.header.name = "puppet";
    type.header.description = "Applies Puppet manifests and classes, without a server";
    type.kind = model::PluginKind::automator;
    type.admin.fields = {
        text_field("manifest", "Manifest", "The name of a manifest resource"),
        text_field("classes", "Classes", "Or a comma list of classes"),
        text_field("hiera_data", "Hiera data", "A JSON object; wins over all other data"),
        text_field("environment", "Environment", "Empty: production")};
    type.admin.required = {{"manifest"}, {"classes"}};
    type.resource_types = {{.name = "modules", .format = "archive", .permissions = std::nullopt},
                           {.name = "manifests", .format = "file", .permissions = std::nullopt},
                           {.name = "hiera", .format = "file", .permissions = std::nullopt}};
    return type;
}

}  // namespace provisioner::automators
