#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::providers::local {

/// A shared root to build: a minimal Debian, the read-only lower layer of every host's file system.
/// It is built once, so making a host copies nothing. Hosts have no way out of their network, so
/// the root also holds downloaded packages that hosts can install.
struct RootRequest {
    /// Directory of the root; its parents are created.
    std::filesystem::path target;
    /// URL of the Debian mirror. Empty: the one that this machine's own apt uses, else Debian's
    /// public one.
    std::string mirror;
    /// Packages to download for hosts that have no network. If both lists are empty:
    /// default_cache().
    std::vector<std::string> cache;
    /// Packages that every host has, beside a login, a network and the usual tools. Their services
    /// are not started.
    std::vector<std::string> install{};

    bool operator==(const RootRequest&) const = default;
};

/// Packages that are downloaded if the command line names none.
const std::vector<std::string>& default_cache();

/// The Debian mirror in the output of `apt-get indextargets` with lines "<site> <release> ...". It
/// is the first site that ends with "/debian" and has a plain release (not -updates, not
/// -security). `fallback` if there is none.
std::string mirror_of(std::string_view indextargets, const std::string& fallback);

/// Text of the root's sources.list: release, updates, and security updates from `security`.
std::string sources_of(const std::string& mirror, const std::string& security);

/// The settings about fetching in the output of `apt-config dump`: proxies, certificates, date
/// checks. The build uses them, so that it reaches the mirror where this machine does.
std::string fetch_settings_of(std::string_view dump);

/// Builds the root, which takes about a minute, and reports its progress on standard error. An
/// existing root is kept as it is. A second build of the same root waits for the first.
///
/// The root appears under its name only when it is complete. A build that is killed leaves no
/// process and no mount; the next build removes its directory. Throws Failure.
void build_root(const RootRequest& request);

}  // namespace provisioner::providers::local
