#pragma once

#include <filesystem>
#include <string>

#include "provisioner/base/expected.hpp"
#include "provisioner/providers/local/host/isolation/id_range.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// The directory with all its files, whose users and groups are those of the namespace `space`:
/// what belongs to root belongs to its root. It is mounted nowhere. On failure the reason, as a
/// sentence without a full stop: kernels before 5.19 cannot do it, and some file systems never can.
base::expected<Fd, std::string> shifted(const std::filesystem::path& base, const Fd& space);

/// Gives the file or directory, with all that is in it, to the user and the group `id`. Links are
/// not followed. Throws Failure.
void give_to(const std::filesystem::path& path, long long id);

/// Mounts the file system of a host at <machine>/root: an overlay of `base`, which is not written
/// to, and <machine>/upper. Its device files do not work. The host sees `base` as `shifted` is, if
/// that is not empty. The caller is in a mount namespace of its own, whose mounts become private.
/// Throws Failure.
void mount_layers(const std::filesystem::path& base, const std::filesystem::path& machine,
                  const Fd& shifted);

/// Mounts the mount that is the working directory over itself, and goes there: pivot_root() takes
/// no mount that came from the mount namespace of another user namespace. Throws Failure.
void unlock_root();

}  // namespace provisioner::providers::local
