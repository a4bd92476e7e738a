#include "provisioner/migrate/audit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/store/audit/verification.hpp"

namespace provisioner::migrate {

namespace {

namespace fs = std::filesystem;

store::AuditKeys keys_in(const std::string& path) {
    std::ifstream file(path);
    store::AuditKeys keys;
    std::string line;
    while (std::getline(file, line)) {
        const auto end = line.find_last_not_of(" \t\r");
        if (end != std::string::npos && line.front() != '#')
            keys.push_back(line.substr(0, end + 1));
    }
    if (keys.empty()) throw std::runtime_error(path + " holds no public key");
    return keys;
}

/// The keys to believe, and what is said about them.
store::AuditKeys believed_keys(const base::Config& config, const AuditVerification& wanted,
                               std::ostream& out) {
    if (wanted.public_key_file) return keys_in(*wanted.public_key_file);
    const std::string path = config.get("audit.key");
    if (::access(path.c_str(), R_OK) == 0) {
        auto key = identity::SigningKey::from_file(path).public_key();
        out << "key " << key << " of " << path << "\n";
        return {std::move(key)};
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
    return audit_public_key(config);
}

std::string audit_public_key(const base::Config& config) {
    return identity::SigningKey::from_file(config.get("audit.key")).public_key();
}

}  // namespace provisioner::migrate
