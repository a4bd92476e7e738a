#pragma once

#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// Mounts what every system expects in the file system at the working directory: /proc, /sys, /dev,
/// /run. Settings of the kernel are read-only there, but for those of the network, and what tells
/// of the machine or acts on it is covered.
///
/// To be called in the host's namespaces as its root, before the machine's root is out of reach:
/// device files are the machine's. Throws Failure.
///
/// The covers only prevent mistakes, because the host's root may unmount them. What keeps it from
/// the machine is that in its user namespace nothing of the kernel belongs to it.
void furnish();

/// The first place below /proc or /sys that something hides, from the text of
/// /proc/self/mountinfo; empty if there is none. The kernel then gives no user namespace a /proc:
/// it would show what is hidden here.
std::string hidden_place(std::string_view mountinfo);

}  // namespace provisioner::providers::local
