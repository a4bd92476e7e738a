#include "provisioner/migrate/audit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <stdexcept>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/migrate/audit_keys.hpp"
#include "provisioner/migrate/files.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/audit/seal_store.hpp"
#include "provisioner/store/audit/verification.hpp"

namespace provisioner::migrate {

namespace {

namespace fs = std::filesystem;

store::AuditKeys keys_in(const std::string& path) {
    auto keys = audit_keys_in(read_file(path));
    if (keys.empty()) throw std::runtime_error(path + " holds no public key");
    return keys;
}

/// The keys to believe, and what is said about them.
store::AuditKeys believed_keys(const base::Config& config, const AuditVerification& wanted,
                               std::ostream& out) {
    if (wanted.public_key_file) return keys_in(*wanted.public_key_file);
    const std::string path = config.get("audit.key");
    if (::access(path.c_str(), R_OK) == 0) {
        auto keys = own_audit_keys(config);
        out << "key " << keys.front().public_key << " of " << path << "\n";
        for (auto key = keys.begin() + 1; key != keys.end(); ++key) {
            out << "key " << key->public_key << " of " << replaced_audit_keys_file(config);
            if (key->until) out << ", for seals until " << base::to_sql(*key->until);
            out << "\n";
        }
        return keys;
    }
    out << "no key is given: seals are believed by the keys that they name themselves\n";
    return {};
}

std::string name_of(const store::AuditChain& chain) {
    if (chain.chain.value == 0) return "installation";
    return "tenant " + (chain.tenant.empty() ? std::to_string(chain.chain.value) : chain.tenant);
}

/// Whether nothing is wrong with this chain.
bool verify_one(store::Database& database, const store::AuditChain& chain,
                const store::AuditKeys& keys, std::ostream& out) {
    const std::string name = name_of(chain);
    long wrong = 0;
    const auto walk =
        store::verify_chain(database, chain.chain, keys, [&](const store::AuditFinding& finding) {
            ++wrong;
            out << name << ": " << to_text(finding) << std::endl;
        });
    out << name << ": " << walk.events << " events, " << walk.seals << " seals, " << walk.unsealed
        << " events after the last seal, " << (wrong == 0 ? "nothing" : std::to_string(wrong))
        << " wrong" << std::endl;
    if (keys.empty()) {
        for (const std::string& key : walk.keys) out << name << ": sealed by key " << key << "\n";
    }
    return wrong == 0;
}

}  // namespace

bool verify_audit(const base::Config& config, const AuditVerification& wanted, std::ostream& out) {
    store::Database database(config, store::patience_of_daemons);
    const auto keys = believed_keys(config, wanted, out);
    const auto chains = database.read(store::list_chains);
    bool is_whole = true;
    bool is_found = false;
    for (const store::AuditChain& chain : chains) {
        if (wanted.tenant && (chain.tenant != *wanted.tenant || chain.chain.value == 0)) continue;
        is_found = true;
        is_whole = verify_one(database, chain, keys, out) && is_whole;
    }
    if (wanted.tenant && !is_found) {
        throw std::runtime_error("no events of a tenant " + *wanted.tenant);
    }
    return is_whole;
}

std::string new_audit_key(const base::Config& config) {
    const std::string path = config.get("audit.key");
    const auto fail = [&](const char* what) {
        return std::runtime_error(std::string("cannot ") + what + ' ' + path + ": " +
                                  std::strerror(errno));
    };
    const base::Secret text = identity::new_signing_key();
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) {
        throw std::runtime_error(path + " is there: rotate-audit-key replaces it");
    }
    if (file < 0) throw fail("make");
    const auto& bytes = text.reveal();
    const bool is_written =
        ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
        ::fsync(file) == 0;
    ::close(file);
    if (!is_written) {
        const auto error = fail("write");
        fs::remove(path);
        throw error;
    }
    return identity::SigningKey::from_file(path).public_key();
}

std::string audit_public_keys(const base::Config& config) {
    return to_text(own_audit_keys(config));
}

int rotate_audit_key(const base::Config& config, std::chrono::seconds overlap, std::ostream& out,
                     std::ostream& complaints) {
    const std::string old = own_audit_keys(config).front().public_key;
    store::Database database(config, store::patience_of_daemons);
    // Seals have the database's moments.
    const auto until = database.read(store::moment_of_seals) + overlap;
    const std::string key = replace_audit_key(config, until);
    out << key << "\n";
    try {
        database.write([&](store::Connection& connection) {
            operations::audit_own(connection,
                                  {.action = "audit-key.replace",
                                   .object = {.kind = "audit-key", .name = "audit.key"},
                                   .before = {{"public", old}, {"until", base::to_sql(until)}},
                                   .after = {{"public", key}},
                                   .chain = model::TenantId{}});
        });
    } catch (const std::exception& error) {
        complaints << "the audit log does not tell of it: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

}  // namespace provisioner::migrate
