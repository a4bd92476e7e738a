#include "provisioner/operations/plugins/resources.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using store::ResourceShelf;
using Versions = std::vector<store::ResourceVersion>;

Result<void> check_shelf(store::Connection& connection, const ResourceShelf& shelf) {
    const std::string plugin = base::to_word(shelf.kind) + " plugin " + shelf.plugin;
    const auto type = store::find_plugin_type(connection, shelf.kind, shelf.plugin);
    if (!type) return refuse(Refusal::Kind::not_found, "", plugin + " not found.");
    const bool has_shelf =
        std::any_of(type->resource_types.begin(), type->resource_types.end(),
                    [&](const auto& one) { return one.name == shelf.resource_type; });
    if (has_shelf) return {};
    return refuse(Refusal::Kind::not_found, "",
                  shelf.resource_type + " for " + plugin + " not found.");
}

Result<void> check_deletion(const Versions& all, const ResourceShelf& shelf,
                            std::optional<int> version) {
    bool found = !version;
    for (const store::ResourceVersion& one : all) {
        if (version && one.version != *version) continue;
        found = true;
        if (status_of(one) != ResourceStatus::inactive) {
            return refuse(Refusal::Kind::conflict, "", "Resource not in a deletable state.");
        }
    }
    if (found) return {};
    return refuse(Refusal::Kind::not_found, "", base::to_word(shelf.kind) + " resource not found.");
}

Result<void> check_upload(store::Connection& connection, const ResourceShelf& shelf,
                          const std::string& name) {
    auto known = check_shelf(connection, shelf);
    if (!known) return known;
    if (const auto wrong = model::problem_with_new_name(name)) {
        return refuse(Refusal::Kind::invalid, "name", *wrong);
    }
    return {};
}

/// Call it with the tenant locked.
Result<void> check_known_version(store::Connection& connection, const ResourceShelf& shelf,
                                 const std::string& name, int known) {
    if (known == 0) return {};
    const auto all = store::list_resources(connection, shelf, name);
    if (all.empty() || all.back().version <= known) return {};
    return refuse(Refusal::Kind::conflict, "",
                  "Version " + std::to_string(all.back().version) + " was saved meanwhile.");
}

/// Keeps the bytes that arrived, or equal bytes that are stored already. Calls `refer` in the same
/// transaction, so that no sweep can remove the bytes before something refers to them. Afterwards
/// it removes the copy that is not needed.
template <class Refer>
Result<void> keep_for(store::Database& database, const contents::Contents& contents,
                      model::TenantId tenant, const store::StoredContent& arrived, Refer&& refer) {
    try {
        const auto lost = contents.lost_copies(arrived);
        auto stored = database.write([&](store::Connection& connection) -> Result<void> {
            store::lock_tenant(connection, tenant);
            return refer(connection, contents.keep(connection, arrived, lost).id);
        });
        contents.discard(arrived);
        return stored;
    } catch (...) {
        contents.discard(arrived);
        throw;
    }
}

bool is_live(store::Database& database, const ResourceShelf& shelf, const std::string& name,
             const model::Content& content) {
    const auto live = database.read([&](store::Connection& connection) {
        return store::live_resources(connection, shelf.tenant, shelf.kind, shelf.plugin);
    });
    return std::any_of(live.begin(), live.end(), [&](const store::PluginResource& one) {
        return one.resource_type == shelf.resource_type && one.name == name &&
               one.content.sha256 == content.sha256 && one.content.size == content.size;
    });
}

model::Content content_of(const std::string& bytes) {
    contents::TextSource text(bytes);
    contents::HashedSource hashed(text);
    contents::drain(hashed);
    return hashed.finish();
}

constexpr std::string_view file_kind = "plugin-file";
constexpr auto upload_action = "plugin-file.upload";
constexpr int most_uploads_read = 1000;

/// What was done to a file, or to one version of it.
struct FileAct {
    const char* action = "";
    std::optional<int> version{};
    base::Json before{};
    base::Json after{};
    std::string reason{};
};

void audit_file(store::Connection& connection, const model::Caller& caller,
                const ResourceShelf& shelf, const std::string& name, FileAct act) {
    audit(connection, caller,
          {.action = act.action,
           .object = {.kind = std::string(file_kind),
                      .id = act.version ? std::to_string(*act.version) : "",
                      .name = name_in_audit(shelf, name)},
           .before = std::move(act.before),
           .after = std::move(act.after),
           .reason = std::move(act.reason),
           .chain = shelf.tenant});
}

base::Json audited_version(int version) {
    return {{"version", version}};
}

/// Null without one.
base::Json audited_live(const Versions& all) {
    const auto live = std::ranges::find(all, true, &store::ResourceVersion::live);
    return live == all.end() ? base::Json() : audited_version(live->version);
}

