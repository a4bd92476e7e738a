#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fcgi/monitoring/access.hpp"
#include "fcgi/monitoring/cached.hpp"
#include "fcgi/monitoring/families.hpp"
#include "fcgi/monitoring/readiness.hpp"
#include "fcgi/monitoring/web_counters.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::monitoring {

/// What a Monitor watches, and what it is told at start.
struct Watched {
    /// The connections that requests use. Asked only to find out that a silent server answers
    /// again.
    provisioner::store::Database& database;
    /// Whether the pages were loaded.
    bool has_views = false;
    /// Patterns of the table of routes, in its order.
    std::vector<std::string> patterns;
    /// Threads that answer requests.
    int threads = 0;
};

/// Health and metrics of this process. It asks the database over a connection of its own, which
/// gives up after two seconds. Each answer of the database serves for a while, so however many ask,
/// the database is asked once a second for readiness and once in five for metrics. Only one thread
/// asks it; the others get the last answer. Safe from any thread.
class Monitor {
 public:
    /// Reads the settings of the database, `retention.*` and `metrics.token_file`. Everything given
    /// must outlive it. Throws std::runtime_error for settings that cannot be used.
    Monitor(const provisioner::base::Config& config, Watched watched,
            const provisioner::base::Log& log);

    /// Whether this process can serve, as of a second ago at most; while another thread asks the
    /// database, as of the last answer, at most half a minute ago. Logs when that changes.
    Readiness readiness();

    /// All metrics in the text format of Prometheus.
    std::string exposition();

    /// Whether the request may read the metrics.
    bool may_read(const http::Request& request) const { return access_.may_read(request); }

    /// Counts what Site answers.
    WebCounters& web() { return web_; }

 private:
    /// What the database said last.
    struct FromDatabase {
        bool is_up = false;
        double seconds = 0;
        provisioner::metrics::Families families{};
    };

    Readiness check();
    FromDatabase read();
    /// After an answer of the database: lets the requests' connections notice it, too.
    void end_silence();
    /// Logs a change; the first answer counts as one if it is bad.
    void note(const Readiness& now);

    Watched watched_;
    const provisioner::base::Log& log_;
    provisioner::store::Database database_;
    provisioner::operations::Retention retention_;
    Access access_;
    WebCounters web_;
    Cached<Readiness> readiness_;
    Cached<FromDatabase> numbers_;
    /// Used by the one thread that checks.
    Readiness last_;
    /// Used by the one thread that reads: whether the last reading worked.
    bool was_read_ = true;
};

}  // namespace fcgi::monitoring
