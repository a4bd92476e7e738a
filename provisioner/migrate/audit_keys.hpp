#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/store/audit/verification.hpp"

namespace provisioner::migrate {

/// The public keys of a text: one a line in base64, behind it a blank and the moment (UTC, as
/// to_sql() writes it) until which a key counts that was replaced. Lines that begin with # are
/// comments. Throws std::runtime_error, naming the line, for a moment that is none. Pure.
store::AuditKeys audit_keys_in(std::string_view text);

/// The text of which audit_keys_in() makes these keys. Pure.
std::string to_text(const store::AuditKeys& keys);

/// These keys with one that counts until that moment. A key that is there already keeps no other
/// moment: its replacement was interrupted, and is done again. Pure.
store::AuditKeys with_replaced(store::AuditKeys keys, const std::string& public_key,
                               base::Timestamp until);

/// Where the public keys of those are kept that were in audit.key before: beside it.
std::string replaced_audit_keys_file(const base::Config& config);

/// The key of audit.key first, then those that were there before it. Throws when audit.key cannot
/// be read, or holds none.
store::AuditKeys own_audit_keys(const base::Config& config);

/// Puts a new key in the place of audit.key, with the owner, group and mode of the old one, after
/// the old public key was written to replaced_audit_keys_file() with `until`. A reader finds the
/// old key or the new one; interrupted, it is done again. Returns the new public key. Throws
/// std::runtime_error naming the file and the reason.
std::string replace_audit_key(const base::Config& config, base::Timestamp until);

}  // namespace provisioner::migrate