using Change = void(store::Connection&, const ResourceShelf&, const std::string&, int);

/// Changes the slate of a name that has at least one version.
Result<void> change_slate(store::Database& database, const model::Caller& caller,
                          const ResourceShelf& shelf, const std::string& name, int version,
                          Change& change, const char* action) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, shelf.tenant);
        const auto all = store::list_resources(connection, shelf, name);
        if (all.empty()) {
            return refuse(Refusal::Kind::not_found, "",
                          base::to_word(shelf.kind) + " resource not found.");
        }
        const bool there = std::any_of(all.begin(), all.end(),
                                       [&](const auto& one) { return one.version == version; });
        if (!there) return {};
        change(connection, shelf, name, version);
        audit_file(connection, caller, shelf, name, {.action = action, .version = version});
        return {};
    });
}

/// Seals bytes before they are kept; `sealed` is what is kept. Throws std::runtime_error when fewer
/// come than promised.
store::StoredContent take_in_sealed(store::Database& database, const contents::Contents& contents,
                                    const ResourceShelf& shelf, contents::Source& from,
                                    std::uint64_t size, std::string& sealed, base::Timestamp now) {
    std::string bytes(size, '\0');
    if (contents::read_fully(from, bytes.data(), bytes.size()) != size) {
        contents::throw_wrong_size(size);
    }
    contents::expect_end(from);
    sealed = sealed_file(sealing_key_of_daemons(database), shelf, bytes);
    contents::TextSource text(sealed);
    return contents.take_in(text, sealed.size(), contents.place_of_new(), now);
}

}  // namespace

ResourceStatus status_of(const store::ResourceVersion& version) {
    if (version.live) return version.slated ? ResourceStatus::active : ResourceStatus::recalled;
    return version.slated ? ResourceStatus::staged : ResourceStatus::inactive;
}

Result<Versions> list_resources(store::Database& database, const ResourceShelf& shelf,
                                const std::string& name) {
    return database.read([&](store::Connection& connection) -> Result<Versions> {
        if (auto known = check_shelf(connection, shelf); !known) {
            return base::unexpected(known.error());
        }
        return store::list_resources(connection, shelf, name);
    });
}

Result<store::ResourceVersion> upload_resource(store::Database& database,
                                               const contents::Contents& contents,
                                               const model::Caller& caller,
                                               const ResourceShelf& shelf, const std::string& name,
                                               contents::Source& from, std::uint64_t size,
                                               base::Timestamp now, const UploadOptions& options) {
    const auto allowed = database.read(
        [&](store::Connection& connection) { return check_upload(connection, shelf, name); });
    if (!allowed) return base::unexpected(allowed.error());
    const bool is_secret = is_secret_shelf(shelf.kind, shelf.resource_type);
    if (is_secret && size > longest_secret_file) {
        return refuse(
            Refusal::Kind::invalid, "",
            "A file of this type has at most " + std::to_string(longest_secret_file) + " bytes.");
    }
    std::string sealed;
    const auto arrived = is_secret
                             ? take_in_sealed(database, contents, shelf, from, size, sealed, now)
                             : contents.take_in(from, size, contents.place_of_new(), now);
    store::ResourceVersion version{.name = name,
                                   .size = arrived.content.size,
                                   .sha256 = arrived.content.sha256,
                                   .created_at = now};
    auto refer = [&](store::Connection& connection, model::ContentId content) -> Result<void> {
        // The plugin type may have been deleted while bytes arrived.
        auto still = check_upload(connection, shelf, name);
        if (still) still = check_known_version(connection, shelf, name, options.known_version);
        if (!still) return still;
        if (is_secret) expect_newest_key(connection, sealed);
        version.version = store::insert_resource(connection, shelf, name, content, now);
        audit_file(connection, caller, shelf, name,
                   {.action = upload_action,
                    .version = version.version,
                    .after = {{"version", version.version},
                              {"size", version.size},
                              {"sha256", version.sha256}},
                    .reason = options.reason});
        return still;
    };
    const auto stored = keep_for(database, contents, shelf.tenant, arrived, refer);
    if (!stored) return base::unexpected(stored.error());
    return version;
}

std::optional<store::ResourceVersion> newest_with_bytes(store::Database& database,
                                                        const ResourceShelf& shelf,
                                                        const std::string& name,
                                                        const std::string& bytes) {
    if (name.empty()) return std::nullopt;
    const auto versions = database.read([&](store::Connection& connection) {
        return store::list_resources(connection, shelf, name);
    });
    if (versions.empty()) return std::nullopt;
    const auto content = content_of(bytes);
    const auto& newest = versions.back();
    if (newest.sha256 != content.sha256 || newest.size != content.size) return std::nullopt;
    return newest;
}

