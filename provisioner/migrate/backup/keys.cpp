#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

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
    if (const auto path = path_of("secrets.keys"); !path.empty()) files["secrets.keys"] = path;
    if (const auto path = path_of("ssh.private_key"); !path.empty()) {
        files["ssh.private_key"] = path;
        files["ssh.public_key"] = path + ".pub";
    }
    return files;
}

void write_private(const std::string& path, const std::string& text) {
    const std::string temporary = path + ".new";
    ::unlink(temporary.c_str());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(file) == 0;
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
        if (fs::exists(file)) keys[name] = read_file(file);
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
    std::map<std::string, std::string> wanted;
    for (const auto& [name, file] : key_files(config)) {
        const base::Json* text = base::member(*keys, name);
        if (text == nullptr || !text->is_string()) continue;
        const std::string content = text->get<std::string>();
        if (fs::exists(file) && read_file(file) == content) continue;
        if (fs::exists(file) && !request.may_replace) {
            throw std::runtime_error(
                file + " exists with another content: move it away, or use --replace");
        }
        wanted[file] = content;
    }
    for (const auto& [file, content] : wanted) write_private(file, content);
}

}  // namespace provisioner::migrate
