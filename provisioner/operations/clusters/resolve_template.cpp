#include "provisioner/operations/clusters/resolve_template.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/template_family.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/catalogue/template_drafts.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"

namespace provisioner::operations {

namespace {

using model::CatalogueKind;
using model::ClusterTemplate;

Result<ClusterTemplate> find_relative(store::Connection& connection, model::TenantId tenant,
                                      CatalogueKind kind, const std::string& name,
                                      const std::string& field, model::FamilyRoom& room) {
    const bool is_parent = kind == CatalogueKind::cluster_template;
    auto found = stored_entry(
        connection, tenant, kind, name,
        is_parent ? model::cluster_template_from_json : model::partial_template_from_json);
    if (found && !room.takes(*found)) {
        return refuse(
            Refusal::Kind::invalid, field,
            name + ": all templates that are extended and included may have " +
                std::to_string(model::most_names_of_a_family) +
                " names of services and groups together, each template counted as 100 more");
    }
    if (found) return *std::move(found);
    return refuse(Refusal::Kind::not_found, field,
                  name + (is_parent ? " parent" : " partial") + " template not found.");
}

Result<std::vector<ClusterTemplate>> find_partials(store::Connection& connection,
                                                   model::TenantId tenant,
                                                   const ClusterTemplate& own,
                                                   model::FamilyRoom& room) {
    std::vector<ClusterTemplate> partials;
    for (const std::string& name : own.includes) {
        auto partial = find_relative(connection, tenant, CatalogueKind::partial_template, name,
                                     "includes", room);
        if (!partial) return base::unexpected(partial.error());
        partials.push_back(*std::move(partial));
    }
    return partials;
}

Result<model::Ancestor> find_ancestor(store::Connection& connection, model::TenantId tenant,
                                      const std::string& name, model::FamilyRoom& room) {
    auto own =
        find_relative(connection, tenant, CatalogueKind::cluster_template, name, "extends", room);
    if (!own) return base::unexpected(own.error());
    auto partials = find_partials(connection, tenant, *own, room);
    if (!partials) return base::unexpected(partials.error());
    return model::Ancestor{.own = *std::move(own), .partials = *std::move(partials)};
}

/// The oldest first. Refused when a template comes twice. Saving refuses such circles. But deleting
/// a version puts the one before in force without a check.
Result<std::vector<model::Ancestor>> find_ancestors(store::Connection& connection,
                                                    model::TenantId tenant,
                                                    const ClusterTemplate& own,
                                                    model::FamilyRoom& room) {
    std::vector<model::Ancestor> ancestors;
    std::optional<Refusal> refusal;
    const auto parent_of = [&](const std::string& name) -> std::optional<std::string> {
        if (name == own.header.name) return own.extends;
        auto ancestor = find_ancestor(connection, tenant, name, room);
        if (!ancestor) {
            refusal = ancestor.error();
            return std::nullopt;
        }
        ancestors.push_back(*std::move(ancestor));
        return ancestors.back().own.extends;
    };
    const auto circle = model::circle_of_extends(own.header.name, parent_of);
    if (refusal) return base::unexpected(*std::move(refusal));
    if (!circle.empty()) {
        return refuse(Refusal::Kind::invalid, {model::circle_of_templates(circle)});
    }
    std::reverse(ancestors.begin(), ancestors.end());
    return ancestors;
}

Result<model::TemplateFamily> find_family(store::Connection& connection, model::TenantId tenant,
                                          const ClusterTemplate& own) {
    model::FamilyRoom room;
    auto ancestors = find_ancestors(connection, tenant, own, room);
    if (!ancestors) return base::unexpected(ancestors.error());
    auto ours = find_partials(connection, tenant, own, room);
    if (!ours) return base::unexpected(ours.error());
    return model::TemplateFamily{.ancestors = *std::move(ancestors), .partials = *std::move(ours)};
}

}  // namespace

Result<ClusterTemplate> resolve_template(store::Connection& connection, model::TenantId tenant,
                                         const ClusterTemplate& own) {
    if (!own.extends && own.includes.empty()) return own;
    const auto family = find_family(connection, tenant, own);
    if (!family) return base::unexpected(family.error());
    auto resolved = model::merged(own, *family);
    if (!resolved) return refuse(Refusal::Kind::invalid, resolved.error());
    return *std::move(resolved);
}

Result<ClusterTemplate> resolve_for_review(store::Database& database, const model::Caller& caller,
                                           const ClusterTemplate& own) {
    return database.read([&](store::Connection& connection) -> Result<ClusterTemplate> {
        // What a template gets from its parent is shown, so the parent must be one's to use.
        auto refused = withheld_problems(
            store::withheld_from(connection, caller),
            {{"extends", CatalogueKind::cluster_template, own.extends.value_or("")}});
        if (!refused.empty()) return refuse(Refusal::Kind::forbidden, std::move(refused));
        auto amounts = model::problems_with_amounts(own);
        if (!amounts.empty()) return refuse(Refusal::Kind::invalid, std::move(amounts));
        auto resolved = resolve_template(connection, caller.tenant.id, own);
        if (!resolved) return resolved;
        auto problems = model::problems_with_defaults(*resolved);
        if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
        return resolved;
    });
}

namespace {

/// With the limits of a whole template: each of its relatives was within them when it was saved,
/// together they may not be.
Result<ClusterTemplate> resolve_within_limits(store::Connection& connection, model::TenantId tenant,
                                              const ClusterTemplate& own) {
    auto resolved = resolve_template(connection, tenant, own);
    if (!resolved) return resolved;
    auto problems = model::problems_with_amounts(*resolved);
    if (problems.empty()) return resolved;
    for (base::Problem& problem : problems) {
        problem.message = "template " + own.header.name +
                          " with what it extends and includes: " + problem.field + " " +
                          problem.message;
        problem.field = "clusterTemplate";
    }
    return refuse(Refusal::Kind::invalid, std::move(problems));
}

}  // namespace

Result<ClusterTemplate> find_resolved(store::Connection& connection, model::TenantId tenant,
                                      const std::string& name) {
    const auto own = stored_entry(connection, tenant, CatalogueKind::cluster_template, name,
                                  model::cluster_template_from_json);
    if (!own) {
        return refuse(Refusal::Kind::not_found, "clusterTemplate",
                      "cluster template " + name + " does not exist.");
    }
    return resolve_within_limits(connection, tenant, *own);
}

Result<ClusterTemplate> find_resolved_draft(store::Connection& connection, model::TenantId tenant,
                                            const std::string& name) {
    const auto in_force =
        store::find_entry(connection, tenant, CatalogueKind::cluster_template, name);
    const auto draft = store::find_template_draft(connection, tenant, name);
    if (!in_force || !draft) {
        return refuse(Refusal::Kind::not_found, "clusterTemplate",
                      "There is no draft of a change to " + name + ".");
    }
    const auto merged = merged_with(*draft, *in_force, [](const std::string&) { return true; });
    const auto own = model::cluster_template_from_json(merged.document);
    if (!own) return refuse(Refusal::Kind::invalid, own.error());
    return resolve_within_limits(connection, tenant, *own);
}

}  // namespace provisioner::operations
