#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/secret.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/machines/login_key.hpp"

namespace provisioner::model {

/// A login key of the vault, opened.
struct OpenedLoginKey {
    LoginKeyId id{};
    std::string public_key{};
    /// Empty: it could not be opened, and is known only to be taken away.
    base::Secret private_key{};
    /// Whether it is for the account's provider, as opposed to all of the tenant.
    bool is_of_provider = false;
    /// False: replaced, but some machine may have it alone.
    bool is_current = true;
};

/// A provider's configuration with its secrets decrypted, as the daemon passes it to provider
/// plugins. Made by operations::opened_account() from a cluster's snapshot and the cluster's own
/// secrets, or from a catalogue entry. Lives only in memory: never stored, shown or logged.
struct Account {
    /// Owner of the provider. 0 while the daemon searches a shared provider for orphans: that
    /// belongs to the installation.
    TenantId tenant;
    /// Name of the provider in the tenant's catalogue, as in the cluster's snapshot. Empty when
    /// `tenant` is 0.
    std::string provider;
    /// Selects the plugin, for example "aws".
    std::string provider_type;
    /// Field name -> plain value, an object. Fields given for one cluster replace the provider's
    /// own.
    base::Json fields = base::Json::object();
    /// Texts of the files of the plugin that fields name: field ("ssh_key_resource") -> content. A
    /// field that names no file, or one that is not there, is missing.
    std::map<std::string, std::string> files;
    /// Keys of the vault that the account's machines may have, newest first. Empty where there are
    /// none, and for types whose machines get none (PluginType::login_keys).
    std::vector<OpenedLoginKey> login_keys;
    /// Plain texts of all secret values in `fields` and of `files`. Messages and transcripts
    /// replace them by a mask (daemon/redaction/redact.hpp).
    std::vector<std::string> secrets;
    /// Id of this installation. Providers mark their machines with it, so that several
    /// installations can share one account.
    std::string installation;
};

}  // namespace provisioner::model
