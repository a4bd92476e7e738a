#include "provisioner/migrate/audit_keys.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/migrate/files.hpp"

namespace provisioner::migrate {

namespace {

constexpr std::string_view blanks = " \t\r";

std::runtime_error cannot(const char* what, const std::string& path) {
    return std::runtime_error(std::string("cannot ") + what + ' ' + path + ": " +
                              std::strerror(errno));
}

/// Puts a file with that text in the place of `path`, with owner, group and mode of `like`.
void put_in_place(const std::string& path, const std::string& text, const struct stat& like) {
    const std::string temporary = path + ".new";
    ::unlink(temporary.c_str());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) throw cannot("make", temporary);
    const bool is_written =
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fchown(file, like.st_uid, like.st_gid) == 0 && ::fchmod(file, like.st_mode & 0777) == 0 &&
        ::fsync(file) == 0;
    const int error = errno;
    ::close(file);
    if (!is_written || std::rename(temporary.c_str(), path.c_str()) != 0) {
        if (!is_written) errno = error;
        const auto failure = cannot("write", is_written ? path : temporary);
        ::unlink(temporary.c_str());
        throw failure;
    }
    sync_folder_of(path);
}

store::AuditKeys replaced_keys(const base::Config& config) {
    const std::string path = replaced_audit_keys_file(config);
    if (!std::filesystem::exists(path)) return {};
    try {
        return audit_keys_in(read_file(path));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

}  // namespace

store::AuditKeys audit_keys_in(std::string_view text) {
    store::AuditKeys keys;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        line = line.substr(0, line.find_last_not_of(blanks) + 1);
        if (line.empty() || line.front() == '#') continue;
        const auto blank = line.find(' ');
        store::AuditKey key{.public_key = std::string(line.substr(0, blank))};
        if (blank != std::string_view::npos) {
            try {
                key.until = base::from_sql(line.substr(blank + 1));
            } catch (const std::invalid_argument& error) {
                throw std::runtime_error("no key and moment: " + std::string(line));
            }
        }
        keys.push_back(std::move(key));
    }
    return keys;
}

std::string to_text(const store::AuditKeys& keys) {
    std::string text;
    for (const store::AuditKey& key : keys) {
        text += key.public_key + (key.until ? ' ' + base::to_sql(*key.until) : "") + '\n';
    }
    return text;
}

store::AuditKeys with_replaced(store::AuditKeys keys, const std::string& public_key,
                               base::Timestamp until) {
    std::erase_if(keys, [&](const store::AuditKey& key) { return key.public_key == public_key; });
    keys.push_back({.public_key = public_key, .until = until});
    return keys;
}

std::string replaced_audit_keys_file(const base::Config& config) {
    return config.get("audit.key") + ".replaced";
}

store::AuditKeys own_audit_keys(const base::Config& config) {
    store::AuditKeys keys{
        {.public_key = identity::SigningKey::from_file(config.get("audit.key")).public_key()}};
    for (store::AuditKey& key : replaced_keys(config)) {
        // Of a replacement that was interrupted: it is in use.
        if (key.public_key != keys.front().public_key) keys.push_back(std::move(key));
    }
    return keys;
}

std::string replace_audit_key(const base::Config& config, base::Timestamp until) {
    const std::string path = config.get("audit.key");
    struct stat old {};
    if (::stat(path.c_str(), &old) != 0) throw cannot("replace", path);
    const std::string old_key = identity::SigningKey::from_file(path).public_key();
    put_in_place(replaced_audit_keys_file(config),
                 to_text(with_replaced(replaced_keys(config), old_key, until)), old);
    put_in_place(path, identity::new_signing_key().reveal(), old);
    return identity::SigningKey::from_file(path).public_key();
}

}  // namespace provisioner::migrate
