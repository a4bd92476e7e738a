#include "provisioner/daemon/tasks/login_keys.hpp"

#include "provisioner/identity/ssh_keys.hpp"

namespace provisioner::daemon {

LoginKey LoginKeys::of(const model::Account& account, bool is_shared) const {
    if (is_shared) return installation_;
    const auto own = account.files.find("ssh_key_resource");
    if (own != account.files.end()) {
        const auto public_key = identity::public_key_in(own->second);
        if (public_key && !public_key->starts_with("ssh-rsa ")) {
            return {.private_key = base::Secret(own->second), .public_key = *public_key};
        }
    }
    const std::string purpose = "login key of tenant " + std::to_string(account.tenant.value) +
                                " of installation " + account.installation;
    auto pair =
        identity::ssh_key_pair(identity::derived_secret(installation_.private_key, purpose));
    return {.private_key = std::move(pair.private_key), .public_key = std::move(pair.public_key)};
}

base::Secret LoginKeys::host_key_seed(const model::Account& account,
                                      const std::string& machine) const {
    return identity::derived_secret(
        installation_.private_key,
        "host key of machine " + machine + " of installation " + account.installation);
}

}  // namespace provisioner::daemon
