#include "provisioner/operations/clusters/prepare.hpp"

#include <algorithm>

#include "provisioner/model/names.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/catalogue/provider_fields.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/machine_settings.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::operations {

MachineTypes machine_types(store::Connection& connection, model::TenantId tenant) {
    return {.hardware = stored_entries(connection, tenant, model::CatalogueKind::hardware_type,
                                       model::hardware_type_from_json),
            .image = stored_entries(connection, tenant, model::CatalogueKind::image_type,
                                    model::image_type_from_json)};
}

model::Node node_row(const model::Cluster& cluster, const NodePreview& preview,
                     const MachineTypes& types) {
    const std::string& provider = cluster.snapshot.provider.header.name;
    auto settings = machine_settings(types.hardware, types.image, preview.hardware_type,
                                     preview.image_type, provider);
    model::Node node;
    node.cluster = cluster.id;
    node.uuid = base::random_uuid();
    node.nodenum = preview.nodenum;
    node.hostname =
        model::hostname(cluster.name, cluster.id.value, preview.nodenum, cluster.dns_suffix);
    node.hardware_type = preview.hardware_type;
    node.image_type = preview.image_type;
    const auto take = [&](const char* name, std::string& member) {
        if (const auto found = settings.find(name); found != settings.end()) member = found->second;
    };
    take("flavor", node.flavor);
    take("image", node.image);
    take("sshuser", node.ssh_user);
    node.settings = std::move(settings);
    node.services = preview.services;
    node.automators = model::automators_of(preview.services, cluster.snapshot.services);
    return node;
}

bool exceeds_quota(store::Connection& connection, const model::Tenant& tenant,
                   const store::TenantUse& more) {
    // The quota may have changed, or the tenant may have been deleted, since the caller was
    // authenticated.
    const auto now = store::find_tenant(connection, tenant.name);
    if (!now || now->id != tenant.id) return true;
    const store::TenantUse use = store::use_of(connection, tenant.id);
    const bool too_many_clusters =
        more.clusters > 0 && more.clusters > now->max_clusters - use.clusters;
    return too_many_clusters || more.nodes > now->max_nodes - use.nodes;
}

Result<void> check_size(const model::Constraints& constraints, int machines) {
    if (machines >= constraints.size_min && machines <= constraints.size_max) return {};
    return refuse(Refusal::Kind::invalid, "numMachines",
                  "Size must be at least " + std::to_string(constraints.size_min) +
                      " but not greater than " + std::to_string(constraints.size_max) +
                      ". Now it's " + std::to_string(machines));
}

