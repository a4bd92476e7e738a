#include "provisioner/federation/ldap/directory.hpp"

#include <ldap.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/federation/ldap/accounts.hpp"
#include "provisioner/federation/ldap/filters.hpp"

namespace provisioner::federation {

using base::unexpected;
using model::IdentityProvider;
using Kind = Trouble::Kind;

namespace {

constexpr auto authorities_of_the_system = "/etc/ssl/certs/ca-certificates.crt";
constexpr int most_groups = 1000;

timeval to_timeval(std::chrono::milliseconds length) {
    return {.tv_sec = length.count() / 1000, .tv_usec = (length.count() % 1000) * 1000};
}

struct ResultRelease {
    void operator()(LDAPMessage* result) const { ldap_msgfree(result); }
};
using Result = std::unique_ptr<LDAPMessage, ResultRelease>;

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

/// Ends calls of libldap that take too long: it shakes hands for TLS by blocking reads, whatever
/// time-outs it is given. A thread shuts the socket down, and the call fails.
class Watchdog {
 public:
    Watchdog() : callbacks_{.lc_add = begin, .lc_del = end, .lc_arg = this} {}
    ~Watchdog() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Watches the connections of a handle; it has to outlive them.
    void watch(LDAP* ldap) { ldap_set_option(ldap, LDAP_OPT_CONNECT_CB, &callbacks_); }

    /// Until when the next call has to return.
    void arm(const Deadline& deadline) {
        {
            const std::lock_guard lock(mutex_);
            until_ = std::chrono::steady_clock::now() + deadline.left();
        }
        changed_.notify_all();
    }
    void disarm() {
        const std::lock_guard lock(mutex_);
        until_.reset();
    }

 private:
    static int begin(LDAP*, Sockbuf* buffer, LDAPURLDesc*, sockaddr*, ldap_conncb* callbacks) {
        auto* self = static_cast<Watchdog*>(callbacks->lc_arg);
        const std::lock_guard lock(self->mutex_);
        ber_sockbuf_ctrl(buffer, LBER_SB_OPT_GET_FD, &self->socket_);
        return 0;
    }
    static void end(LDAP*, Sockbuf*, ldap_conncb* callbacks) {
        auto* self = static_cast<Watchdog*>(callbacks->lc_arg);
        const std::lock_guard lock(self->mutex_);
        self->socket_ = -1;
    }

    void run() {
        std::unique_lock lock(mutex_);
        while (!is_over_) {
            if (!until_) {
                changed_.wait(lock);
            } else if (std::chrono::steady_clock::now() < *until_) {
                changed_.wait_until(lock, *until_);
            } else {
                if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
                until_.reset();
            }
        }
    }

