#include "provisioner/operations/clusters/kept_sizes.hpp"

#include <algorithm>

#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/catalogue/size_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;
using model::TenantId;
using std::chrono::steady_clock;

/// Of what the solver reads of types: which providers have a flavor or an image for them.
template <class Type>
std::vector<Type> usable_at(const std::vector<Type>& types, const std::string& provider) {
    std::vector<Type> usable;
    for (const Type& type : types) {
        const auto settings = type.provider_map.find(provider);
        if (settings == type.provider_map.end()) continue;
        Type slim;
        slim.header.name = type.header.name;
        slim.provider_map.emplace(*settings);
        usable.push_back(std::move(slim));
    }
    return usable;
}

template <class Type>
std::vector<Type> readable_types(const CatalogueEntries& entries, CatalogueKind kind,
                                 base::Checked<Type> (*from_json)(const Json&)) {
    std::vector<Type> types;
    for (const Json& entry : entries_of(entries, kind)) {
        if (auto type = from_json(entry)) types.push_back(*std::move(type));
    }
    return types;
}

std::vector<std::string> services_left_out(const TemplateSizes& sizes, const SizeAnswer& size) {
    std::vector<std::string> left_out;
    for (const std::string& service : sizes.services) {
        const bool has_place =
            std::ranges::any_of(size.layout->groups, [&](const solver::NodeGroup& group) {
                return std::ranges::count(group.services, service) > 0;
            });
        if (!has_place) left_out.push_back(service);
    }
    return left_out;
}

using ProblemOfDigest = std::pair<std::string, solver::LayoutProblem>;

/// What is missing of a tenant. Deletes what it has no template for any more.
std::vector<ProblemOfDigest> missing_sizes(store::Database& database, TenantId tenant) {
    CatalogueEntries entries;
    std::map<std::string, Json> kept;
    std::vector<std::string> old;
    database.read([&](store::Connection& connection) {
        entries = read_catalogue(connection, tenant);
        kept = store::list_template_sizes(connection, tenant);
        old = store::old_template_sizes(connection, tenant);
    });
    const SizedCatalogue catalogue(entries);
    std::vector<ProblemOfDigest> missing;
    std::set<std::string> used;
    for (const Json& entry : entries_of(entries, CatalogueKind::cluster_template)) {
        auto problem = catalogue.problem_of(entry);
        if (!problem) continue;
        const std::string digest = digest_of_sizes(*problem);
        const bool is_new = used.insert(digest).second && !kept.contains(digest);
        if (is_new) missing.emplace_back(digest, *std::move(problem));
    }
    std::erase_if(old, [&](const std::string& digest) { return used.contains(digest); });
    if (!old.empty()) {
        database.write([&](store::Connection& connection) {
            store::delete_template_sizes(connection, tenant, old);
        });
    }
    return missing;
}

/// Adds tenants whose catalogues have changed.
void look_for_changes(store::Database& database, SizesToDo& to_do) {
    const long long newest = database.look(store::newest_catalogue_line);
    std::set<TenantId> changed;
    if (!to_do.has_begun) {
        for (const auto& tenant : database.look(store::list_tenants)) changed.insert(tenant.id);
    } else if (newest > to_do.line_before) {
        changed = database.look([&](store::Connection& connection) {
            return store::tenants_changed_after(connection, to_do.line_before);
        });
    }
    to_do.has_begun = true;
    to_do.line_before = to_do.newest_line;
    to_do.newest_line = newest;
    to_do.tenants.merge(changed);
}

/// Those behind the last one first.
std::vector<TenantId> in_turn(const SizesToDo& to_do) {
    const auto next = to_do.tenants.upper_bound(to_do.last);
    std::vector<TenantId> order(next, to_do.tenants.end());
    order.insert(order.end(), to_do.tenants.begin(), next);
    return order;
}

/// Works out what is missing of a tenant. False if time ended before.
bool work_out_sizes_of(store::Database& database, TenantId tenant, int& worked_out,
                       const std::function<bool()>& is_over) {
    auto missing = missing_sizes(database, tenant);
    // Daemons that begin in different places work out little twice.
    const auto place = static_cast<std::size_t>(steady_clock::now().time_since_epoch().count());
    if (!missing.empty()) {
        std::ranges::rotate(missing, missing.begin() + std::ssize(missing) * (place % 97) / 97);
    }
    for (auto& [digest, problem] : missing) {
        if (is_over()) return false;
        const bool is_kept = database.look([&](store::Connection& connection) {
            return store::has_template_sizes(connection, tenant, digest);
        });
        if (is_kept) continue;
        keep_sizes(database, tenant, sizes_of_problem(std::move(problem)));
        ++worked_out;
    }
    return true;
}

}  // namespace

