#include "provisioner/daemon/upkeep/audit_keeping.hpp"

#include <unistd.h>

#include "provisioner/base/shown_address.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/ends.hpp"
#include "provisioner/store/audit/seal_store.hpp"

namespace provisioner::daemon {

namespace {

constexpr int events_at_once = 20'000;
constexpr std::size_t most_reported = 10'000;

std::optional<identity::SigningKey> key_of(const base::Config& config, const base::Log& log) {
    const std::string path = config.get("audit.key");
    if (::access(path.c_str(), F_OK) == 0) return identity::SigningKey::from_file(path);
    log.warn("audit.no_key", {{"file", path}, {"meaning", "the audit log is not sealed"}});
    return std::nullopt;
}

base::Json settings_of(const base::Config& config) {
    base::Json settings = base::Json::object();
    for (const std::string& name : config.names()) {
        settings[name] = base::without_credentials(config.get_or(name, ""));
    }
    return model::audit::masked_deeply(settings);
}

}  // namespace

void note_settings(const base::Config& config, const std::string& instance,
                   store::Database& database, const base::Log& log) {
    try {
        database.write([&](store::Connection& connection) {
            const auto known = store::list_events(
                connection, {.action = "settings.change", .object = instance}, 0, 1);
            const base::Json settings = settings_of(config);
            const std::string text = base::to_text(settings);
            if (!known.empty() && known.front().after == text) return;
            operations::audit_own(
                connection,
                {.action = "settings.change",
                 .object = {.kind = "settings", .name = instance},
                 .before = known.empty() ? base::Json()
                                         : base::parse_json(known.front().after).value_or(nullptr),
                 .after = settings,
                 .chain = model::TenantId{}});
        });
    } catch (const std::exception& error) {
        log.warn("audit.not_recorded", {{"events", 1}, {"error", error.what()}});
    }
}

AuditKeeping::AuditKeeping(const base::Config& config, std::string holder,
                           store::Database& database, const base::Clock& clock,
                           const base::Log& log, std::function<bool()> stopping)
    : database_(database),
      clock_(clock),
      log_(log),
      stopping_(std::move(stopping)),
      key_file_(config.get("audit.key")),
      has_key_(key_of(config, log).has_value()),
      kept_(24 * config.number("audit.keep")),
      targets_(callbacks::audit_targets_from(config)),
      target_names_(targets_.names()),
      exporter_(database, targets_, http_client::make_curl_client(), std::move(holder), clock,
                log) {}

std::vector<Duty> AuditKeeping::duties() {
    using enum Duty::Place;
    std::vector<Duty> duties{{"record ends of jobs", timing::audit_ends_every, aside,
                              [this] { operations::record_ends(database_, stopping_); }}};
    if (has_key_) {
        duties.push_back({"seal audit", timing::audit_look_every, aside, [this] { seal(); }});
        if (kept_.count() > 0) {
            duties.push_back({"prune audit", timing::prune_every, aside, [this] { prune(); }});
        }
    }
    if (!target_names_.empty()) {
        duties.push_back({"send audit", timing::audit_send_every, aside, [this] { send(); }});
    }
    return duties;
}

// By the key that is there now: seals by one that was replaced meanwhile would be wrong.
std::optional<identity::SigningKey> AuditKeeping::key() const {
    try {
        return identity::SigningKey::from_file(key_file_);
    } catch (const identity::VaultError& error) {
        log_.error("audit.key_lost", {{"error", error.what()}});
        return std::nullopt;
    }
}

// The line of the log has the whole seal: whoever keeps the log elsewhere can prove what the chain
// was, even if all seals are taken from the database.
void AuditKeeping::seal() {
    const auto chains = database_.look([](store::Connection& connection) {
        return store::unsealed_chains(connection, timing::audit_sealed_every);
    });
    for (const model::TenantId chain : chains) {
        if (stopping_()) return;
        const auto now_key = key();
        if (!now_key) return;
        const auto sealing = store::seal_chain(database_, chain, *now_key);
        for (const store::AuditFinding& finding : sealing.findings) {
            const std::string text =
                "tenant " + std::to_string(chain.value) + ": " + to_text(finding);
            if (reported_.size() > most_reported) reported_.clear();
            if (reported_.insert(text).second) log_.error("audit.wrong", {{"finding", text}});
        }
        if (!sealing.seal) continue;
        log_.info("audit.sealed", {{"tenant", static_cast<long>(chain.value)},
                                   {"number", static_cast<long>(sealing.seal->number)},
                                   {"hash", sealing.seal->hash},
                                   {"sealed_at", base::to_sql(sealing.seal->sealed_at)},
                                   {"signature", sealing.seal->signature}});
    }
}

void AuditKeeping::prune() {
    const auto now_key = key();
    if (!now_key) return;
    const auto chains = database_.read(store::list_chains);
    for (const store::AuditChain& chain : chains) {
        std::int64_t until = 1;
        while (until > 0 && !stopping_()) {
            until = database_.write([&](store::Connection& connection) {
                return store::prune_events(
                    connection, chain.chain, *now_key, clock_.now() - kept_,
                    store::acknowledged_by_all(connection, chain.chain, target_names_),
                    events_at_once);
            });
            if (until == 0) continue;
            log_.info("audit.pruned", {{"tenant", static_cast<long>(chain.chain.value)},
                                       {"until", static_cast<long>(until)}});
        }
    }
}

void AuditKeeping::send() {
    exporter_.send_due(stopping_);
}

}  // namespace provisioner::daemon
