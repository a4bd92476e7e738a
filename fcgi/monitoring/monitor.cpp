#include "fcgi/monitoring/monitor.hpp"

#include "provisioner/base/version.hpp"
#include "provisioner/metrics/exposition.hpp"
#include "provisioner/metrics/process.hpp"

namespace fcgi::monitoring {

namespace {

using namespace std::chrono_literals;
namespace base = provisioner::base;
namespace metrics = provisioner::metrics;
namespace store = provisioner::store;

/// Nobody who asks for health may wait for a dead database, and no attempt follows another.
constexpr store::Patience short_patience{
    .connect = 1s, .statement = 2s, .lock = 1s, .retries = 0ms};

constexpr CacheTimes times_of_readiness{.fresh = 1s, .stale = 30s, .rest = 0};
/// At most a sixth of the time of one connection. More rest, and an outage would show long after
/// its end.
constexpr CacheTimes times_of_numbers{.fresh = 5s, .stale = 60s, .rest = 5};

metrics::Family build_info() {
    return {.name = "cooperage_build_info",
            .help = "The version of cooperage-web; always 1.",
            .labels = {"version"},
            .samples = {{.labels = {std::string(base::version())}, .value = 1}}};
}

void append(metrics::Families& all, metrics::Families more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

Monitor::Monitor(const base::Config& config, Watched watched, const base::Log& log)
    : watched_(std::move(watched)),
      log_(log),
      database_(config, short_patience),
      retention_(provisioner::operations::retention_from(config)),
      access_(access_from(config)),
      web_(watched_.patterns),
      readiness_(times_of_readiness),
      numbers_(times_of_numbers) {}

Readiness Monitor::readiness() {
    const auto known = readiness_.get([this] { return check(); });
    if (known) return *known;
    return {.database = "is being asked", .schema = "not known"};
}

// Requests end the silence of their database; where none comes, it would go on for ever.
void Monitor::end_silence() {
    if (watched_.database.is_silent()) watched_.database.look(store::applied_schema);
}

Readiness Monitor::check() {
    Readiness now;
    if (!watched_.has_views) now.views = "not loaded";
    try {
        now.schema = schema_problem(database_.look(store::applied_schema), base::schema_version());
        end_silence();
    } catch (const store::DatabaseUnavailable&) {
        now.database = "does not answer";
        now.schema = "not known";
    } catch (const std::exception&) {
        // It answers, and has no table of migrations or does not let us read it.
        now.schema = "cannot be read";
    }
    note(now);
    return now;
}

void Monitor::note(const Readiness& now) {
    if (now == last_) return;
    last_ = now;
    if (now.is_ready()) return log_.info("web.ready");
    const auto said = [](const std::string& text) { return text.empty() ? "ok" : text; };
    log_.warn("web.not_ready", {{"database", said(now.database)},
                                {"schema", said(now.schema)},
                                {"built_for", base::schema_version()},
                                {"views", said(now.views)}});
}

Monitor::FromDatabase Monitor::read() {
    const auto began = std::chrono::steady_clock::now();
    FromDatabase said;
    try {
        const auto numbers = database_.read(store::watched_numbers);
        said.families = families_of(numbers, retention_);
        said.is_up = true;
        end_silence();
    } catch (const std::exception& error) {
        if (was_read_) log_.warn("metrics.database_failed", {{"error", error.what()}});
    }
    if (said.is_up && !was_read_) log_.info("metrics.database_answers");
    was_read_ = said.is_up;
    said.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return said;
}

// Without an answer of the database its series are absent: old ones would look as if nothing
// changed.
std::string Monitor::exposition() {
    metrics::Families all{build_info()};
    append(all, web_.families());
    all.push_back(
        metrics::gauge("cooperage_web_threads", "Threads that answer requests.", watched_.threads));
    append(all, families_of(watched_.database));
    append(all, metrics::process_families());
    if (const auto said = numbers_.get([this] { return read(); })) {
        all.push_back(metrics::gauge("cooperage_database_up",
                                     "Whether the database answered when it was last read.",
                                     said->is_up ? 1 : 0));
        all.push_back(metrics::gauge("cooperage_database_read_seconds",
                                     "How long reading these metrics from the database took.",
                                     said->seconds));
        append(all, said->families);
    }
    return metrics::to_text(all);
}

}  // namespace fcgi::monitoring