std::vector<SizeTrouble> troubles_of_sizes(const TemplateSizes& sizes) {
    std::vector<SizeTrouble> troubles;
    for (const SizeAnswer& size : sizes.sizes) {
        auto left_out = size.layout ? services_left_out(sizes, size) : std::vector<std::string>{};
        if (size.layout && left_out.empty()) continue;
        const bool continues = !troubles.empty() && troubles.back().last == size.machines - 1 &&
                               troubles.back().left_out == left_out;
        if (continues) {
            troubles.back().last = size.machines;
        } else {
            troubles.push_back(
                {.first = size.machines, .last = size.machines, .left_out = std::move(left_out)});
        }
    }
    const bool ends_impossible = !sizes.sizes.empty() && !sizes.sizes.back().layout;
    if (ends_impossible && !sizes.beyond.empty()) {
        troubles.back().goes_on = std::ranges::none_of(
            sizes.beyond, [](const SizeAnswer& size) { return size.layout.has_value(); });
    }
    return troubles;
}

Json to_json(const std::vector<SizeTrouble>& troubles) {
    Json json = Json::array();
    for (const SizeTrouble& trouble : troubles) {
        json.push_back({{"first", trouble.first},
                        {"last", trouble.last},
                        {"goes_on", trouble.goes_on},
                        {"left_out", trouble.left_out}});
    }
    return json;
}

std::vector<SizeTrouble> troubles_from_json(const Json& kept) {
    std::vector<SizeTrouble> troubles;
    if (!kept.is_array()) return troubles;
    for (const Json& one : kept) {
        if (!one.is_object()) continue;
        troubles.push_back({.first = one.value("first", 0),
                            .last = one.value("last", 0),
                            .goes_on = one.value("goes_on", false),
                            .left_out = one.value("left_out", std::vector<std::string>{})});
    }
    return troubles;
}

SizedCatalogue::SizedCatalogue(const CatalogueEntries& entries)
    : entries_(entries),
      types_{.hardware = readable_types(entries, CatalogueKind::hardware_type,
                                        model::hardware_type_from_json),
             .image =
                 readable_types(entries, CatalogueKind::image_type, model::image_type_from_json)} {
    for (const Json& entry : entries_of(entries, CatalogueKind::service)) {
        auto service = model::service_from_json(entry);
        if (!service) continue;
        model::Service slim;
        slim.header.name = service->header.name;
        slim.dependencies = std::move(service->dependencies);
        services_.try_emplace(service->header.name, std::move(slim));
    }
    for (const Json& entry : entries_of(entries, CatalogueKind::provider)) {
        providers_.push_back(base::text_at(entry, "name"));
    }
}

std::optional<solver::LayoutProblem> SizedCatalogue::problem_of(
    const Json& cluster_template) const {
    const auto whole = template_in_force(entries_, cluster_template);
    if (!whole || whole->defaults.services.empty()) return std::nullopt;
    solver::LayoutProblem problem;
    problem.cluster_template.header.name = whole->header.name;
    problem.cluster_template.defaults.services = whole->defaults.services;
    problem.cluster_template.defaults.hardware_type = whole->defaults.hardware_type;
    problem.cluster_template.defaults.image_type = whole->defaults.image_type;
    problem.cluster_template.compatibility = whole->compatibility;
    problem.cluster_template.constraints = whole->constraints;
    problem.provider = whole->defaults.provider.value_or("");
    if (problem.provider.empty()) {
        if (providers_.empty()) return std::nullopt;
        problem.provider = provider_with_types(providers_, types_);
    }
    problem.hardware_types = usable_at(types_.hardware, problem.provider);
    problem.image_types = usable_at(types_.image, problem.provider);
    for (const std::string& name : whole->defaults.services) {
        const auto service = services_.find(name);
        if (service != services_.end()) problem.all_services.push_back(service->second);
    }
    return problem;
}

void keep_sizes(store::Database& database, TenantId tenant, const TemplateSizes& sizes) {
    const bool is_kept = database.look([&](store::Connection& connection) {
        return store::has_template_sizes(connection, tenant, sizes.digest);
    });
    if (is_kept) return;
    const Json answer = to_json(troubles_of_sizes(sizes));
    database.write([&](store::Connection& connection) {
        store::put_template_sizes(connection, tenant, sizes.digest, answer);
    });
}

int work_out_sizes(store::Database& database, SizesToDo& to_do, std::chrono::milliseconds patience,
                   const std::function<bool()>& is_over) {
    const auto end = steady_clock::now() + patience;
    int worked_out = 0;
    look_for_changes(database, to_do);
    for (const TenantId tenant : in_turn(to_do)) {
        // Others have their turn although this one has templates that take long.
        const auto end_of_turn = std::min(end, steady_clock::now() + patience / 2);
        const bool is_done = work_out_sizes_of(database, tenant, worked_out, [&] {
            return is_over() || steady_clock::now() >= end_of_turn;
        });
        if (is_done) to_do.tenants.erase(tenant);
        to_do.last = tenant;
        if (is_over() || steady_clock::now() >= end) break;
    }
    return worked_out;
}

}  // namespace provisioner::operations
