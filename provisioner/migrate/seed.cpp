#include "provisioner/migrate/seed.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/migrate/archive.hpp"
#include "provisioner/migrate/files.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/tenants/seeded_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::migrate {

namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

constexpr std::string_view superadmin = "superadmin";
constexpr std::string_view demo = "demo";

struct SeedUser {
    std::string_view tenant;
    const char* name;
    model::Role role;
};

constexpr std::array seed_users{
    SeedUser{superadmin, "admin", model::Role::superadmin},
    SeedUser{demo, "admin", model::Role::admin},
    SeedUser{demo, "demo", model::Role::user},
};

constexpr std::array collections{
    std::pair{"providers", model::CatalogueKind::provider},
    std::pair{"hardwaretypes", model::CatalogueKind::hardware_type},
    std::pair{"imagetypes", model::CatalogueKind::image_type},
    std::pair{"services", model::CatalogueKind::service},
    std::pair{"clustertemplates", model::CatalogueKind::cluster_template},
};

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::is_directory(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Whether something that is there, with this id, is what the seed made; or may be made, if nothing
/// is there (no id).
bool is_ours(const std::optional<std::int64_t>& seeded, const std::optional<std::int64_t>& present,
             bool gives_back) {
    return !seeded || gives_back || seeded == present;
}

/// The tenant of that name, made if need be; nothing if somebody has deleted it.
std::optional<model::Tenant> tenant_named(store::Database& database, const std::string& name,
                                          bool gives_back, base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> std::optional<model::Tenant> {
        const auto seeded = store::find_seeded(connection, "tenant", name, name);
        const auto present = store::find_tenant(connection, name);
        const auto id = present ? std::optional(present->id.value) : std::nullopt;
        if (!is_ours(seeded, id, gives_back)) return std::nullopt;
        if (present) {
            store::record_seeded(connection, "tenant", name, name, present->id.value);
            return present;
        }
        model::Tenant tenant;
        tenant.name = name;
        const bool super = name == "superadmin";
        tenant.uid = super ? name : base::random_uuid();
        tenant.description = super ? "super admin tenant" : "demonstration tenant";
        tenant.id = store::insert_tenant(connection, tenant, now);
        store::record_seeded(connection, "tenant", name, name, tenant.id.value);
        return tenant;
    });
}

// Written under another name and renamed: a reader never sees half of it, and nobody else can open
// it before its mode is 0600. An interruption before the rename leaves the old file, whose
// passwords may no longer be valid; the next seed replaces these.
void write_access_file(const std::string& path, const base::Json& access) {
    const std::string text = access.dump(2) + "\n";
    const std::string temporary = path + ".new";
    fs::remove(temporary);
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) throw std::runtime_error("cannot write " + temporary);
    const bool whole = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
    if (!whole) throw std::runtime_error("cannot write " + temporary);
    fs::rename(temporary, path);
}

