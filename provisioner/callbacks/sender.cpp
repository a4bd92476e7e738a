#include "provisioner/callbacks/sender.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/callbacks/body.hpp"
#include "provisioner/callbacks/message.hpp"
#include "provisioner/queue/retry.hpp"

namespace provisioner::callbacks {

namespace {

constexpr int callbacks_at_once = 16;
/// How long a callback stays taken beyond the limit of its request: time to read, send and store
/// it.
constexpr std::chrono::seconds margin{50};
constexpr std::size_t longest_error = 4096;

bool was_received(const http_client::Reply& reply) {
    return reply.status >= 200 && reply.status < 300;
}

std::string why_not(const http_client::Reply& reply) {
    if (was_received(reply)) return "";
    return reply.error.empty() ? "answered " + std::to_string(reply.status) : reply.error;
}

/// A text that the database accepts, whatever the receiver or a library said.
std::string error_text(std::string_view bytes) {
    const std::string text = base::to_utf8(bytes);
    return std::string(base::utf8_prefix(text, longest_error));
}

}  // namespace

Sender::Sender(store::Database& database, std::unique_ptr<http_client::Client> client,
               Targets targets, const base::Clock& clock, const base::Log& log)
    : database_(database),
      client_(std::move(client)),
      targets_(std::move(targets)),
      clock_(clock),
      log_(log) {}

// A body that was sent is stored with its failed attempt, and later attempts send the same bytes
// under the same delivery number. It is made anew only after an attempt that sent nothing.
std::optional<Sender::Delivery> Sender::delivery_for(store::DueCallback due) {
    const auto url = targets_.url_for(due.callback.event, due.callback.operation);
    if (!url) {
        database_.write([&](store::Connection& connection) {
            store::settle_callback(connection, {.callback = due.callback.id,
                                                .state = model::CallbackState::unwanted,
                                                .again_in = {},
                                                .body = "",
                                                .reply = std::nullopt,
                                                .error = ""});
        });
        return std::nullopt;
    }
    if (due.body.empty()) {
        const auto facts = database_.read([&](store::Connection& connection) {
            return store::callback_facts(connection, due.callback);
        });
        due.body = base::to_text(callback_body(facts, due.callback));
    }
    auto request = message(targets_, *url, due.callback, due.body, clock_.now());
    return Delivery{.due = std::move(due), .request = std::move(request)};
}

// Before: the callback is taken, its attempt is counted. After: the attempt is settled, or the
// callback is due again when its hold ends, because its end could not be stored. An exception
// concerns this delivery only; the others of the round go on.
void Sender::for_itself(const store::DueCallback& due, const std::function<void()>& work) {
    std::string reason;
    try {
        work();
        return;
    } catch (const std::exception& error) {
        reason = error.what();
    }
    try {
        settle_failure(due, reason);
    } catch (const std::exception& error) {
        log_.warn("callback.not_settled", {{"callback", static_cast<long>(due.callback.id)},
                                           {"reason", reason},
                                           {"error", error.what()}});
    }
}

void Sender::settle_failure(const store::DueCallback& due, const std::string& reason) {
    store::CallbackAttempt attempt;
    attempt.callback = due.callback.id;
    // The receiver knows a delivery by its bytes: what an earlier attempt sent stays.
    attempt.body = due.body;
    attempt.error = error_text("it could not be sent: " + reason);
    end_attempt(due.callback, std::move(attempt));
}

void Sender::settle(const Delivery& delivery, const http_client::Reply& reply) {
    store::CallbackAttempt attempt;
    attempt.callback = delivery.due.callback.id;
    attempt.body = delivery.due.body;
    if (reply.status != 0) attempt.reply = reply.status;
    attempt.error = error_text(why_not(reply));
    end_attempt(delivery.due.callback, std::move(attempt));
}

// Two at once: a daemon that was slower than its hold may settle a callback that another one sends
// again. settle_callback changes only callbacks that still wait, so a delivered one stays
// delivered.
void Sender::end_attempt(const model::Callback& callback, store::CallbackAttempt attempt) {
    if (!attempt.error.empty()) {
        const double jitter = std::uniform_real_distribution<>(0.0, 1.0)(random_);
        const auto again = queue::retry_in(queue::Cause::callback, callback.attempts, jitter);
        attempt.state = again ? model::CallbackState::waiting : model::CallbackState::given_up;
        attempt.again_in = again.value_or(std::chrono::milliseconds{0});
        log_.warn("callback.failed", {{"callback", static_cast<long>(callback.id)},
                                      {"cluster", model::wire_id(callback.cluster)},
                                      {"attempt", callback.attempts},
                                      {"error", attempt.error}});
    }
    database_.write(
        [&](store::Connection& connection) { store::settle_callback(connection, attempt); });
}

// Callbacks are taken in one short transaction and sent without any lock. After: each taken
// callback is settled or due again after its hold. Two at once: several daemons may run this; SKIP
// LOCKED gives each callback to one. The next callback of a cluster is due only once this one is
// settled.
int Sender::send_due() {
    const auto due = database_.write([&](store::Connection& connection) {
        store::note_expiring_leases(connection, clock_.now(), targets_.warning);
        return store::take_callbacks(
            connection, callbacks_at_once,
            std::chrono::duration_cast<std::chrono::seconds>(targets_.limit) + margin);
    });
    std::vector<Delivery> deliveries;
    std::vector<http_client::Request> requests;
    for (const store::DueCallback& one : due) {
        for_itself(one, [&] {
            auto delivery = delivery_for(one);
            if (!delivery) return;
            requests.push_back(delivery->request);
            deliveries.push_back(*std::move(delivery));
        });
    }
    const auto replies = http_client::send_all(loop_, *client_, requests);
    for (std::size_t i = 0; i < deliveries.size(); ++i) {
        for_itself(deliveries[i].due, [&] { settle(deliveries[i], replies[i]); });
    }
    return static_cast<int>(due.size());
}

}  // namespace provisioner::callbacks
