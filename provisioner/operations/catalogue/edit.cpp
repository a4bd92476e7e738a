#include "provisioner/operations/catalogue/edit.hpp"

#include <algorithm>

#include "provisioner/inventory/inventory.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/catalogue/template_family.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/planner/circles.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

template <class Entity>
base::Checked<base::Json> canonical(base::Checked<Entity> (*from_json)(const base::Json&),
                                    const base::Json& json) {
    auto entity = from_json(json);
    if (!entity) return base::unexpected(entity.error());
    return model::to_json(*entity);
}

/// Nodes store these settings of a provider map in columns of their own, of 255 characters.
base::Problems problems_with_settings(const base::Json& entry) {
    constexpr std::size_t longest = 255;
    base::Problems problems;
    const base::Json* map = base::member(entry, "providermap");
    if (map == nullptr || !map->is_object()) return problems;
    for (const auto& [provider, settings] : map->items()) {
        for (const char* key : {"flavor", "image", "sshuser"}) {
            if (base::text_at(settings, key).size() <= longest) continue;
            problems.push_back({.field = "providermap." + provider + '.' + key,
                                .message = std::string(key) + " of provider " + provider +
                                           " must not exceed 255 characters."});
        }
    }
    return problems;
}

base::Checked<base::Json> with_settings_that_fit(base::Checked<base::Json> entry) {
    if (!entry) return entry;
    auto problems = problems_with_settings(*entry);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return entry;
}

/// A lease whose initial duration exceeds its maximum. The wire contract checks this on POST and
/// PUT only, so imports do not.
std::optional<base::Problem> problem_with_lease(model::CatalogueKind kind, const base::Json& json) {
    if (kind != model::CatalogueKind::cluster_template) return std::nullopt;
    const auto read = model::cluster_template_from_json(json);
    if (!read) return std::nullopt;
    const model::LeaseDuration& lease = read->lease;
    const bool unlimited_start = lease.initial.count() == 0;
    if (lease.max.count() == 0 || (!unlimited_start && lease.initial <= lease.max)) {
        return std::nullopt;
    }
    return base::Problem{
        .field = "administration.leaseduration.initial",
        .message = "Initial lease duration cannot be more than max lease duration for template " +
                   read->header.name};
}

/// Mistakes in a provider's list of existing machines, each with its line. Checked on POST and PUT
/// only: an import takes a catalogue as it is.
base::Problems problems_with_machines(model::CatalogueKind kind, const base::Json& json) {
    if (kind != model::CatalogueKind::provider) return {};
    const auto provider = model::provider_from_json(json);
    if (!provider) return {};
    return inventory::problems_with_list(provider->provider_type, provider->fields);
}

std::vector<model::Service> all_services(store::Connection& connection, model::TenantId tenant) {
    return stored_entries(connection, tenant, model::CatalogueKind::service,
                          model::service_from_json);
}

/// All services of the tenant, with `saved` in place of the one of its name.
std::vector<model::Service> services_with(store::Connection& connection, model::TenantId tenant,
                                          const model::Service& saved) {
    auto services = all_services(connection, tenant);
    std::erase_if(services, [&](const model::Service& service) {
        return service.header.name == saved.header.name;
    });
    services.push_back(saved);
    return services;
}

/// The existing services that a template names. The others may be created later.
std::vector<model::Service> services_of(store::Connection& connection, model::TenantId tenant,
                                        const model::ClusterTemplate& cluster_template) {
    const auto names = [&](const std::vector<std::string>& list, const model::Service& service) {
        return std::ranges::count(list, service.header.name) > 0;
    };
    auto services = all_services(connection, tenant);
    std::erase_if(services, [&](const model::Service& service) {
        return !names(cluster_template.defaults.services, service) &&
               !names(cluster_template.compatibility.services, service);
    });
    return services;
}

/// The circle of templates that `saved` closes by what it extends. Existing circles that do not
/// contain `saved` are not reported.
base::Problems circle_of_extends(store::Connection& connection, model::TenantId tenant,
                                 const model::ClusterTemplate& saved) {
    const auto parent_of = [&](const std::string& name) -> std::optional<std::string> {
        if (name == saved.header.name) return saved.extends;
        const auto stored = stored_entry(connection, tenant, model::CatalogueKind::cluster_template,
                                         name, model::cluster_template_from_json);
        return stored ? stored->extends : std::nullopt;
    };
    const auto circle = model::circle_of_extends(saved.header.name, parent_of);
    if (circle.empty() || circle.front() != saved.header.name) return {};
    return {model::circle_of_templates(circle)};
}

