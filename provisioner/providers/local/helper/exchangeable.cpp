#include "provisioner/providers/local/helper/exchangeable.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

struct User {
    uid_t id = 0;
    std::vector<gid_t> groups;
};

User user_called(const std::string& name) {
    User user;
    const passwd* const found = getpwnam(name.c_str());
    if (found == nullptr) return user;
    user.id = found->pw_uid;
    int count = 64;
    user.groups.resize(static_cast<std::size_t>(count));
    if (getgrouplist(name.c_str(), found->pw_gid, user.groups.data(), &count) < 0) {
        user.groups.resize(static_cast<std::size_t>(count));
        getgrouplist(name.c_str(), found->pw_gid, user.groups.data(), &count);
    }
    user.groups.resize(static_cast<std::size_t>(count));
    return user;
}

bool may_write(const User& user, const struct stat& entry) {
    const bool sticky = (entry.st_mode & S_ISVTX) != 0;
    const bool in_group = std::ranges::find(user.groups, entry.st_gid) != user.groups.end();
    const bool by_group = in_group && (entry.st_mode & S_IWGRP) != 0;
    const bool by_all = (entry.st_mode & S_IWOTH) != 0;
    return entry.st_uid == user.id || ((by_group || by_all) && !sticky);
}

}  // namespace

std::string exchangeable_part(const fs::path& path, const std::string& name) {
    const User user = user_called(name);
    // Root needs no detour.
    if (user.id == 0) return "";
    fs::path part;
    for (const fs::path& step : path) {
        part /= step;
        struct stat entry {};
        if (lstat(part.c_str(), &entry) != 0) return "";
        if (S_ISLNK(entry.st_mode)) return part.string() + " is a link";
        if (may_write(user, entry)) {
            return "the user " + name + " may write to " + part.string() + ", so " + path.string() +
                   " is no place for the helper of root";
        }
    }
    return "";
}

}  // namespace provisioner::providers::local
