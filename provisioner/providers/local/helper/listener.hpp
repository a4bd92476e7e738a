#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// A unix stream socket that listens at `path`, open to root and the group only (mode 0660).
/// Non-blocking. Throws Failure.
///
/// The socket gets its group and mode in the moment it is made, under another name, and listens
/// before it is renamed: nobody else can connect at any time, and a client finds either the socket
/// of the helper before or this one. A socket of a dead helper is replaced. Its folder should be
/// root's alone: who may write there could put another socket in its place.
Fd listen_at(const std::filesystem::path& path, gid_t group);

/// The group of that name. Throws Refusal("usage") if there is none.
gid_t group_named(const std::string& name);

/// The user of that name. Throws Refusal("usage") if there is none.
uid_t user_named(const std::string& name);

/// The user who connected (SO_PEERCRED), as the kernel knew it at that moment; nobody's number (-1)
/// if it cannot be said.
uid_t peer_of(const Fd& connection);

}  // namespace provisioner::providers::local