/// Circles of dependencies that leave a cluster with these services no order to work in. A service
/// is checked with the existing services that it needs, so the save that closes a circle is
/// refused.
base::Problems circles_closed_by(store::Connection& connection, model::TenantId tenant,
                                 model::CatalogueKind kind, const base::Json& entry) {
    switch (kind) {
        case model::CatalogueKind::service: {
            const auto service = model::service_from_json(entry);
            return planner::circles_among(services_with(connection, tenant, *service),
                                          service->header.name);
        }
        case model::CatalogueKind::cluster_template: {
            const auto saved = model::cluster_template_from_json(entry);
            auto problems = circle_of_extends(connection, tenant, *saved);
            if (!problems.empty()) return problems;
            return planner::circles_among(services_of(connection, tenant, *saved));
        }
        case model::CatalogueKind::partial_template:
            return planner::circles_among(
                services_of(connection, tenant, *model::partial_template_from_json(entry)));
        case model::CatalogueKind::provider:
        case model::CatalogueKind::hardware_type:
        case model::CatalogueKind::image_type:
            return {};
    }
    throw std::logic_error("unknown catalogue kind");
}

}  // namespace

std::string said(model::CatalogueKind kind) {
    std::string words = base::to_word(kind);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string audited(model::CatalogueKind kind) {
    std::string word = base::to_word(kind);
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
}

namespace {

using ReadTemplate = base::Checked<model::ClusterTemplate> (*)(const base::Json&);

base::Checked<base::Json> canonical_template(ReadTemplate read, const base::Json& json) {
    const auto made = read(json);
    if (!made) return base::unexpected(made.error());
    auto problems = model::problems_with_amounts(*made);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return model::to_json(*made);
}

base::Checked<base::Json> canonical_of_kind(model::CatalogueKind kind, const base::Json& json) {
    switch (kind) {
        case model::CatalogueKind::provider:
            return canonical(model::provider_from_json, json);
        case model::CatalogueKind::hardware_type:
            return with_settings_that_fit(canonical(model::hardware_type_from_json, json));
        case model::CatalogueKind::image_type:
            return with_settings_that_fit(canonical(model::image_type_from_json, json));
        case model::CatalogueKind::service:
            return canonical(model::service_from_json, json);
        case model::CatalogueKind::cluster_template:
            return canonical_template(model::cluster_template_from_json, json);
        case model::CatalogueKind::partial_template:
            return canonical_template(model::partial_template_from_json, json);
    }
    throw std::logic_error("unknown catalogue kind");
}

}  // namespace

bool sounds_like_draft(model::CatalogueKind kind, const std::string& name) {
    return kind == model::CatalogueKind::cluster_template && name.ends_with(".draft");
}

base::Problem problem_with_name_of_draft() {
    return {"name", "A name that ends in .draft would pass for a draft. Choose another name."};
}

base::Checked<base::Json> canonical_entry(model::CatalogueKind kind, const base::Json& json) {
    auto entry = canonical_of_kind(kind, json);
    if (!entry) return entry;
    if (auto wrong = model::problem_with_new_name(base::text_at(*entry, "name"))) {
        return base::unexpected(base::Problems{{"name", *std::move(wrong)}});
    }
    return entry;
}

base::Problems problems_with_entry(model::CatalogueKind kind, const base::Json& json) {
    base::Problems problems;
    const auto add = [&](const base::Problems& found) {
        for (const auto& problem : found) {
            if (std::ranges::count(problems, problem) == 0) problems.push_back(problem);
        }
    };
    const auto entry = canonical_of_kind(kind, json);
    if (!entry) add(entry.error());
    const std::string name = base::text_at(json, "name");
    const auto wrong_name = name.empty() ? std::nullopt : model::problem_with_new_name(name);
    const bool is_named = std::ranges::count(problems, "name", &base::Problem::field) > 0;
    if (wrong_name && !is_named) problems.push_back({"name", *wrong_name});
    if (kind == model::CatalogueKind::hardware_type || kind == model::CatalogueKind::image_type) {
        add(problems_with_settings(json));
    }
    // What is wrong elsewhere does not hide what is wrong here.
    const std::string usable_name = name.empty() || wrong_name ? "new" : name;
    base::Json lease{{"name", usable_name}};
    if (const auto* own = base::member(json, "administration")) lease["administration"] = *own;
    if (const auto problem = problem_with_lease(kind, lease)) add({*problem});
    base::Json named = json;
    if (named.is_object()) named["name"] = usable_name;
    add(problems_with_machines(kind, named));
    return problems;
}

Result<base::Json> checked_entry(model::CatalogueKind kind, const base::Json& json) {
    auto entry = canonical_entry(kind, json);
    if (!entry) {
        Refusal refusal;
        refusal.problems = entry.error();
        return base::unexpected(std::move(refusal));
    }
    if (auto problem = problem_with_lease(kind, json)) {
        return refuse(Refusal::Kind::invalid, problem->field, problem->message);
    }
    if (auto problems = problems_with_machines(kind, json); !problems.empty()) {
        Refusal refusal;
        refusal.wire_message = base::to_text(problems);
        refusal.problems = std::move(problems);
        return base::unexpected(std::move(refusal));
    }
    return *std::move(entry);
}

std::optional<Refusal> conflict_with(const model::PresentVersion& present,
                                     model::CatalogueKind kind, const std::string& name,
                                     const EditOptions& options) {
    if (!options.based_on || model::is_in_force(present, *options.based_on)) return std::nullopt;
    const model::SeenVersion& seen = *options.based_on;
    const std::string entry = said(kind) + ' ' + name;
    const std::string number = std::to_string(present.seen.version);
    const std::string by = present.begun && !present.begun->written_by.empty()
                               ? " by " + present.begun->written_by
                               : "";
    std::string message;
    if (!present.exists()) {
        message = seen.version == 0 ? "" : entry + " was deleted meanwhile.";
    } else if (seen.version == 0) {
        message = entry + " was created meanwhile" + by + ": version " + number +
                  " is in force. Look at what changes.";
    } else if (model::is_created_anew(present, seen)) {
        message =
            entry + " was deleted and created anew" + by + " meanwhile. Look at what changes.";
    } else if (seen.version == present.seen.version) {
        message = entry + " was changed meanwhile. Look at what changes.";
    } else {
        message = entry + " was changed meanwhile: version " + number +
                  " is in force, and this is based on version " + std::to_string(seen.version) +
                  '.';
    }
    // Of an entry that is not there whatever became of its history is no conflict.
    if (message.empty()) return std::nullopt;
    return refuse(Refusal::Kind::conflict, "version", message).value();
}

// The caller has locked the tenant, so two services saved at once cannot close a circle together. A
// provider is tested by a daemon soon.
Result<int> write_entry(store::Connection& connection, const model::Caller& caller,
                        model::CatalogueKind kind, const base::Json& entry, base::Timestamp now,
                        const Writing& writing) {
    const model::TenantId tenant = caller.tenant.id;
    const std::string name = entry.at("name").get<std::string>();
    const auto before = store::find_entry(connection, tenant, kind, name);
    if (!before && sounds_like_draft(kind, name)) {
        return refuse(Refusal::Kind::invalid, {problem_with_name_of_draft()});
    }
    if (auto problems = circles_closed_by(connection, tenant, kind, entry); !problems.empty()) {
        Refusal refusal;
        refusal.problems = std::move(problems);
        return base::unexpected(std::move(refusal));
    }
    const bool is_provider = kind == model::CatalogueKind::provider;
    if (is_provider) {
        const auto provider = model::provider_from_json(entry);
        if (auto wrong =
                problem_with_provider_type(connection, caller, "providertype", *provider)) {
            return refuse(Refusal::Kind::forbidden, {*std::move(wrong)});
        }
    }
    const auto stored = writing.is_sealed ? base::Checked<base::Json>(entry)
                        : is_provider     ? with_secrets_sealed(connection, tenant, entry)
                                          : model::with_masked_values(entry, before);
    if (!stored) return refuse(Refusal::Kind::invalid, stored.error());
    if (is_provider) store::ask_provider_test(connection, tenant, name, caller.user.name);
    const int version = store::insert_entry(connection, tenant, kind, *stored, now);
    const bool is_first = !before && writing.act == model::VersionAct::change;
    store::record_version(connection, tenant, kind, name,
                          {.version = version,
                           .act = is_first ? model::VersionAct::create : writing.act,
                           .restored_version = writing.restored_version,
                           .document = *stored,
                           .written_by = caller.user.name,
                           .note = writing.note});
    base::Json after = *stored;
    after["version"] = version;
    const std::string act = !writing.verb.empty()                       ? writing.verb
                            : writing.act == model::VersionAct::restore ? ".restore"
                            : before                                    ? ".replace"
                                                                        : ".create";
    audit(connection, caller,
          {.action = audited(kind) + act,
           .object = {.kind = audited(kind), .id = std::to_string(version), .name = name},
           .before = before.value_or(base::Json()),
           .after = std::move(after),
           .reason = writing.note});
    return version;
}

Result<int> create_entry(store::Database& database, const model::Caller& caller,
                         model::CatalogueKind kind, const base::Json& json, base::Timestamp now,
                         const EditOptions& options) {
    const auto entry = checked_entry(kind, json);
    if (!entry) return base::unexpected(entry.error());
    const std::string name = entry->at("name").get<std::string>();
    return database.write([&](store::Connection& connection) -> Result<int> {
        store::lock_tenant(connection, caller.tenant.id);
        if (store::find_entry(connection, caller.tenant.id, kind, name)) {
            return refuse(Refusal::Kind::conflict, "name",
                          said(kind) + " " + name + " already exists");
        }
        auto version = write_entry(connection, caller, kind, *entry, now,
                                   {.act = model::VersionAct::create, .note = options.note});
        // A refusal does not undo what was written.
        if (version && options.is_draft) withhold_from_users(connection, caller, {kind, name});
        return version;
    });
}

Result<int> replace_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name,
                          const base::Json& json, base::Timestamp now, const EditOptions& options) {
    const auto entry = checked_entry(kind, json);
    if (!entry) return base::unexpected(entry.error());
    if (entry->at("name").get<std::string>() != name) {
        return refuse(Refusal::Kind::invalid, "name",
                      "mismatch between " + said(kind) + " name and name in path.");
    }
    return database.write([&](store::Connection& connection) -> Result<int> {
        store::lock_tenant(connection, caller.tenant.id);
        const auto present = store::find_present_version(connection, caller.tenant.id, kind, name);
        if (auto conflict = conflict_with(present, kind, name, options)) {
            return base::unexpected(*std::move(conflict));
        }
        return write_entry(connection, caller, kind, *entry, now, {.note = options.note});
    });
}

