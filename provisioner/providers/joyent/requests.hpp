#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::joyent {

/// The address of CloudAPI without a slash at the end: `api_endpoint`, else `joyent_api_url`.
std::string endpoint_of(const Account& account);

/// Whether requests are signed with the key of `ssh_key_resource`. Else they carry the password,
/// which only APIs before version 7 take.
bool is_signed(const Account& account);

/// A request to CloudAPI, signed at `now`. `path` is below the login ("/machines?limit=2"),
/// percent- encoded; empty means the account itself. `body` is sent as JSON unless it is null.
/// Throws cloud::Refusal when the account's key cannot be used. Source:
/// draft-cavage-http-signatures, as CloudAPI's appendix B has it.
http_client::Request call(const Account& account, std::string method, const std::string& path,
                          const base::Json& body, base::Timestamp now);

/// The date as headers have it: "Sun, 22 Nov 2026 18:52:35 GMT".
std::string http_date(base::Timestamp moment);

/// The path of one page of the machines that have the installation's tag.
std::string page_path(const Account& account, int offset, int limit);

/// What CreateMachine is sent. Image and networks are ids; the package may be a name.
base::Json creation(const cloud::Order& order, const std::string& image,
                    const std::vector<std::string>& networks);

/// The name of the machine: unique in the account, so that a name can exist once.
std::string machine_name(const Account& account, const std::string& name);

/// The value of firewall_tag for a cluster.
std::string firewall_group(const Account& account, const std::string& cluster);

/// What an image without cloud-init runs at its first boot: the login key for the user, and the
/// hostname. Plain sh; harmless to repeat.
std::string user_script(const MachineSpec& spec);

/// Members of the cloud-config that put the data disk /dev/vdb on /data, as Coopr did: formatted
/// with ext4 when it has neither partitions nor a file system.
base::Json data_disk();

}  // namespace provisioner::providers::joyent
