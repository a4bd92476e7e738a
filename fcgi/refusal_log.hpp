#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <compare>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fcgi/http/message.hpp"
#include "fcgi/routes.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/model/audit/event.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi {

/// Whether an answer of that status says that the token of a request is wrong: see
/// Route::takes_a_token. Requests without a token are none of these.
bool is_wrong_token(const http::Request& request, const Route* route, int status);

/// What the audit log says about an answer; nothing for one that is no refusal. Refusals are
///
/// * 401, 403, 429, and 404 for a tenant that does not exist, of any request;
/// * 404 for a wrong token (is_wrong_token);
/// * 404 for an id, of somebody known: what is another tenant's is answered so;
/// * 404 and from 500 on of a request that would have changed something, and of the API also 400,
///   409 and 422, but for the routes that everybody may use. A form of a page that was mistyped, or
///   came too late, is none;
///
/// but not those of which an event was written already (Response::has_own_event), and not 403 and
/// 404 of a superadmin who looks around: in a view of a tenant, or for an id.
///
/// Of somebody known it is in the chain of their tenant, else in the installation's, with the name
/// that was claimed. `route` is null if none was found.
std::optional<provisioner::model::audit::Event> refusal_event(const http::Request& request,
                                                              const Route* route,
                                                              const http::Response& response);

/// Which refusals are folded into one event.
struct RefusalKind {
    /// Whose request it was: the key of table user. Empty for all who are not known.
    std::string who{};
    /// Client, route, status.
    std::string what{};
    /// The network of a client who is not known (operations::network_of); else empty.
    std::string network{};
    /// The networks that may be theirs as well (operations::site_of); else empty.
    std::string site{};
    /// Whether a client who is not known brought an API key, a wrong one therefore.
    bool has_key = false;

    auto operator<=>(const RefusalKind&) const = default;
};

/// The kind of a refusal. What an unknown client can make up, as a name, is no part of it.
RefusalKind kind_of(const http::Request& request, const Route* route,
                    const provisioner::model::audit::Event& event);

/// Folds refusals, so that a flood of them fills neither database nor disk. The first of a kind is
/// recorded at once. Further ones within a minute are counted, and recorded as one event with their
/// number when the minute is over. Beyond `most_rows` kinds in a minute of one user,
/// `most_rows_of_network` of those in one network who are not known, `most_rows_of_site` of those
/// in one site, and `most_rows_of_unknown` of all of these, refusals are only counted, and one
/// event says how many: nobody hides the refusals of somebody else, unless from seven sites at
/// once. Wrong keys have as much room for themselves: no other requests hide them.
///
/// Pure, with the clock of the caller; one thread at a time.
class RefusalFolder {
 public:
    using Events = std::vector<provisioner::model::audit::Event>;

    static constexpr std::chrono::seconds window{60};
    static constexpr int most_rows = 60;
    static constexpr int most_rows_of_network = 20;
    static constexpr int most_rows_of_site = 60;
    static constexpr int most_rows_of_unknown = 400;

    /// The events to record now.
    Events take(const RefusalKind& kind, provisioner::model::audit::Event event,
                provisioner::base::Timestamp now);
    /// Those whose minute is over.
    Events due(provisioner::base::Timestamp now);
    /// All that is left, at the end of the process.
    Events rest();
    /// Whether due() has nothing to give, however late it is.
    bool is_idle() const { return open_.empty() && dropped_.empty(); }

 private:
    struct Folded {
        provisioner::model::audit::Event event{};
        provisioner::base::Timestamp began{};
        int more = 0;
    };

    /// Counts a new kind; false if there are too many.
    bool has_room(const RefusalKind& kind);
    void close(const Folded& folded, Events& events) const;
    void close_minute(Events& events);

    std::map<RefusalKind, Folded> open_;
    provisioner::base::Timestamp minute_began_{};
    /// Of this minute, by RefusalKind::who, and of who is not known by network and by site. At most
    /// most_rows_of_unknown networks and sites each.
    std::map<std::string, int> rows_;
    /// Of requests without and with a key.
    std::array<std::map<std::string, int>, 2> rows_of_networks_;
    std::array<std::map<std::string, int>, 2> rows_of_sites_;
    std::array<int, 2> rows_of_unknown_{};
    std::map<provisioner::model::TenantId, int> dropped_;
};

/// Records refusals in transactions of their own. A database that fails costs the record and a line
/// in the log, never the answer. Safe from any thread. What is counted and not recorded yet is lost
/// when the process is killed: at most a minute.
class RefusalLog {
 public:
    /// All must outlive it.
    RefusalLog(provisioner::store::Database& database, const provisioner::base::Clock& clock,
               const provisioner::base::Log& log)
        : database_(database), clock_(clock), log_(log) {}
    ~RefusalLog();
    RefusalLog(const RefusalLog&) = delete;
    RefusalLog& operator=(const RefusalLog&) = delete;

    void note(const http::Request& request, const Route* route, const http::Response& response);

 private:
    void write(RefusalFolder::Events events) noexcept;

    provisioner::store::Database& database_;
    const provisioner::base::Clock& clock_;
    const provisioner::base::Log& log_;
    std::mutex mutex_;
    RefusalFolder folder_;
    /// False while the folder is idle: then an answer that is no refusal costs no lock.
    std::atomic<bool> is_busy_{false};
};

}  // namespace fcgi
