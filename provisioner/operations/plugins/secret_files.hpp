#pragma once

#include <string>

#include "provisioner/contents/contents.hpp"
#include "provisioner/store/plugins/resource_store.hpp"
#include "provisioner/store/tenants/secret_store.hpp"

namespace provisioner::operations {

// Files of providers that are secrets, such as private keys: their bytes are kept sealed for
// daemons, wherever contents are kept. Size and checksum of such a version are those of the sealed
// bytes.

/// Longest such file, in bytes.
constexpr std::uint64_t longest_secret_file = 256 * 1024;

/// Whether files of the type are secrets: all of providers but user data, which whoever asks the
/// cloud can read.
bool is_secret_shelf(model::PluginKind kind, const std::string& resource_type);

/// The bytes as they are kept. Pure.
std::string sealed_file(const identity::SealingKey& key, const store::ResourceShelf& shelf,
                        const std::string& bytes);

/// The bytes that were uploaded; `kept` itself if it was stored before such files were sealed.
/// Throws identity::VaultError.
std::string opened_file(const identity::Vault& vault, const store::ResourceShelf& shelf,
                        const std::string& kept);

/// Seals secret files that are not sealed, and wraps the others with the newest key. Stores
/// each anew and removes what was there. May be repeated. A file that cannot be read becomes a
/// problem.
store::FieldsWalk reseal_files(store::Database& database, const contents::Contents& contents,
                               base::Timestamp now);

/// Calls `look` with the text of every secret file as it is kept.
void look_at_files(store::Database& database, const contents::Contents& contents,
                   const std::function<void(const std::string& kept)>& look);

}  // namespace provisioner::operations
