#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::openstack {

/// Longest user data that Nova takes, in characters of base64.
inline constexpr std::size_t longest_user_data = 65'535;

/// Names of metadata and tags, which Nova keeps as text: tags_of() of the mark.
base::Json metadata_of(const cloud::Mark& mark);
/// The mark in a server's metadata.
cloud::Mark mark_of_server(const base::Json& server);
/// Tags that a listing can be filtered by, "cooperage-installation=<id>". Nova allows 60 characters
/// without comma and slash.
std::vector<std::string> server_tags(const cloud::Mark& mark);

/// Which image or volume a server boots from, and what of it is a choice.
struct ServerParts {
    std::string flavor_id{};
    std::string image_id{};
    std::string key_pair{};
    std::string zone{};
    /// Ids of ports; when empty, `networks` is "auto", or nothing for Rackspace.
    std::vector<std::string> ports{};
    bool auto_network = false;
    /// Names of security groups for a server without ports of ours.
    std::vector<std::string> security_groups{};
    /// Id of a server group.
    std::string server_group{};
    bool config_drive = false;
    /// GB of a volume to boot from; 0: the image's own disk.
    long long volume_size = 0;
    bool has_tags = true;
    /// Whether the server gets a floating address; nothing: there are none.
    std::optional<bool> floating{};
};

/// The name in a server's metadata that says whether it gets a floating address, "yes" or "no": a
/// listing of an account does not know the hardware types.
inline constexpr std::string_view floating_key = "cooperage-floating";

/// The body of POST /servers. Throws Refusal when the user data are too long.
base::Json server_body(const cloud::Order& order, const ServerParts& parts);

/// A server of a listing with details. Its mark is in its metadata. details: "volumes", ids of
/// those that go with it; "floating", as ServerParts::floating.
cloud::CloudMachine machine_in(const base::Json& server);

/// The addresses of a server by type: "access_v4" is the floating one, else one that is not
/// private, else any; "bind_v4" is private, where there is one. An IPv6 address only when there is
/// none of IPv4.
std::map<std::string, std::string> addresses_in(const base::Json& server);

/// Whether the address is one of RFC 1918, RFC 6598 or link-local.
bool is_private(const std::string& address);

/// A fault of a server in words: what is said about hosts that are full.
std::string fault_in(const base::Json& server);

}  // namespace provisioner::providers::openstack
