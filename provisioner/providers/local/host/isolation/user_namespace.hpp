#pragma once

#include <string>

#include "provisioner/base/expected.hpp"
#include "provisioner/providers/local/host/isolation/id_range.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// A new user namespace in which 0 to `ids.count` - 1 mean these users and groups of the machine,
/// and no other id means anything. No process is in it. On failure the reason, as a sentence
/// without a full stop: the kernel has none, or a limit forbids it.
///
/// Clones the calling process; only a program with a single thread may do so.
base::expected<Fd, std::string> make_user_namespace(const IdRange& ids);

/// Makes the calling process root of the user namespace `space`: it leaves behind every right on
/// the machine but the descriptors it holds. Throws Failure.
void become_root_of(const Fd& space);

/// As the root of the user namespace that the process is in: user, group and no other groups.
/// Throws Failure.
void take_ids_of_root();

}  // namespace provisioner::providers::local
