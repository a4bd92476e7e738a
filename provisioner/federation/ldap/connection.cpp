#include "provisioner/federation/ldap/connection.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "provisioner/base/clock.hpp"

namespace provisioner::federation {

using base::unexpected;
using model::IdentityProvider;
using Kind = Trouble::Kind;

namespace {

constexpr auto authorities_of_the_system = "/etc/ssl/certs/ca-certificates.crt";
/// What libldap with GnuTLS says of every certificate that it does not accept.
constexpr auto said_of_certificates = "(unknown error code)";

timeval to_timeval(std::chrono::milliseconds length) {
    return {.tv_sec = length.count() / 1000, .tv_usec = (length.count() % 1000) * 1000};
}

/// A text as a file that only this process has, because libldap takes authorities from a path.
class TextFile {
 public:
    explicit TextFile(const std::string& text) : file_(memfd_create("authorities", MFD_CLOEXEC)) {
        if (file_ < 0) throw std::runtime_error("no memory for certificates");
        std::size_t at = 0;
        while (at < text.size()) {
            const auto written = write(file_, text.data() + at, text.size() - at);
            if (written <= 0) break;
            at += static_cast<std::size_t>(written);
        }
    }
    ~TextFile() { close(file_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
    int file_;
};

std::string host_of(const std::string& server) {
    LDAPURLDesc* parts = nullptr;
    if (ldap_url_parse(server.c_str(), &parts) != LDAP_URL_SUCCESS) return "";
    std::string host = parts->lud_host == nullptr ? "" : parts->lud_host;
    ldap_free_urldesc(parts);
    return host;
}

/// The same host and port, with TLS from the start if it had none, else without.
std::string with_other_scheme(const std::string& server) {
    const bool is_tls = server.starts_with("ldaps://");
    std::string rest = server.substr(server.find("://") + 3);
    if (rest.ends_with('/')) rest.pop_back();
    const auto colon = rest.rfind(':');
    const bool has_port = colon != std::string::npos && rest.find(']', colon) == std::string::npos;
    if (!has_port) rest += is_tls ? ":636" : ":389";
    return (is_tls ? "ldap://" : "ldaps://") + rest;
}

std::string text_of_file(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

bool is_away(int code) {
    constexpr std::array codes{LDAP_SERVER_DOWN, LDAP_CONNECT_ERROR,       LDAP_TIMEOUT,
                               LDAP_BUSY,        LDAP_UNAVAILABLE,         LDAP_LOCAL_ERROR,
                               LDAP_OTHER,       LDAP_ADMINLIMIT_EXCEEDED, LDAP_TIMELIMIT_EXCEEDED};
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

Trouble trouble_of(LDAP* ldap, int code, const std::string& where) {
    std::string more;
    char* text = nullptr;
    if (ldap_get_option(ldap, LDAP_OPT_DIAGNOSTIC_MESSAGE, &text) == 0 && text != nullptr) {
        more = text;
        ldap_memfree(text);
    }
    const bool is_certificate = more == said_of_certificates || more.starts_with("TLS: ");
    // "Can't contact LDAP server", also if it was there and ended the connection.
    const std::string what = code == LDAP_SERVER_DOWN
                                 ? "it does not answer, or ended the connection"
                                 : ldap_err2string(code);
    std::string reason = where + ": " + what;
    if (is_certificate) {
        reason = where + ": the certificate of the server is not accepted";
    } else if (!more.empty()) {
        reason += " (" + more + ')';
    }
    const Kind kind = is_away(code)                      ? Kind::away
                      : code == LDAP_INVALID_CREDENTIALS ? Kind::refused
                                                         : Kind::wrong;
    return {.kind = kind, .reason = std::move(reason), .is_certificate = is_certificate};
}

std::string dn_of(LDAP* ldap, LDAPMessage* entry) {
    char* text = ldap_get_dn(ldap, entry);
    std::string dn = text == nullptr ? "" : text;
    ldap_memfree(text);
    return dn;
}

std::vector<std::string> values_of(LDAP* ldap, LDAPMessage* entry, const std::string& attribute) {
    std::vector<std::string> values;
    berval** found = ldap_get_values_len(ldap, entry, attribute.c_str());
    if (found == nullptr) return values;
    for (berval** value = found; *value != nullptr; ++value) {
        values.emplace_back((*value)->bv_val, (*value)->bv_len);
    }
    ldap_value_free_len(found);
    return values;
}

LdapConnection::~LdapConnection() {
    if (ldap == nullptr) return;
    // Saying goodbye must not take long, either.
    watchdog.arm(Deadline(connect_limit));
    ldap_unbind_ext_s(ldap, nullptr, nullptr);
}

bool LdapConnection::set_options(const IdentityProvider& provider, Trust trust) {
    const std::optional<TextFile> own = provider.authorities.empty()
                                            ? std::nullopt
                                            : std::make_optional<TextFile>(provider.authorities);
    const std::string authorities = own ? own->path() : authorities_of_the_system;
    const int version = LDAP_VERSION3;
    const int demand = trust == Trust::needed ? LDAP_OPT_X_TLS_DEMAND : LDAP_OPT_X_TLS_NEVER;
    const int least_tls = LDAP_OPT_X_TLS_PROTOCOL_TLS1_2;
    const int for_client = 0;
    bool is_set = true;
    const auto set = [&](int option, const void* value) {
        is_set = ldap_set_option(ldap, option, value) == LDAP_OPT_SUCCESS && is_set;
    };
    set(LDAP_OPT_PROTOCOL_VERSION, &version);
    set(LDAP_OPT_REFERRALS, LDAP_OPT_OFF);
    set(LDAP_OPT_X_TLS_REQUIRE_CERT, &demand);
    set(LDAP_OPT_X_TLS_PROTOCOL_MIN, &least_tls);
    if (trust == Trust::needed) set(LDAP_OPT_X_TLS_CACERTFILE, authorities.c_str());
    set(LDAP_OPT_X_TLS_NEWCTX, &for_client);
    return is_set;
}

std::optional<Trouble> LdapConnection::open(const IdentityProvider& provider,
                                            const std::string& address, const Deadline& deadline,
                                            Trust trust) {
    server = address;
    int code = ldap_initialize(&ldap, address.c_str());
    if (code != LDAP_SUCCESS) return Trouble{Kind::wrong, address + ": " + ldap_err2string(code)};
    watchdog.watch(ldap);
    if (!set_options(provider, trust)) {
        return Trouble{Kind::wrong, address + ": the authorities cannot be read"};
    }
    limit(deadline);
    // ldaps:// connects and shakes hands with the first request.
    const bool is_tls = address.starts_with("ldaps://");
    if (is_tls && trust == Trust::needed) return std::nullopt;
    watchdog.arm(deadline);
    code = is_tls ? ldap_connect(ldap) : ldap_start_tls_s(ldap, nullptr, nullptr);
    watchdog.disarm();
    if (code != LDAP_SUCCESS) return trouble_of(ldap, code, address + ", StartTLS");
    return std::nullopt;
}

void LdapConnection::limit(const Deadline& deadline) const {
    const timeval left = to_timeval(deadline.left());
    const timeval connecting = to_timeval(std::min(connect_limit, deadline.left()));
    ldap_set_option(ldap, LDAP_OPT_TIMEOUT, &left);
    ldap_set_option(ldap, LDAP_OPT_NETWORK_TIMEOUT, &connecting);
}

int LdapConnection::bind(const std::string& dn, const base::Secret& password,
                         const Deadline& deadline) const {
    limit(deadline);
    berval credentials{.bv_len = password.reveal().size(),
                       .bv_val = const_cast<char*>(password.reveal().data())};
    watchdog.arm(deadline);
    const int code = ldap_sasl_bind_s(ldap, dn.c_str(), LDAP_SASL_SIMPLE, &credentials, nullptr,
                                      nullptr, nullptr);
    watchdog.disarm();
    return code;
}

int LdapConnection::ask(const std::string& below, int scope, const std::string& filter,
                        const std::vector<std::string>& attributes, int most,
                        const Deadline& deadline, Result& found) const {
    std::vector<char*> names;
    for (const std::string& name : attributes) names.push_back(const_cast<char*>(name.c_str()));
    names.push_back(nullptr);
    timeval left = to_timeval(deadline.left());
    LDAPMessage* came = nullptr;
    watchdog.arm(deadline);
    const int code = ldap_search_ext_s(ldap, below.c_str(), scope, filter.c_str(), names.data(), 0,
                                       nullptr, nullptr, &left, most, &came);
    watchdog.disarm();
    found.reset(came);
    return code;
}

base::expected<Result, Trouble> LdapConnection::search(const std::string& below,
                                                       const std::string& filter,
                                                       const std::vector<std::string>& attributes,
                                                       int most, const Deadline& deadline,
                                                       int scope) const {
    if (deadline.is_over()) return unexpected(Trouble{Kind::away, server + ": no time is left"});
    Result result;
    const int code = ask(below, scope, filter, attributes, most, deadline, result);
    if (code == LDAP_SUCCESS) return result;
    return unexpected(trouble_of(ldap, code, server + ", below " + below));
}

std::optional<bool> LdapConnection::has_any(const std::string& below, const std::string& filter,
                                            const Deadline& deadline) const {
    if (deadline.is_over()) return std::nullopt;
    Result result;
    const int code = ask(below, LDAP_SCOPE_SUBTREE, filter, {LDAP_NO_ATTRS}, 1, deadline, result);
    if (code == LDAP_SIZELIMIT_EXCEEDED) return true;
    if (code != LDAP_SUCCESS) return std::nullopt;
    return ldap_count_entries(ldap, result.get()) > 0;
}

std::optional<bool> LdapConnection::has_entry(const std::string& dn, const Deadline& deadline,
                                              const std::string& filter) const {
    if (deadline.is_over()) return std::nullopt;
    Result result;
    const int code = ask(dn, LDAP_SCOPE_BASE, filter, {LDAP_NO_ATTRS}, 1, deadline, result);
    if (code == LDAP_NO_SUCH_OBJECT || code == LDAP_INVALID_DN_SYNTAX) return false;
    if (code != LDAP_SUCCESS) return std::nullopt;
    return ldap_count_entries(ldap, result.get()) > 0;
}

std::optional<std::string> LdapConnection::name_of(const std::string& dn,
                                                   const Deadline& deadline) const {
    if (deadline.is_over()) return std::nullopt;
    Result result;
    const int code =
        ask(dn, LDAP_SCOPE_BASE, "(objectClass=*)", {LDAP_NO_ATTRS}, 1, deadline, result);
    if (code == LDAP_NO_SUCH_OBJECT || code == LDAP_INVALID_DN_SYNTAX) return "";
    if (code != LDAP_SUCCESS) return std::nullopt;
    LDAPMessage* entry = ldap_first_entry(ldap, result.get());
    return entry == nullptr ? "" : dn_of(ldap, entry);
}

Result LdapConnection::first(const std::string& below, const std::string& filter,
                             const std::vector<std::string>& attributes, int most,
                             const Deadline& deadline) const {
    if (deadline.is_over()) return nullptr;
    Result result;
    const int code = ask(below, LDAP_SCOPE_SUBTREE, filter, attributes, most, deadline, result);
    const bool is_told = code == LDAP_SUCCESS || code == LDAP_SIZELIMIT_EXCEEDED;
    return is_told ? std::move(result) : nullptr;
}

std::vector<std::string> LdapConnection::values(const std::string& dn, const std::string& attribute,
                                                const Deadline& deadline) const {
    if (deadline.is_over()) return {};
    Result result;
    const int code = ask(dn, LDAP_SCOPE_BASE, "(objectClass=*)", {attribute}, 1, deadline, result);
    LDAPMessage* entry = code == LDAP_SUCCESS ? ldap_first_entry(ldap, result.get()) : nullptr;
    return entry == nullptr ? std::vector<std::string>() : values_of(ldap, entry, attribute);
}

std::string LdapConnection::certificate() const {
    berval found{};
    if (ldap_get_option(ldap, LDAP_OPT_X_TLS_PEERCERT, &found) != LDAP_OPT_SUCCESS) return "";
    if (found.bv_val == nullptr) return "";
    std::string der(found.bv_val, found.bv_len);
    ldap_memfree(found.bv_val);
    return der;
}

CertificateProblem certificate_problem(const IdentityProvider& provider, const std::string& server,
                                       const Deadline& deadline) {
    const std::string authorities = provider.authorities.empty()
                                        ? text_of_file(authorities_of_the_system)
                                        : provider.authorities;
    LdapConnection look;
    if (look.open(provider, server, deadline, LdapConnection::Trust::none)) return {};
    return problem_with_certificate(
        look.certificate(),
        {.authorities = authorities, .host = host_of(server), .now = base::SystemClock().now()});
}

std::string hint_about_tls(const IdentityProvider& provider, const std::string& server,
                           const Deadline& deadline) {
    if (deadline.is_over()) return "";
    const bool is_tls = server.starts_with("ldaps://");
    const Deadline part(std::min(connect_limit, deadline.left()));
    LdapConnection look;
    const auto trouble =
        look.open(provider, with_other_scheme(server), part, LdapConnection::Trust::none);
    // A server that refuses StartTLS has answered.
    if (trouble && !(is_tls && trouble->kind == Kind::wrong)) return "";
    return server + (is_tls ? ": it answers without TLS: is the port right, or should the address "
                              "begin with ldap?"
                            : ": it answers with TLS only: is the port right, or should the "
                              "address begin with ldaps?");
}

}  // namespace provisioner::federation