std::string text_of(const base::Json* json, const char* key) {
    if (json == nullptr) return "";
    const base::Json* found = base::member(*json, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

const base::Json* known_access(const base::Json& access, const SeedUser& user) {
    const base::Json* users = base::member(access, "users");
    if (users == nullptr || !users->is_array()) return nullptr;
    for (const base::Json& one : *users) {
        if (text_of(&one, "tenant") == user.tenant && text_of(&one, "user") == user.name) {
            return &one;
        }
    }
    return nullptr;
}

/// The key of access.json: the one that is known, or a new one; empty if somebody has deleted it.
std::string save_key(store::Connection& connection, const SeedUser& wanted, const model::User& user,
                     std::string key, bool gives_back, base::Timestamp now) {
    const std::string tenant(wanted.tenant);
    const auto owner =
        key.empty()
            ? std::nullopt
            : store::find_key_owner(connection, identity::hash_of_token(base::Secret(key)), now);
    if (owner && owner->user.id == user.id) {
        store::record_seeded(connection, "key", tenant, wanted.name, owner->key);
        return key;
    }
    const auto seeded = store::find_seeded(connection, "key", tenant, wanted.name);
    const auto keys = store::list_api_keys(connection, user.id);
    const bool is_there = std::ranges::any_of(
        keys, [&](const model::ApiKey& one) { return seeded && one.id == *seeded; });
    if (seeded && !is_there && !gives_back) return "";
    key = identity::new_token().reveal();
    const auto id = store::insert_api_key(connection, user.id,
                                          {.name = model::first_key_name, .created_at = now},
                                          identity::hash_of_token(base::Secret(key)));
    store::record_seeded(connection, "key", tenant, wanted.name, id);
    return key;
}

/// Creates or repairs a user and returns its entry of access.json, whose password and key are valid
/// once the transaction has committed. `known` is the entry of the old file; null: none. Nothing if
/// somebody has deleted the user, or has made another one of the name.
std::optional<base::Json> save_user(store::Connection& connection, const SeedUser& wanted,
                                    const model::Tenant& tenant, const base::Json* known,
                                    const SeedRequest& request, base::Timestamp now) {
    std::string password = text_of(known, "password");
    std::string key = text_of(known, "apikey");
    auto user = store::find_user(connection, tenant.id, wanted.name);
    const auto seeded =
        store::find_seeded(connection, "user", std::string(wanted.tenant), wanted.name);
    const auto id = user ? std::optional(user->id.value) : std::nullopt;
    if (!is_ours(seeded, id, request.gives_back)) return std::nullopt;
    const bool password_valid =
        user && !password.empty() &&
        identity::password_matches(base::Secret(password), user->password_hash);
    // The file is that of the first seed: its owner has changed the password since.
    const bool is_changed =
        user && !password_valid && known != nullptr && request.initial_for.has_value();
    if (user && !password_valid && !is_changed && !request.may_reset_passwords) {
        throw std::runtime_error(std::string("the user ") + wanted.name + " of " +
                                 std::string(wanted.tenant) + " exists, and " +
                                 request.access_file +
                                 " has no valid password of it: give --access the file of the "
                                 "first seed, or --reset-passwords");
    }
    const bool is_kept = password_valid || (is_changed && !request.may_reset_passwords);
    if (!password_valid) password = is_kept ? "" : base::random_hex(16);
    const auto initial_until =
        request.initial_for ? std::optional(now + *request.initial_for) : std::nullopt;
    if (!user) {
        user = model::User{.id = {},
                           .tenant = tenant.id,
                           .name = wanted.name,
                           .role = wanted.role,
                           .password_hash = identity::hash_password(base::Secret(password)),
                           .initial_until = initial_until};
        user->id = store::insert_user(connection, *user, now);
    } else if (!is_kept) {
        store::update_password(connection, user->id,
                               identity::hash_password(base::Secret(password)), initial_until);
    }
    const bool is_new = !seeded || *seeded != user->id.value;
    store::record_seeded(connection, "user", std::string(wanted.tenant), wanted.name,
                         user->id.value);
    key = save_key(connection, wanted, *user, key, request.gives_back || is_new, now);
    return base::Json{{"tenant", wanted.tenant},
                      {"user", wanted.name},
                      {"role", base::to_word(wanted.role)},
                      {"password", password},
                      {"apikey", key}};
}

/// Returns whether the entry is left as users have made it, though it differs.
bool save_entry(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
                const fs::path& path, bool gives_back, base::Timestamp now) {
    const auto json = base::parse_json(read_file(path));
    if (!json) throw std::runtime_error(path.string() + " is no JSON");
    const auto entry = operations::canonical_entry(kind, *json);
    if (!entry) throw std::runtime_error(path.string() + ": " + base::to_text(entry.error()));
    const std::string name = entry->at("name").get<std::string>();
    // Once somebody has changed or deleted the entry it is theirs.
    const auto history = database.read([&](store::Connection& connection) {
        return store::list_versions(connection, caller.tenant.id, kind, name);
    });
    const bool is_theirs = !history.empty() && !history.front().written_by.empty();
    auto stored = database.read([&](store::Connection& connection) {
        return store::find_entry(connection, caller.tenant.id, kind, name);
    });
    base::Json wanted = *entry;
    wanted.erase("version");
    if (stored) stored->erase("version");
    if (stored && *stored == wanted) return false;
    if (is_theirs && !gives_back) return true;
    const auto saved = operations::replace_entry(database, caller, kind, name, *json, now);
    if (!saved) throw std::runtime_error(path.string() + ": " + to_text(saved.error().problems));
    return false;
}

/// Bytes of a resource. A folder becomes an archive, so that its files can be edited in the
/// repository.
std::string content_of(const fs::path& path) {
    return fs::is_directory(path) ? archive_of(path) : read_file(path);
}

/// Returns the files that are left as users have made them.
Names save_resources(store::Database& database, const contents::Contents& contents,
                     const model::Tenant& tenant, const fs::path& folder, bool gives_back,
                     base::Timestamp now) {
    Names left;
    for (const fs::path& plugin : files_in(folder / "automatortypes")) {
        for (const fs::path& type : files_in(plugin)) {
            for (const fs::path& file : files_in(type)) {
                const store::ResourceShelf shelf{.tenant = tenant.id,
                                                 .kind = model::PluginKind::automator,
                                                 .plugin = plugin.filename(),
                                                 .resource_type = type.filename()};
                const std::string name = file.filename();
                const std::string bytes = content_of(file);
                if (operations::has_live_bytes(database, shelf, name, bytes)) continue;
                // Once somebody has changed or deleted the file it is theirs.
                if (!gives_back && operations::have_users_changed(database, shelf, name)) {
                    left.push_back(tenant.name + ": " + fs::relative(file, folder).string());
                    continue;
                }
                operations::save_live_resource(database, contents, shelf, name, bytes, now);
            }
        }
    }
    return left;
}

Names save_tenant_content(store::Database& database, const contents::Contents& contents,
                          const model::Tenant& tenant, const fs::path& folder, bool gives_back,
                          base::Timestamp now) {
    model::Caller caller;
    caller.user.role = model::Role::admin;
    caller.tenant = tenant;
    Names left = save_resources(database, contents, tenant, folder / "resources", gives_back, now);
    for (const auto& [collection, kind] : collections) {
        for (const fs::path& file : files_in(folder / "catalogue" / collection)) {
            if (save_entry(database, caller, kind, file, gives_back, now)) {
                left.push_back(tenant.name + ": " + collection + '/' + file.filename().string());
            }
        }
    }
    return left;
}

}  // namespace

std::vector<std::string> seed(store::Database& database, const contents::Contents& contents,
                              const SeedRequest& request, base::Timestamp now) {
    const base::Json old_access =
        fs::exists(request.access_file)
            ? base::parse_json(read_file(request.access_file)).value_or(base::Json::object())
            : base::Json::object();
    base::Json access = {{"url", request.url}, {"users", base::Json::array()}};
    for (const SeedUser& user : seed_users) {
        if (!request.has_demo && user.tenant == demo) continue;
        const auto tenant =
            tenant_named(database, std::string(user.tenant), request.gives_back, now);
        if (!tenant) continue;
        auto entry = database.write([&](store::Connection& connection) {
            return save_user(connection, user, *tenant, known_access(old_access, user), request,
                             now);
        });
        if (entry) access["users"].push_back(*std::move(entry));
    }
    write_access_file(request.access_file, access);
    Names left;
    for (const std::string_view name : {superadmin, demo}) {
        if (!request.has_demo && name == demo) continue;
        const auto tenant = tenant_named(database, std::string(name), request.gives_back, now);
        if (!tenant) continue;
        const auto of_tenant = save_tenant_content(database, contents, *tenant, request.folder,
                                                   request.gives_back, now);
        left.insert(left.end(), of_tenant.begin(), of_tenant.end());
    }
    return left;
}

}  // namespace provisioner::migrate
