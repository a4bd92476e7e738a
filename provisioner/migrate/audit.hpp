#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>

#include "provisioner/base/config.hpp"

namespace provisioner::migrate {

/// What verify_audit() looks at.
struct AuditVerification {
    /// Name of the only tenant; nothing: all chains, that of the installation included.
    std::optional<std::string> tenant{};
    /// File with public keys as audit_keys_in() reads them; nothing: that of audit.key, if it can
    /// be read, and those before it, else those that the seals name.
    std::optional<std::string> public_key_file{};
};

/// Walks chains of the audit log and writes every event and seal that is wrong to `out`, with a
/// line for each chain. True when nothing is wrong. Memory does not grow with the log. Throws
/// std::runtime_error for an unknown tenant or a file of keys without one.
bool verify_audit(const base::Config& config, const AuditVerification& wanted, std::ostream& out);

/// Writes a new key to audit.key, mode 0600, and returns its public key in base64. Throws
/// std::runtime_error when the file exists.
std::string new_audit_key(const base::Config& config);

/// Puts a new key in the place of audit.key (replace_audit_key()) and prints its public key. The
/// old one is believed for seals that are made until `overlap` from now. Recorded in the chain of
/// the installation; a database that fails then costs the event, a complaint, and result 1. Throws
/// std::runtime_error, with nothing changed, when there is no key or no database.
int rotate_audit_key(const base::Config& config, std::chrono::seconds overlap, std::ostream& out,
                     std::ostream& complaints);

/// The public key of audit.key, and those of the keys before it with their ends, one a line.
std::string audit_public_keys(const base::Config& config);

}  // namespace provisioner::migrate
