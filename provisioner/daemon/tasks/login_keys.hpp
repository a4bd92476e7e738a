#pragma once

#include <string>
#include <vector>

#include "provisioner/base/secret.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::daemon {

/// An SSH key pair with which daemons log in to machines.
struct LoginKey {
    /// Text of an OpenSSH private key file.
    base::Secret private_key;
    /// "ssh-ed25519 AAAA...", given to providers for new machines.
    std::string public_key;
};

/// The login keys of each account, and secrets derived for its machines.
///
/// A current key of the vault for the provider comes first, then the file that the provider names,
/// then a current key of the vault for the tenant. Without any of them: machines of the daemon's
/// own host share the installation's key. Every other tenant has a key of its own, derived from the
/// installation's, so that all daemons know it and no machine of one tenant lets another's key in.
/// A provider that names a key of its own (`ssh_key_resource`, ed25519 or ECDSA in OpenSSH's form)
/// uses that one. RSA keys cannot be used with today's servers (remote/README.md): the tenant's key
/// stands in for them. Any thread.
class LoginKeys {
 public:
    explicit LoginKeys(LoginKey installation) : installation_(std::move(installation)) {}

    /// `is_shared` as Provider::is_shared().
    LoginKey of(const model::Account& account, bool is_shared) const;

    /// The same, and behind it what else the account's machines may have: keys that were replaced,
    /// and what the provider used before it had one in the vault. Each once, at most 8: two current
    /// ones, two that were replaced of each, the file and what was there before the vault.
    std::vector<LoginKey> all_of(const model::Account& account, bool is_shared) const;

    /// From which the first host key of a machine is derived (MachineSpec::host_key_seed).
    base::Secret host_key_seed(const model::Account& account, const std::string& machine) const;

 private:
    /// What an account without file and vault has.
    LoginKey given(const model::Account& account, bool is_shared) const;

    LoginKey installation_;
};

}  // namespace provisioner::daemon
