#include "provisioner/providers/local/host/isolation/file_system.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

/// Before, overlays refuse layers with ids of their own.
bool is_overlay_able() {
    utsname names{};
    int major = 0;
    int minor = 0;
    if (uname(&names) != 0 || std::sscanf(names.release, "%d.%d", &major, &minor) != 2) return true;
    return major > 5 || (major == 5 && minor >= 19);
}

Fd clone_of(const char* path) {
    return Fd(open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
}

void mount_overlay(const fs::path& lower, const fs::path& machine) {
    const fs::path root = machine / "root";
    const std::string options = "lowerdir=" + lower.string() +
                                ",upperdir=" + (machine / "upper").string() +
                                ",workdir=" + (machine / "work").string();
    // volatile: no fsync reaches the disk, so packages install faster. A host does not survive a
    // restart of the machine anyway. Older kernels do not know the option.
    const std::string all = options + ",volatile";
    if (mount("overlay", root.c_str(), "overlay", MS_NODEV, all.c_str()) == 0) return;
    if (mount("overlay", root.c_str(), "overlay", MS_NODEV, options.c_str()) == 0) return;
    fail("cannot mount an overlay of " + lower.string() + " and " + machine.string() +
         " (a file system that is an overlay itself cannot hold the state directory)");
}

}  // namespace

base::expected<Fd, std::string> shifted(const fs::path& base, const Fd& space) {
    const std::string cannot = "the files of " + base.string() + " cannot have ids of their own: ";
    if (!is_overlay_able()) return base::unexpected(cannot + "this needs Linux 5.19");
    Fd tree = clone_of(base.c_str());
    if (tree.get() < 0) return base::unexpected(cannot + std::strerror(errno));
    mount_attr wanted{};
    wanted.attr_set = MOUNT_ATTR_IDMAP;
    wanted.userns_fd = static_cast<unsigned>(space.get());
    if (mount_setattr(tree.get(), "", AT_EMPTY_PATH, &wanted, sizeof wanted) == 0) return tree;
    const int error = errno;
    return base::unexpected(cannot + (error == EINVAL
                                          ? "their file system does not know this (ext4, "
                                            "xfs and btrfs do)"
                                          : std::strerror(error)));
}

void give_to(const fs::path& path, long long id) {
    const auto owner = static_cast<uid_t>(id);
    if (lchown(path.c_str(), owner, owner) != 0) fail("cannot give away " + path.string());
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (lchown(entry.path().c_str(), owner, owner) != 0) {
            fail("cannot give away " + entry.path().string());
        }
    }
}

void mount_layers(const fs::path& base, const fs::path& machine, const Fd& shifted) {
    if (mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        fail("cannot make mounts private");
    }
    if (shifted.get() < 0) return mount_overlay(base, machine);
    // An overlay takes no layer that is mounted nowhere. It soon lies above this one at the same
    // place, and keeps it open.
    const fs::path root = machine / "root";
    if (move_mount(shifted.get(), "", AT_FDCWD, root.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
        fail("cannot mount " + base.string());
    }
    mount_overlay(root, machine);
}

void unlock_root() {
    const Fd copy = clone_of(".");
    if (copy.get() < 0 || move_mount(copy.get(), "", AT_FDCWD, ".", MOVE_MOUNT_F_EMPTY_PATH) != 0 ||
        fchdir(copy.get()) != 0) {
        fail("cannot unlock the host's root");
    }
}

}  // namespace provisioner::providers::local
