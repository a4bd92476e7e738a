#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::providers::local {

/// A shared root somebody wants.
struct RootRequest {
    std::filesystem::path target;
    /// Where Debian's packages come from; empty for the place this machine has its own from.
    std::string mirror;
    /// Packages to fetch for hosts that have no network; empty for default_cache().
    std::vector<std::string> cache;

    bool operator==(const RootRequest&) const = default;
};

/// Packages that are fetched when nobody says otherwise.
const std::vector<std::string>& default_cache();

/// Where Debian comes from, of the lines "<site> <release> <component>" that apt prints about this
/// machine: the first site that has a plain release (not -updates, not -security). `fallback` when
/// there is none.
std::string mirror_of(std::string_view indextargets, const std::string& fallback);

/// The sources.list of the root: release, updates, and security from beside `mirror`.
std::string sources_of(const std::string& mirror, const std::string& security);

/// The settings about fetching of what `apt-config dump` prints: proxies, certificates, date
/// checks. The root is built with them, so that it gets through where this machine does.
std::string fetch_settings_of(std::string_view dump);

/// Builds the root, a minute's work, and says on standard error what it does. One that is there
/// already is kept. Another build of the same root is waited for. A build that is killed leaves no
/// process and no mount, and its directory is removed by the next. Throws Failure.
void build_root(const RootRequest& request);

}  // namespace provisioner::providers::local
