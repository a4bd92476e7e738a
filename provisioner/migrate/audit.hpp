#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "provisioner/base/config.hpp"

namespace provisioner::migrate {

/// What verify_audit() looks at.
struct AuditVerification {
    /// Name of the only tenant; nothing: all chains, that of the installation included.
    std::optional<std::string> tenant{};
    /// File with public keys in base64, one a line; nothing: that of audit.key if it can be read,
    /// else those that the seals name.
    std::optional<std::string> public_key_file{};
};

/// Walks chains of the audit log and writes every event and seal that is wrong to `out`, with a
/// line for each chain. True when nothing is wrong. Memory does not grow with the log. Throws
/// std::runtime_error for an unknown tenant or a file of keys without one.
bool verify_audit(const base::Config& config, const AuditVerification& wanted, std::ostream& out);

/// Writes a new key to audit.key, mode 0600, and returns its public key in base64. Throws
/// std::runtime_error when the file exists.
std::string new_audit_key(const base::Config& config);

/// The public key of audit.key in base64.
std::string audit_public_key(const base::Config& config);

}  // namespace provisioner::migrate