    ldap_conncb callbacks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    int socket_ = -1;
    std::optional<std::chrono::steady_clock::time_point> until_;
    /// Last: it uses the others.
    std::thread thread_{[this] { run(); }};
};

bool is_away(int code) {
    constexpr std::array codes{LDAP_SERVER_DOWN, LDAP_CONNECT_ERROR,       LDAP_TIMEOUT,
                               LDAP_BUSY,        LDAP_UNAVAILABLE,         LDAP_LOCAL_ERROR,
                               LDAP_OTHER,       LDAP_ADMINLIMIT_EXCEEDED, LDAP_TIMELIMIT_EXCEEDED};
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

Trouble trouble_of(LDAP* ldap, int code, const std::string& where) {
    std::string reason = where + ": " + ldap_err2string(code);
    char* more = nullptr;
    if (ldap_get_option(ldap, LDAP_OPT_DIAGNOSTIC_MESSAGE, &more) == 0 && more != nullptr) {
        if (*more != 0) reason += std::string(" (") + more + ')';
        ldap_memfree(more);
    }
    const Kind kind = is_away(code)                      ? Kind::away
                      : code == LDAP_INVALID_CREDENTIALS ? Kind::refused
                                                         : Kind::wrong;
    return {.kind = kind, .reason = std::move(reason)};
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

std::string dn_of(LDAP* ldap, LDAPMessage* entry) {
    char* text = ldap_get_dn(ldap, entry);
    std::string dn = text == nullptr ? "" : text;
    ldap_memfree(text);
    return dn;
}

bool is_disabled(LDAP* ldap, LDAPMessage* entry) {
    const auto now = base::SystemClock().now();
    for (const char* name : attributes_of_locks) {
        for (const std::string& value : values_of(ldap, entry, name)) {
            if (keeps_out(name, value, now)) return true;
        }
    }
    return false;
}

}  // namespace

/// One connection of libldap.
struct Directory::Connection {
    /// Outlives the handle.
    mutable Watchdog watchdog{};
    LDAP* ldap = nullptr;
    std::string server{};

    Connection() = default;
    ~Connection() {
        if (ldap == nullptr) return;
        // Saying goodbye must not take long, either.
        watchdog.arm(Deadline(connect_limit));
        ldap_unbind_ext_s(ldap, nullptr, nullptr);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Opens the connection; nothing was sent over it but what TLS needs.
    std::optional<Trouble> open(const IdentityProvider& provider, const std::string& address,
                                const Deadline& deadline) {
        server = address;
        int code = ldap_initialize(&ldap, address.c_str());
        if (code != LDAP_SUCCESS) {
            return Trouble{Kind::wrong, address + ": " + ldap_err2string(code)};
        }
        watchdog.watch(ldap);
        const std::optional<TextFile> own =
            provider.authorities.empty() ? std::nullopt
                                         : std::make_optional<TextFile>(provider.authorities);
        const std::string authorities = own ? own->path() : authorities_of_the_system;
        const int version = LDAP_VERSION3;
        const int demand = LDAP_OPT_X_TLS_DEMAND;
        const int least_tls = LDAP_OPT_X_TLS_PROTOCOL_TLS1_2;
        const int for_client = 0;
        const timeval connecting = to_timeval(std::min(connect_limit, deadline.left()));
        bool is_set = true;
        const auto set = [&](int option, const void* value) {
            is_set = ldap_set_option(ldap, option, value) == LDAP_OPT_SUCCESS && is_set;
        };
        set(LDAP_OPT_PROTOCOL_VERSION, &version);
        set(LDAP_OPT_REFERRALS, LDAP_OPT_OFF);
        set(LDAP_OPT_NETWORK_TIMEOUT, &connecting);
        set(LDAP_OPT_X_TLS_REQUIRE_CERT, &demand);
        set(LDAP_OPT_X_TLS_PROTOCOL_MIN, &least_tls);
        set(LDAP_OPT_X_TLS_CACERTFILE, authorities.c_str());
        set(LDAP_OPT_X_TLS_NEWCTX, &for_client);
        if (!is_set) return Trouble{Kind::wrong, address + ": the authorities cannot be read"};
        limit(deadline);
        // ldaps:// connects and shakes hands with the first request.
        if (address.starts_with("ldaps://")) return std::nullopt;
        watchdog.arm(deadline);
        code = ldap_start_tls_s(ldap, nullptr, nullptr);
        watchdog.disarm();
        if (code != LDAP_SUCCESS) return trouble_of(ldap, code, address + ", StartTLS");
        return std::nullopt;
    }

    /// Gives the next call what is left of the time.
    void limit(const Deadline& deadline) const {
        const timeval left = to_timeval(deadline.left());
        ldap_set_option(ldap, LDAP_OPT_TIMEOUT, &left);
    }

    /// LDAP's result code.
    int bind(const std::string& dn, const base::Secret& password, const Deadline& deadline) const {
        limit(deadline);
        berval credentials{.bv_len = password.reveal().size(),
                           .bv_val = const_cast<char*>(password.reveal().data())};
        watchdog.arm(deadline);
        const int code = ldap_sasl_bind_s(ldap, dn.c_str(), LDAP_SASL_SIMPLE, &credentials, nullptr,
                                          nullptr, nullptr);
        watchdog.disarm();
        return code;
    }

    base::expected<Result, Trouble> search(const std::string& below, const std::string& filter,
                                           const std::vector<std::string>& attributes, int most,
                                           const Deadline& deadline, int scope) const {
        if (deadline.is_over())
            return unexpected(Trouble{Kind::away, server + ": no time is left"});
        std::vector<char*> names;
        for (const std::string& name : attributes) names.push_back(const_cast<char*>(name.c_str()));
        names.push_back(nullptr);
        timeval left = to_timeval(deadline.left());
        LDAPMessage* came = nullptr;
        watchdog.arm(deadline);
        const int code = ldap_search_ext_s(ldap, below.c_str(), scope, filter.c_str(), names.data(),
                                           0, nullptr, nullptr, &left, most, &came);
        watchdog.disarm();
        Result result(came);
        if (code == LDAP_SUCCESS) return result;
        return unexpected(trouble_of(ldap, code, server + ", below " + below));
    }
};

void initialise_ldap() {
    setenv("LDAPNOINIT", "1", 1);
    ldap_get_option(nullptr, LDAP_OPT_API_FEATURE_INFO, nullptr);
}

Directory::Directory(const IdentityProvider& provider, std::unique_ptr<Connection> connection)
    : provider_(provider), connection_(std::move(connection)) {}
Directory::Directory(Directory&&) noexcept = default;
Directory& Directory::operator=(Directory&&) noexcept = default;
Directory::~Directory() = default;

base::expected<Directory, Trouble> Directory::connect(const IdentityProvider& provider,
                                                      const Deadline& deadline) {
    Trouble last{Kind::wrong, "no server is named"};
    for (const std::string& server : IdentityProvider::words_of(provider.servers)) {
        if (deadline.is_over()) break;
        auto connection = std::make_unique<Connection>();
        // The next server needs some of the time.
        const Deadline part(std::min(connect_limit, deadline.left()));
        if (auto trouble = connection->open(provider, server, part)) {
            last = *std::move(trouble);
            continue;
        }
        const bool is_anonymous = provider.bind_dn.empty();
        if (!is_anonymous && provider.secret.empty()) {
            return unexpected(Trouble{Kind::wrong, "the service account has no password"});
        }
        const int code = connection->bind(provider.bind_dn, provider.secret, part);
        if (code == LDAP_SUCCESS) return Directory(provider, std::move(connection));
        last = trouble_of(connection->ldap, code, server + ", service account");
        if (last.kind != Kind::away) break;
    }
    return unexpected(std::move(last));
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find_by_name(
    const std::string& name, const Deadline& deadline) {
    return find(filter_of_name(provider_, name), deadline);
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find_by_subject(
    const std::string& subject, const Deadline& deadline) {
    return find(filter_of_subject(provider_, subject), deadline);
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find(const std::string& filter,
                                                                      const Deadline& deadline) {
    constexpr int one_and_another = 2;
    LDAP* ldap = connection_->ldap;
    std::vector<std::string> wanted{provider_.name_attribute, provider_.id_attribute};
    for (const char* name : attributes_of_locks) wanted.emplace_back(name);
    const auto result = connection_->search(provider_.user_base, filter, wanted, one_and_another,
                                            deadline, LDAP_SCOPE_SUBTREE);
    if (!result) return unexpected(result.error());
    const int count = ldap_count_entries(ldap, result->get());
    if (count == 0) return std::optional<DirectoryUser>();
    if (count > 1) {
        return unexpected(Trouble{Kind::wrong, "the directory has several such users"});
    }
    LDAPMessage* entry = ldap_first_entry(ldap, result->get());
    const auto names = values_of(ldap, entry, provider_.name_attribute);
    const auto ids = values_of(ldap, entry, provider_.id_attribute);
    if (names.empty() || ids.size() != 1) {
        return unexpected(Trouble{Kind::wrong, "the user has no " + provider_.id_attribute +
                                                   " or no " + provider_.name_attribute});
    }
    DirectoryUser user{.dn = dn_of(ldap, entry),
                       .subject = subject_of(ids.front()),
                       .name = names.front(),
                       .is_disabled = is_disabled(ldap, entry)};
    if (provider_.group_base.empty() || user.is_disabled) return std::optional(std::move(user));
    const auto groups =
        connection_->search(provider_.group_base, filter_of_groups(provider_, user.dn, user.name),
                            {LDAP_NO_ATTRS}, most_groups, deadline, LDAP_SCOPE_SUBTREE);
    if (!groups) return unexpected(groups.error());
    for (LDAPMessage* group = ldap_first_entry(ldap, groups->get()); group != nullptr;
         group = ldap_next_entry(ldap, group)) {
        user.groups.insert(dn_of(ldap, group));
    }
    return std::optional(std::move(user));
}

base::expected<bool, Trouble> Directory::is_password(const DirectoryUser& user,
                                                     const base::Secret& password,
                                                     const Deadline& deadline) const {
    if (password.empty() || user.dn.empty()) return false;
    Connection own;
    if (auto trouble = own.open(provider_, connection_->server, deadline)) {
        return unexpected(*std::move(trouble));
    }
    const int code = own.bind(user.dn, password, deadline);
    if (code == LDAP_SUCCESS) return true;
    if (is_away(code)) return unexpected(trouble_of(own.ldap, code, own.server));
    return false;
}

base::expected<void, Trouble> Directory::try_nobody(const base::Secret& password,
                                                    const Deadline& deadline) const {
    constexpr int random_bytes = 16;
    const DirectoryUser nobody{.dn = provider_.name_attribute + '=' +
                                     base::random_hex(random_bytes) + ',' + provider_.user_base};
    if (!provider_.group_base.empty()) {
        const auto groups = connection_->search(
            provider_.group_base, filter_of_groups(provider_, nobody.dn, nobody.dn),
            {LDAP_NO_ATTRS}, most_groups, deadline, LDAP_SCOPE_SUBTREE);
        if (!groups) return unexpected(groups.error());
    }
    const auto tried = is_password(nobody, password, deadline);
    if (!tried) return unexpected(tried.error());
    return {};
}

base::expected<void, Trouble> Directory::try_searches(const Deadline& deadline) {
    for (const std::string& base : {provider_.user_base, provider_.group_base}) {
        if (base.empty()) continue;
        const auto found = connection_->search(base, "(objectClass=*)", {LDAP_NO_ATTRS}, 1,
                                               deadline, LDAP_SCOPE_BASE);
        if (!found) return unexpected(found.error());
    }
    const auto tried = find_by_name("a name that nobody has", deadline);
    if (!tried) return unexpected(tried.error());
    return {};
}

}  // namespace provisioner::federation