namespace {

// What a user sends is compared, kept with the cluster and told in messages: without limits, a
// single request could do so for minutes and with megabytes.
constexpr std::size_t most_services = model::most_services_of_a_template;
constexpr std::size_t longest_name = 255;
constexpr std::size_t longest_provider_fields = 64UL * 1024;

/// Has no problems where the request is right by itself.
Refusal problems_of_the_request(const CreateCluster& wanted) {
    Refusal refusal;
    const auto note = [&](std::string field, std::string message) {
        refusal.problems.push_back({.field = std::move(field), .message = std::move(message)});
    };
    if (wanted.name.empty()) note("name", "cluster name must be specified");
    if (wanted.cluster_template.empty()) {
        note("clusterTemplate", "cluster template must be specified");
    }
    if (wanted.machines <= 0) note("numMachines", "cluster size must be greater than 0");
    if (wanted.dns_suffix && !model::is_dns_suffix(*wanted.dns_suffix)) {
        note("dnsSuffix", *wanted.dns_suffix + " is an invalid DNS suffix.");
    }
    if (wanted.machines > max_cluster_size) {
        note("numMachines",
             "numMachines above max cluster size " + std::to_string(max_cluster_size));
    }
    if (!wanted.name.empty()) {
        if (const auto problem = model::problem_with_name(wanted.name)) note("name", *problem);
    }
    if (wanted.services.size() > most_services) {
        note("services", "more than " + std::to_string(most_services) + " services");
    }
    const auto is_too_long = [](const std::string& name) { return name.size() > longest_name; };
    if (std::ranges::any_of(wanted.services, is_too_long)) {
        note("services", "names of services have at most 255 bytes");
    }
    if (base::to_text(wanted.provider_fields).size() > longest_provider_fields) {
        note("providerFields", "must not be longer than 65536 bytes in all");
    }
    return refusal;
}

/// The type's secret fields: name -> true, in the form of with_user_fields' `known`.
base::Json secret_names(const model::PluginType& type) {
    base::Json names = base::Json::object();
    for (const auto* parameters : {&type.admin, &type.user}) {
        for (const model::PluginField& field : parameters->fields) {
            if (field.is_secret()) names[field.name] = true;
        }
    }
    return names;
}

/// A provider with what a request gives for it.
struct FoundProvider {
    TakenFields taken{};
    std::string region{};
};

Result<FoundProvider> find_provider(store::Connection& connection, const model::Caller& caller,
                                    const CreateCluster& wanted,
                                    const model::ClusterTemplate& cluster_template) {
    const std::string name =
        wanted.provider.value_or(cluster_template.defaults.provider.value_or("null"));
    const auto provider = stored_entry(connection, caller.tenant.id, model::CatalogueKind::provider,
                                       name, model::provider_from_json);
    if (!provider) {
        return refuse(Refusal::Kind::not_found, "provider",
                      "provider " + name + " does not exist.");
    }
    if (auto wrong = problem_with_provider_type(connection, caller, "provider", *provider)) {
        return refuse(Refusal::Kind::forbidden, {*std::move(wrong)});
    }
    const auto type =
        store::find_plugin_type(connection, model::PluginKind::provider, provider->provider_type);
    if (!type) {
        return refuse(Refusal::Kind::not_found, "provider",
                      "provider type " + provider->provider_type + " does not exist.");
    }
    auto taken =
        with_user_fields(*provider, *type, wanted.provider_fields, fields_of(caller),
                         wanted.secrets_come_later ? secret_names(*type) : base::Json::object());
    if (!taken) return base::unexpected(taken.error());
    auto region = model::region_of(*type, taken->provider.fields);
    return FoundProvider{.taken = *std::move(taken), .region = std::move(region)};
}

solver::LayoutProblem layout_problem(const CreateCluster& wanted, const PreparedCluster& prepared,
                                     const std::vector<model::Service>& all_services) {
    return {
        .cluster_template = prepared.snapshot.cluster_template,
        .provider = prepared.snapshot.provider.header.name,
        .machines = wanted.machines,
        .services = wanted.services,
        .hardware_type = wanted.hardware_type,
        .image_type = wanted.image_type,
        .hardware_types = prepared.hardware_types,
        .image_types = prepared.image_types,
        .all_services = all_services,
    };
}

Result<planner::TaskGraph> plan_create(const PreparedCluster& prepared) {
    planner::PlanRequest request{
        .operation = model::Operation::cluster_create,
        .nodes = {},
        .services = prepared.snapshot.services,
        .only_nodes = {},
        .only_services = {},
    };
    for (const NodePreview& node : number_nodes(prepared.layout)) {
        request.nodes.push_back({.name = std::to_string(node.nodenum), .services = node.services});
    }
    auto graph = planner::plan(request);
    if (graph) return *std::move(graph);
    Refusal refusal;
    refusal.kind = Refusal::Kind::unsatisfiable;
    refusal.problems = graph.error();
    refusal.wire_message = "Failed to schedule the action";
    return base::unexpected(std::move(refusal));
}

model::MachineCounts count_by_kind(const PreparedCluster& prepared) {
    model::MachineCounts machines;
    const model::Provider& provider = prepared.snapshot.provider;
    for (const solver::NodeGroup& group : prepared.layout.groups) {
        auto settings =
            machine_settings(prepared.hardware_types, prepared.image_types, group.hardware_type,
                             group.image_type, provider.header.name);
        machines[{.provider_type = provider.provider_type,
                  .provider = provider.header.name,
                  .region = prepared.region,
                  .flavor = settings["flavor"],
                  .image = settings["image"]}] += group.count;
    }
    return machines;
}

/// Sets the cost and the warnings, or refuses a cluster that the tenant's budget does not allow.
Result<void> check_costs(store::Connection& connection, const model::Tenant& tenant,
                         PreparedCluster& prepared, base::Timestamp now) {
    const MoreMachines more{.machines = count_by_kind(prepared), .until = prepared.expires_at};
    auto allowed = check_budget(connection, tenant, more, now);
    if (!allowed) return base::unexpected(allowed.error());
    prepared.warnings = *std::move(allowed);
    prepared.cost = hourly_cost(connection, tenant.id, more.machines, now);
    return {};
}

std::vector<model::Service> chosen_services(const std::vector<model::Service>& all,
                                            const std::vector<std::string>& names) {
    std::vector<model::Service> chosen;
    for (const model::Service& service : all) {
        if (std::find(names.begin(), names.end(), service.header.name) != names.end()) {
            chosen.push_back(service);
        }
    }
    return chosen;
}

}  // namespace

