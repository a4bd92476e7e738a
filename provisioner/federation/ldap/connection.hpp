#pragma once

#include <ldap.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/federation/certificates.hpp"
#include "provisioner/federation/ldap/watchdog.hpp"
#include "provisioner/federation/trouble.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::federation {

/// Frees what a search brought.
struct ResultRelease {
    void operator()(LDAPMessage* result) const { ldap_msgfree(result); }
};
using Result = std::unique_ptr<LDAPMessage, ResultRelease>;

/// Whether this result code means that the server does not answer or says that it cannot.
bool is_away(int code);

/// A result code in words, with what libldap and the server say about it. `where` stands before.
Trouble trouble_of(LDAP* ldap, int code, const std::string& where);

/// The values of an attribute of an entry.
std::vector<std::string> values_of(LDAP* ldap, LDAPMessage* entry, const std::string& attribute);

/// The distinguished name of an entry, as the directory writes it.
std::string dn_of(LDAP* ldap, LDAPMessage* entry);

/// One connection of libldap. One thread at a time.
struct LdapConnection {
    /// Whether the server has to prove who it is.
    enum class Trust {
        needed,
        /// Nothing may be said to the server, and nothing that it says counts.
        none,
    };

    /// Outlives the handle.
    mutable Watchdog watchdog{};
    LDAP* ldap = nullptr;
    std::string server{};

    LdapConnection() = default;
    ~LdapConnection();
    LdapConnection(const LdapConnection&) = delete;
    LdapConnection& operator=(const LdapConnection&) = delete;

    /// Opens the connection; nothing was sent over it but what TLS needs.
    std::optional<Trouble> open(const model::IdentityProvider& provider, const std::string& address,
                                const Deadline& deadline, Trust trust = Trust::needed);

    /// Gives the next call what is left of the time, and a connection that it makes connect_limit.
    void limit(const Deadline& deadline) const;

    /// LDAP's result code.
    int bind(const std::string& dn, const base::Secret& password, const Deadline& deadline) const;

    /// At most `most` entries; more are a trouble.
    base::expected<Result, Trouble> search(const std::string& below, const std::string& filter,
                                           const std::vector<std::string>& attributes, int most,
                                           const Deadline& deadline, int scope) const;

    /// Whether an entry fits the filter; nothing if that cannot be told.
    std::optional<bool> has_any(const std::string& below, const std::string& filter,
                                const Deadline& deadline) const;

    /// What the directory itself calls an entry, which has more than one name where attributes
    /// have; empty if there is none; nothing if that cannot be told.
    std::optional<std::string> name_of(const std::string& dn, const Deadline& deadline) const;

    /// Whether there is an entry of that distinguished name that fits the filter; nothing if that
    /// cannot be told.
    std::optional<bool> has_entry(const std::string& dn, const Deadline& deadline,
                                  const std::string& filter = "(objectClass=*)") const;

    /// The values of an attribute of the entry of that distinguished name; none if that cannot be
    /// told.
    std::vector<std::string> values(const std::string& dn, const std::string& attribute,
                                    const Deadline& deadline) const;

    /// The first entries that fit, at most `most`; null if that cannot be told.
    Result first(const std::string& below, const std::string& filter,
                 const std::vector<std::string>& attributes, int most,
                 const Deadline& deadline) const;

    /// The certificate of the server in DER; empty if there is none.
    std::string certificate() const;

 private:
    /// LDAP's result code of a search.
    int ask(const std::string& below, int scope, const std::string& filter,
            const std::vector<std::string>& attributes, int most, const Deadline& deadline,
            Result& found) const;
    bool set_options(const model::IdentityProvider& provider, Trust trust);
};

/// Why the certificate of a server is not accepted, by a connection that trusts everybody and sends
/// nothing; no words if that cannot be told. Called after a handshake has failed.
CertificateProblem certificate_problem(const model::IdentityProvider& provider,
                                       const std::string& server, const Deadline& deadline);

/// What is said of a server that answers without TLS although its address begins with ldaps, or the
/// other way round; empty if neither, or if that cannot be told. Asks it for TLS, and sends nothing
/// else. Called after a connection has failed.
std::string hint_about_tls(const model::IdentityProvider& provider, const std::string& server,
                           const Deadline& deadline);

}  // namespace provisioner::federation
