#include "provisioner/providers/local/helper/listener.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr int backlog = 1024;
constexpr mode_t all_but_0660 = 0117;

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        throw Refusal("usage", "the path of the socket is empty or too long: " + path);
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

/// bind() as that group and with that mode. So neither is set by path later, where somebody could
/// have put a link.
bool bind_as(const Fd& socket, const std::string& path, gid_t group) {
    const sockaddr_un address = address_of(path);
    const gid_t own_group = getegid();
    const mode_t own_mask = umask(all_but_0660);
    const bool is_bound =
        setegid(group) == 0 &&
        bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int error = errno;
    umask(own_mask);
    if (setegid(own_group) != 0) fail("cannot return to the own group");
    errno = error;
    return is_bound;
}

}  // namespace

Fd listen_at(const fs::path& path, gid_t group) {
    const std::string fresh = path.string() + ".new";
    Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.get() < 0) fail("cannot make a socket");
    unlink(fresh.c_str());
    if (!bind_as(socket, fresh, group)) fail("cannot bind " + fresh);
    struct stat made {};
    if (lstat(fresh.c_str(), &made) != 0 || made.st_gid != group) {
        unlink(fresh.c_str());
        throw Failure("the socket " + fresh +
                      " did not get its group: its folder must not be set-group-ID");
    }
    if (listen(socket.get(), backlog) != 0) fail("cannot listen on " + fresh);
    if (rename(fresh.c_str(), path.c_str()) != 0) fail("cannot replace " + path.string());
    return socket;
}

gid_t group_named(const std::string& name) {
    const group* found = getgrnam(name.c_str());
    if (found == nullptr) throw Refusal("usage", "there is no group \"" + name + "\"");
    return found->gr_gid;
}

uid_t user_named(const std::string& name) {
    const passwd* found = getpwnam(name.c_str());
    if (found == nullptr) throw Refusal("usage", "there is no user \"" + name + "\"");
    return found->pw_uid;
}

uid_t peer_of(const Fd& connection) {
    ucred peer{};
    socklen_t size = sizeof peer;
    const int result = getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
    return result == 0 ? peer.uid : static_cast<uid_t>(-1);
}

}  // namespace provisioner::providers::local