std::vector<NodePreview> number_nodes(const solver::ClusterLayout& layout, int first) {
    std::vector<NodePreview> nodes;
    for (const solver::NodeGroup& group : layout.groups) {
        for (int i = 0; i < group.count; ++i) {
            nodes.push_back({
                .nodenum = first + static_cast<int>(nodes.size()),
                .hardware_type = group.hardware_type,
                .image_type = group.image_type,
                .services = group.services,
            });
        }
    }
    return nodes;
}

namespace {

Result<void> check_permissions(const model::Withheld& withheld, const CreateCluster& wanted,
                               const model::TemplateDefaults& defaults) {
    using model::CatalogueKind;
    const auto either = [](const auto& first, const auto& second) {
        return first ? *first : second.value_or("");
    };
    std::vector<NamedEntry> entries{
        {"clusterTemplate", CatalogueKind::cluster_template, wanted.cluster_template},
        {"provider", CatalogueKind::provider, either(wanted.provider, defaults.provider)},
        {"hardwaretype", CatalogueKind::hardware_type,
         either(wanted.hardware_type, defaults.hardware_type)},
        {"imagetype", CatalogueKind::image_type, either(wanted.image_type, defaults.image_type)}};
    for (const auto& name : wanted.services.empty() ? defaults.services : wanted.services) {
        entries.push_back({"services", CatalogueKind::service, name});
    }
    auto problems = withheld_problems(withheld, entries);
    if (problems.empty()) return {};
    return refuse(Refusal::Kind::forbidden, std::move(problems));
}

std::string dns_suffix_of(const CreateCluster& wanted,
                          const model::ClusterTemplate& cluster_template) {
    return wanted.dns_suffix.value_or(cluster_template.defaults.dns_suffix.value_or(""));
}

/// Adds what is wrong for this template.
void add_problems_with(const CreateCluster& wanted, const model::ClusterTemplate& cluster_template,
                       Refusal& wrong) {
    const auto is_noted = [&](const char* field) {
        return std::ranges::any_of(wrong.problems,
                                   [&](const auto& problem) { return problem.field == field; });
    };
    const auto size = check_size(cluster_template.constraints, wanted.machines);
    if (!size && !is_noted("numMachines")) {
        std::ranges::copy(size.error().problems, std::back_inserter(wrong.problems));
    }
    const std::string dns_suffix = dns_suffix_of(wanted, cluster_template);
    // The template's own suffix is not checked when the template is written.
    if (!model::is_default_dns_suffix(dns_suffix) && !is_noted("dnsSuffix")) {
        wrong.problems.push_back({"dnsSuffix", dns_suffix + " is an invalid DNS suffix."});
    }
}

Result<std::optional<base::Timestamp>> expiry_of(const CreateCluster& wanted,
                                                 const model::ClusterTemplate& cluster_template,
                                                 base::Timestamp now) {
    const auto lease = initial_lease(wanted.lease, cluster_template.lease.initial);
    if (!lease) return base::unexpected(lease.error());
    return first_expiry(*lease, now);
}

/// All that is wrong is said at once; the first refusal gives the kind.
void add_refusal(Refusal& wrong, const Refusal& more) {
    if (wrong.problems.empty()) {
        wrong = more;
        return;
    }
    std::ranges::copy(more.problems, std::back_inserter(wrong.problems));
    if (wrong.missing_fields.empty()) wrong.missing_fields = more.missing_fields;
}

Result<model::ClusterTemplate> template_of_request(store::Connection& connection,
                                                   const model::Caller& caller,
                                                   const CreateCluster& wanted) {
    const auto tenant = caller.tenant.id;
    if (!wanted.of_draft) return find_resolved(connection, tenant, wanted.cluster_template);
    if (!caller.is_admin()) {
        return refuse(Refusal::Kind::not_found, "clusterTemplate",
                      "cluster template " + wanted.cluster_template + " does not exist.");
    }
    return find_resolved_draft(connection, tenant, wanted.cluster_template);
}

/// The frame, for a caller who may not use `withheld`. `wrong`: what is wrong with the request by
/// itself; it is refused together with what is wrong for the template.
Result<PreparedCluster> prepare_frame(store::Connection& connection, const model::Caller& caller,
                                      const CreateCluster& wanted, base::Timestamp now,
                                      const model::Withheld& withheld, Refusal wrong = {}) {
    auto cluster_template = template_of_request(connection, caller, wanted);
    if (!cluster_template) {
        return base::unexpected(wrong.problems.empty() ? cluster_template.error()
                                                       : std::move(wrong));
    }
    if (auto may = check_permissions(withheld, wanted, cluster_template->defaults); !may) {
        return base::unexpected(wrong.problems.empty() ? may.error() : std::move(wrong));
    }
    add_problems_with(wanted, *cluster_template, wrong);
    const auto config = model::with_masked_config(wanted.config, cluster_template->defaults.config);
    if (!config) std::ranges::copy(config.error(), std::back_inserter(wrong.problems));
    auto provider = find_provider(connection, caller, wanted, *cluster_template);
    if (!provider) add_refusal(wrong, provider.error());
    const auto expiry = expiry_of(wanted, *cluster_template, now);
    if (!expiry) add_refusal(wrong, expiry.error());
    if (!wrong.problems.empty()) return base::unexpected(std::move(wrong));

    const model::TemplateDefaults& defaults = cluster_template->defaults;
    PreparedCluster prepared;
    prepared.services =
        model::without_repetition(wanted.services.empty() ? defaults.services : wanted.services);
    prepared.config = config->is_null() ? defaults.config : *config;
    prepared.expires_at = *expiry;
    prepared.dns_suffix = dns_suffix_of(wanted, *cluster_template);
    prepared.snapshot.provider = std::move(provider->taken.provider);
    prepared.secrets = std::move(provider->taken.secrets);
    prepared.region = std::move(provider->region);
    prepared.snapshot.cluster_template = *std::move(cluster_template);
    return prepared;
}

}  // namespace

