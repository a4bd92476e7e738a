#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/http_client/stream.hpp"
#include "provisioner/store/audit/export_store.hpp"

namespace provisioner::callbacks {

/// Receivers of the audit log.
struct AuditTargets {
    std::optional<http_client::StreamTarget> syslog{};
    /// Address that gets lines of JSON; empty: none.
    std::string webhook{};
    /// Empty: requests are not signed.
    base::Secret webhook_key{};

    /// The names under which the database keeps how far each one is: their addresses.
    std::vector<std::string> names() const;
};

/// Reads audit.syslog, audit.syslog_ca, audit.webhook and audit.webhook_key_file. Throws
/// std::runtime_error for an address of another form, and for one without TLS that is not on this
/// machine.
AuditTargets audit_targets_from(const base::Config& config);

/// Sends events of all chains to the receivers, in the order of each chain, each event at least
/// once. A receiver that is away gets what it missed when it is back: the database keeps the last
/// event that each one has acknowledged (2xx, or bytes taken). One daemon at a time sends to one
/// receiver. For one thread.
class AuditExporter {
 public:
    /// `database`, `clock` and `log` must outlive it. `holder` names this daemon.
    AuditExporter(store::Database& database, AuditTargets targets,
                  std::unique_ptr<http_client::Client> client, std::string holder,
                  const base::Clock& clock, const base::Log& log);

    /// Sends what receivers lack, in batches, until nothing is left, one fails or `is_over`.
    /// Returns the number of events that were acknowledged.
    long send_due(const std::function<bool()>& is_over);

 private:
    using Batches = std::vector<store::AuditBatch>;
    /// Why a receiver did not take the batches; empty when it did.
    using Send = std::function<std::string(const Batches&)>;

    long send_to(const std::string& target, const Send& send, const std::function<bool()>& is_over);
    std::string send_syslog(const Batches& batches) const;
    std::string send_webhook(const Batches& batches);

    store::Database& database_;
    AuditTargets targets_;
    std::unique_ptr<http_client::Client> client_;
    std::string holder_;
    const base::Clock& clock_;
    const base::Log& log_;
    std::string host_;
    boost::asio::io_context loop_{1};
};

}  // namespace provisioner::callbacks
