#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

#include "provisioner/identity/master_keys/key_source.hpp"
#include "provisioner/migrate/audit_keys.hpp"
#include "provisioner/migrate/backup/backup.hpp"
#include "provisioner/migrate/backup/container.hpp"
#include "provisioner/migrate/files.hpp"

namespace provisioner::migrate {

namespace {

namespace fs = std::filesystem;

/// Where each key is, by the name it has in a backup. Settings that are not set have no key.
std::map<std::string, std::string> key_files(const base::Config& config) {
    std::map<std::string, std::string> files;
    const auto path_of = [&](const char* name) {
        try {
            return config.get(name);
        } catch (const std::runtime_error&) {
            return std::string();
        }
    };
    // A credential and what a command prints are kept elsewhere.
    for (const std::string ring : {identity::master_key_setting, identity::daemon_key_setting}) {
        const bool is_elsewhere = !config.get_or(ring + "_command", "").empty() ||
                                  !config.get_or(ring + "_credential", "").empty();
        if (const auto path = path_of(ring.c_str()); !path.empty() && !is_elsewhere) {
            files[ring] = path;
        }
    }
    if (const auto path = path_of("secrets.daemon_public_key"); !path.empty()) {
        files["secrets.daemon_public_key"] = path;
    }
    if (const auto path = path_of("ssh.private_key"); !path.empty()) {
        files["ssh.private_key"] = path;
        files["ssh.public_key"] = path + ".pub";
    }
    // Not every installation seals its audit log.
    if (const auto path = path_of("audit.key"); !path.empty()) {
        files["audit.key"] = path;
        files["audit.key.replaced"] = replaced_audit_keys_file(config);
    }
    return files;
}

/// A key as a backup has it. Its programs can read it only with this group and mode, which a key
/// that is put back on another machine gets, too.
struct Key {
    std::string text;
    std::string user;
    std::string group;
    mode_t mode = 0600;
};

Key key_at(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) {
        throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    }
    const passwd* const user = ::getpwuid(found.st_uid);
    const group* const group_of_it = ::getgrgid(found.st_gid);
    return {.text = read_file(path),
            .user = user == nullptr ? "" : user->pw_name,
            .group = group_of_it == nullptr ? "" : group_of_it->gr_name,
            .mode = found.st_mode & 0777};
}

base::Json to_json(const Key& key) {
    return {{"text", key.text}, {"user", key.user}, {"group", key.group}, {"mode", key.mode}};
}

/// Nothing for anything that is no key.
std::optional<Key> key_in(const base::Json* json) {
    if (json == nullptr || !json->is_object()) return std::nullopt;
    const base::Json* text = base::member(*json, "text");
    const base::Json* user = base::member(*json, "user");
    const base::Json* group = base::member(*json, "group");
    const base::Json* mode = base::member(*json, "mode");
    const bool is_key = text && text->is_string() && user && user->is_string() && group &&
                        group->is_string() && mode && mode->is_number_unsigned();
    if (!is_key) return std::nullopt;
    // Never for everybody to write.
    return Key{.text = text->get<std::string>(),
               .user = user->get<std::string>(),
               .group = group->get<std::string>(),
               .mode = mode->get<mode_t>() & 0755};
}

/// Gives an open file its owner, group and mode. Where this machine has not both of them, the file
/// is left to whoever restores it.
bool give_rights(int file, const Key& key) {
    const passwd* const user = ::getpwnam(key.user.c_str());
    const group* const group_of_it = ::getgrnam(key.group.c_str());
    if (user == nullptr || group_of_it == nullptr) return true;
    return ::fchown(file, user->pw_uid, group_of_it->gr_gid) == 0 && ::fchmod(file, key.mode) == 0;
}

void write_private(const std::string& path, const Key& key) {
    const std::string& text = key.text;
    const std::string temporary = path + ".new";
    ::unlink(temporary.c_str());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        give_rights(file, key) && ::fsync(file) == 0;
    const int error = errno;
    if (file >= 0) ::close(file);
    if (!is_written) {
        throw std::runtime_error("cannot write " + temporary + ": " + std::strerror(error));
    }
    fs::rename(temporary, path);
}

}  // namespace

void back_up_keys(const base::Config& config, const std::string& path, base::Timestamp now) {
    base::Json keys = base::Json::object();
    for (const auto& [name, file] : key_files(config)) {
        if (fs::exists(file)) keys[name] = to_json(key_at(file));
    }
    if (keys.empty()) throw std::runtime_error("there are no keys to save");
    ContainerWriter writer(path, {{"kind", "keys"}, {"created_at", base::to_sql(now)}});
    writer.add(keys.dump());
    writer.finish();
}

void restore_keys(const base::Config& config, const RestoreRequest& request) {
    const Container found = read_container(request.path, "keys");
    const auto keys = base::parse_json(read_file(request.path).substr(found.begins, found.size));
    if (!keys) throw std::runtime_error(request.path + " has no keys");
    std::map<std::string, Key> wanted;
    for (const auto& [name, file] : key_files(config)) {
        const auto key = key_in(base::member(*keys, name));
        if (!key) continue;
        if (fs::exists(file) && read_file(file) == key->text) continue;
        if (fs::exists(file) && !request.may_replace) {
            throw std::runtime_error(
                file + " exists with another content: move it away, or use --replace");
        }
        wanted[file] = *key;
    }
    for (const auto& [file, key] : wanted) write_private(file, key);
}

}  // namespace provisioner::migrate
