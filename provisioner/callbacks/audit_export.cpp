#include "provisioner/callbacks/audit_export.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/shown_address.hpp"
#include "provisioner/identity/private_file.hpp"
#include "provisioner/identity/signature.hpp"
#include "provisioner/model/audit/texts.hpp"

namespace provisioner::callbacks {

namespace {

constexpr int events_per_batch = 200;
constexpr std::chrono::seconds hold{60};
constexpr std::chrono::seconds pause_after_failure{5};

bool is_this_machine(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

struct Place {
    std::string host;
    std::string port;
};

/// "host:port" or "[address]:port", up to a path.
Place place_in(std::string_view text) {
    text = text.substr(0, text.find_first_of("/?#"));
    const bool has_bracket = text.starts_with('[');
    const auto end = has_bracket ? text.find(']') : text.find(':');
    const std::string_view host = has_bracket ? text.substr(1, end - 1) : text.substr(0, end);
    const auto colon = text.find(':', has_bracket ? end : 0);
    return {std::string(host),
            colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1))};
}

http_client::StreamTarget syslog_in(const std::string& address, const std::string& authorities) {
    constexpr std::string_view tls = "tcp+tls://";
    constexpr std::string_view plain = "tcp://";
    const bool is_tls = address.starts_with(tls);
    if (!is_tls && !address.starts_with(plain)) {
        throw std::runtime_error("audit.syslog has to be tcp+tls://host:port, not " +
                                 base::without_credentials(address));
    }
    const Place place =
        place_in(std::string_view(address).substr(is_tls ? tls.size() : plain.size()));
    const auto port = base::parse_number(place.port);
    if (place.host.empty() || !port || *port < 1 || *port > 65535) {
        throw std::runtime_error("audit.syslog needs a host and a port, not " +
                                 base::without_credentials(address));
    }
    if (!is_tls && !is_this_machine(place.host)) {
        throw std::runtime_error("audit.syslog needs tcp+tls:// for a receiver elsewhere");
    }
    http_client::StreamTarget target;
    target.host = place.host;
    target.port = static_cast<int>(*port);
    target.is_tls = is_tls;
    target.authorities = authorities;
    return target;
}

void check_webhook(const std::string& address) {
    constexpr std::string_view plain = "http://";
    if (!address.starts_with(plain)) return;
    if (is_this_machine(place_in(std::string_view(address).substr(plain.size())).host)) return;
    throw std::runtime_error("audit.webhook needs https:// for a receiver elsewhere");
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string chain_name(const store::AuditBatch& batch) {
    if (batch.chain.value == 0) return "installation";
    return batch.tenant.empty() ? std::to_string(batch.chain.value) : batch.tenant;
}

}  // namespace

std::vector<std::string> AuditTargets::names() const {
    std::vector<std::string> names;
    if (syslog) {
        names.push_back((syslog->is_tls ? "tcp+tls://" : "tcp://") + syslog->host + ':' +
                        std::to_string(syslog->port));
    }
    if (!webhook.empty()) names.push_back(webhook.substr(0, 255));
    return names;
}

AuditTargets audit_targets_from(const base::Config& config) {
    AuditTargets targets;
    if (const auto address = config.get_or("audit.syslog", ""); !address.empty()) {
        targets.syslog = syslog_in(address, config.get_or("audit.syslog_ca", ""));
    }
    targets.webhook = config.get_or("audit.webhook", "");
    check_webhook(targets.webhook);
    if (const auto path = config.get_or("audit.webhook_key_file", ""); !path.empty()) {
        targets.webhook_key = identity::private_line(path);
    }
    return targets;
}

AuditExporter::AuditExporter(store::Database& database, AuditTargets targets,
                             std::unique_ptr<http_client::Client> client, std::string holder,
                             const base::Clock& clock, const base::Log& log)
    : database_(database),
      targets_(std::move(targets)),
      client_(std::move(client)),
      // What differs between daemons is at its end.
      holder_(holder.substr(holder.size() - std::min<std::size_t>(holder.size(), 64))),
      clock_(clock),
      log_(log),
      host_(host_name()) {}

long AuditExporter::send_due(const std::function<bool()>& is_over) {
    long sent = 0;
    const auto names = targets_.names();
    if (targets_.syslog) {
        sent += send_to(
            names.front(), [&](const Batches& batches) { return send_syslog(batches); }, is_over);
    }
    if (!targets_.webhook.empty()) {
        sent += send_to(
            names.back(), [&](const Batches& batches) { return send_webhook(batches); }, is_over);
    }
    return sent;
}

// Before: the target is held, so no other daemon sends to it. After each batch the database knows
// that it was sent. A daemon that dies between leaves it to be sent again when its hold ends.
long AuditExporter::send_to(const std::string& target, const Send& send,
                            const std::function<bool()>& is_over) {
    long sent = 0;
    std::string error;
    const auto pending = [&] {
        return database_.write([&](store::Connection& connection) {
            return store::hold_target(connection, target, holder_, hold)
                       ? std::optional(store::pending_events(connection, target, events_per_batch))
                       : std::nullopt;
        });
    };
    auto lacking = pending();
    if (!lacking) return 0;
    while (!lacking->batches.empty()) {
        error = send(lacking->batches);
        if (!error.empty()) break;
        database_.write([&](store::Connection& connection) {
            store::acknowledge(connection, target, holder_, lacking->batches);
        });
        for (const auto& batch : lacking->batches) sent += static_cast<long>(batch.events.size());
        if (is_over()) break;
        lacking = pending();
        if (!lacking) return sent;
    }
    if (error.empty() && !lacking->broken.empty()) {
        error = "events are missing in the chain of " + chain_name(lacking->broken.front()) +
                ": nothing more of it is sent. cooperage-migrate verify-audit says which";
    }
    if (!error.empty()) {
        log_.warn("audit.not_exported",
                  {{"target", base::without_credentials(target)}, {"error", error}});
    }
    database_.write([&](store::Connection& connection) {
        store::release_target(connection, target, holder_, error, pause_after_failure);
    });
    return sent;
}

std::string AuditExporter::send_syslog(const Batches& batches) const {
    std::string bytes;
    for (const store::AuditBatch& batch : batches) {
        for (const auto& event : batch.events) {
            bytes +=
                model::audit::framed(model::audit::syslog_message(event, host_, chain_name(batch)));
        }
    }
    return http_client::send_stream(*targets_.syslog, bytes);
}

std::string AuditExporter::send_webhook(const Batches& batches) {
    http_client::Request request;
    request.url = targets_.webhook;
    request.cuts_reply = true;
    for (const store::AuditBatch& batch : batches) {
        for (const auto& event : batch.events) {
            base::Json line = model::audit::to_json(event);
            line["chain"] = chain_name(batch);
            request.body += base::to_text(line) + '\n';
        }
    }
    request.headers = {{"Content-Type", "application/x-ndjson"}, {"Cooperage-Event", "audit"}};
    if (!targets_.webhook_key.empty()) {
        const std::string seconds = std::to_string(base::to_millis(clock_.now()) / 1000);
        request.headers.emplace_back(
            "Cooperage-Signature",
            "t=" + seconds +
                ",v1=" + identity::signature(targets_.webhook_key, seconds + "." + request.body));
    }
    const auto reply = http_client::send_all(loop_, *client_, std::span(&request, 1)).front();
    if (reply.status >= 200 && reply.status < 300) return "";
    return reply.error.empty() ? "answered " + std::to_string(reply.status) : reply.error;
}

}  // namespace provisioner::callbacks