Result<PreparedCluster> prepare_cluster_frame(store::Connection& connection,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted, base::Timestamp now) {
    return prepare_frame(connection, caller, wanted, now, store::withheld_from(connection, caller));
}

Result<PreparedCluster> prepare_cluster(store::Connection& connection, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now,
                                        const LayOut& lay_out) {
    auto wrong = problems_of_the_request(wanted);
    if (wrong.problems.empty() &&
        exceeds_quota(connection, caller.tenant, {.clusters = 1, .nodes = wanted.machines})) {
        return refuse(Refusal::Kind::conflict, "numMachines",
                      "Creating the cluster would cause cluster or node quotas to be violated.");
    }
    const auto withheld = store::withheld_from(connection, caller);
    auto prepared = prepare_frame(connection, caller, wanted, now, withheld, std::move(wrong));
    if (!prepared) return prepared;

    const model::TenantId tenant = caller.tenant.id;
    prepared->hardware_types = stored_entries(
        connection, tenant, model::CatalogueKind::hardware_type, model::hardware_type_from_json);
    prepared->image_types = stored_entries(connection, tenant, model::CatalogueKind::image_type,
                                           model::image_type_from_json);
    const auto all_services =
        stored_entries(connection, tenant, model::CatalogueKind::service, model::service_from_json);

    const auto unused_hardware =
        withheld.take_from(prepared->hardware_types, model::CatalogueKind::hardware_type);
    const auto unused_images =
        withheld.take_from(prepared->image_types, model::CatalogueKind::image_type);

    prepared->problem = layout_problem(wanted, *prepared, all_services);
    auto layout = lay_out(prepared->problem);
    if (!layout) {
        return base::unexpected(
            with_left_out(unsatisfiable(layout.error()), left_out(unused_hardware, unused_images)));
    }
    prepared->layout = *std::move(layout);
    prepared->snapshot.services = chosen_services(all_services, prepared->services);

    auto graph = plan_create(*prepared);
    if (!graph) return base::unexpected(graph.error());
    prepared->graph = *std::move(graph);
    const auto allowed = check_costs(connection, caller.tenant, *prepared, now);
    if (!allowed) return base::unexpected(allowed.error());
    return prepared;
}

}  // namespace provisioner::operations
