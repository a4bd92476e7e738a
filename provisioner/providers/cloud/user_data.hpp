#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/identity/ssh_keys.hpp"
#include "provisioner/providers/cloud/mark.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

/// The host key of the machine with that mark: derived from the seed of `spec`, the task and the
/// attempt. So every daemon knows it without having stored it. Nothing without a seed or a task.
std::optional<identity::SshKeyPair> host_key_for(const MachineSpec& spec, const Mark& mark);

/// What cloud-init does at the first boot: our host key and no other, the login key for the user
/// (who is made if he is not the image's), the hostname. `more` is merged in at the top level. A
/// text of the owner's own (account.files["user_data_resource"]) goes along as a MIME part. Source:
/// https://cloudinit.readthedocs.io/en/latest/reference/modules.html.
std::string user_data_for(const Account& account, const MachineSpec& spec, const Mark& mark,
                          const base::Json& more);

/// Throws a Refusal for user data that are longer than `who` takes: "EC2", 16384. `sent` is what
/// goes into the call, so base64 where the cloud counts that.
void check_user_data(const Account& account, std::string_view sent, std::size_t most,
                     std::string_view who);

}  // namespace provisioner::providers::cloud