Result<int> restore_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name, long long line,
                          base::Timestamp now, const EditOptions& options) {
    return database.write([&](store::Connection& connection) -> Result<int> {
        store::lock_tenant(connection, caller.tenant.id);
        const auto found = store::find_version(connection, caller.tenant.id, kind, name, line);
        if (!found) return refuse(Refusal::Kind::not_found, "", "There is no such version.");
        if (!found->document) {
            return refuse(Refusal::Kind::invalid, "",
                          "Nothing can be restored from a deletion. Choose the version before it.");
        }
        const auto present = store::find_present_version(connection, caller.tenant.id, kind, name);
        if (auto conflict = conflict_with(present, kind, name, options)) {
            return base::unexpected(*std::move(conflict));
        }
        const auto entry = canonical_entry(kind, *found->document);
        if (!entry) return refuse(Refusal::Kind::invalid, entry.error());
        return write_entry(connection, caller, kind, *entry, now,
                           {.act = model::VersionAct::restore,
                            .restored_version = found->version,
                            .note = options.note,
                            .is_sealed = true});
    });
}

void delete_entry(store::Connection& connection, const model::Caller& caller,
                  model::CatalogueKind kind, const std::string& name, std::optional<int> version,
                  const std::string& note) {
    const auto before = store::find_entry(connection, caller.tenant.id, kind, name, version);
    store::delete_entry(connection, caller.tenant.id, kind, name, version);
    const auto left = store::find_entry(connection, caller.tenant.id, kind, name);
    if (kind == model::CatalogueKind::provider && !left) {
        store::delete_provider_test(connection, caller.tenant.id, name);
    }
    if (kind == model::CatalogueKind::cluster_template && !left) {
        store::delete_template_draft(connection, caller.tenant.id, name);
    }
    if (!before) return;
    // Deletion of one version puts the one before in force, or changes nothing.
    if (!left) {
        store::record_version(connection, caller.tenant.id, kind, name,
                              {.version = before->at("version").get<int>(),
                               .act = model::VersionAct::remove,
                               .written_by = caller.user.name,
                               .note = note});
    }
    audit(connection, caller,
          {.action = audited(kind) + ".delete",
           .object = {.kind = audited(kind),
                      .id = version ? std::to_string(*version) : "",
                      .name = name},
           .before = *before,
           .reason = note});
}

void delete_entry(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version) {
    database.write([&](store::Connection& connection) {
        store::lock_tenant(connection, caller.tenant.id);
        delete_entry(connection, caller, kind, name, version, "");
    });
}

}  // namespace provisioner::operations