bool has_live_bytes(store::Database& database, const ResourceShelf& shelf, const std::string& name,
                    const std::string& bytes) {
    return is_live(database, shelf, name, content_of(bytes));
}

bool have_users_changed(store::Database& database, const ResourceShelf& shelf,
                        const std::string& name) {
    const store::AuditFilter filter{.chain = shelf.tenant,
                                    .object_kind = std::string(file_kind),
                                    .object = name_in_audit(shelf, name),
                                    .outcome = model::audit::Outcome::done};
    return database.read([&](store::Connection& connection) {
        return !store::list_events(connection, filter, 0, 1, false).empty();
    });
}

std::map<int, model::audit::Event> uploads_of_file(store::Connection& connection,
                                                   const ResourceShelf& shelf,
                                                   const std::string& name) {
    const store::AuditFilter filter{.chain = shelf.tenant,
                                    .action = upload_action,
                                    .is_whole_action = true,
                                    .object_kind = std::string(file_kind),
                                    .object = name_in_audit(shelf, name),
                                    .outcome = model::audit::Outcome::done};
    std::map<int, model::audit::Event> uploads;
    for (auto& event : store::list_events(connection, filter, 0, most_uploads_read, false)) {
        const auto version = base::parse_number(event.object.id);
        if (version) uploads.try_emplace(static_cast<int>(*version), std::move(event));
    }
    return uploads;
}

void save_live_resource(store::Database& database, const contents::Contents& contents,
                        const ResourceShelf& shelf, const std::string& name,
                        const std::string& bytes, base::Timestamp now) {
    if (has_live_bytes(database, shelf, name, bytes)) return;
    contents::TextSource text(bytes);
    const auto arrived = contents.take_in(text, bytes.size(), contents.place_of_new(), now);
    auto refer = [&](store::Connection& connection, model::ContentId content) -> Result<void> {
        store::insert_live_resource(connection, shelf, name, content, now);
        return {};
    };
    // `refer` above never refuses.
    static_cast<void>(keep_for(database, contents, shelf.tenant, arrived, refer));
}

Result<void> delete_resource(store::Database& database, const model::Caller& caller,
                             const ResourceShelf& shelf, const std::string& name,
                             std::optional<int> version) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto known = check_shelf(connection, shelf);
        if (!known) return known;
        store::lock_tenant(connection, shelf.tenant);
        auto allowed =
            check_deletion(store::list_resources(connection, shelf, name), shelf, version);
        if (!allowed) return allowed;
        store::delete_resource(connection, shelf, name, version.value_or(0));
        audit_file(connection, caller, shelf, name,
                   {.action = "plugin-file.delete", .version = version});
        return allowed;
    });
}

Result<void> stage_resource(store::Database& database, const model::Caller& caller,
                            const ResourceShelf& shelf, const std::string& name, int version) {
    return change_slate(database, caller, shelf, name, version, store::slate_resource,
                        "plugin-file.stage");
}

Result<void> recall_resource(store::Database& database, const model::Caller& caller,
                             const ResourceShelf& shelf, const std::string& name, int version) {
    return change_slate(database, caller, shelf, name, version, store::unslate_resource,
                        "plugin-file.recall");
}

Result<void> unstage_resource(store::Database& database, const model::Caller& caller,
                              const ResourceShelf& shelf, const std::string& name, int version) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, shelf.tenant);
        const auto all = store::list_resources(connection, shelf, name);
        const auto found = std::ranges::find(all, version, &store::ResourceVersion::version);
        if (found == all.end()) {
            return refuse(Refusal::Kind::not_found, "",
                          base::to_word(shelf.kind) + " resource not found.");
        }
        if (status_of(*found) != ResourceStatus::staged) {
            return refuse(Refusal::Kind::conflict, "",
                          "Version " + std::to_string(version) + " is not staged.");
        }
        const auto live = std::ranges::find(all, true, &store::ResourceVersion::live);
        store::slate_resource(connection, shelf, name, live == all.end() ? 0 : live->version);
        audit_file(connection, caller, shelf, name,
                   {.action = "plugin-file.unstage", .version = version});
        return {};
    });
}

Result<void> use_resource(store::Database& database, const model::Caller& caller,
                          const ResourceShelf& shelf, const std::string& name, int version) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, shelf.tenant);
        const auto all = store::list_resources(connection, shelf, name);
        if (std::ranges::count(all, version, &store::ResourceVersion::version) == 0) {
            return refuse(Refusal::Kind::not_found, "",
                          base::to_word(shelf.kind) + " resource not found.");
        }
        store::use_resource(connection, shelf, name, version);
        audit_file(connection, caller, shelf, name,
                   {.action = "plugin-file.use",
                    .version = version,
                    .before = audited_live(all),
                    .after = audited_version(version)});
        return {};
    });
}

}  // namespace provisioner::operations
