#pragma once

#include <functional>
#include <memory>
#include <random>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/callbacks/targets.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/jobs/callback_store.hpp"

namespace provisioner::callbacks {

/// Sends the callbacks that the database holds (table callback), at least once each.
///
/// The transaction that changes a job writes its callback, so none is lost and none is sent before
/// the change is true. A round takes up to 16 due callbacks, at most one per cluster: the oldest,
/// so that a cluster's events arrive in order. Taking one counts an attempt and makes it due again
/// after `targets.limit` + 50 s. If the daemon dies before it settles the callback, another one
/// sends it again after that time. Several daemons may send at once: each callback is taken by one
/// of them.
///
/// A failed delivery is tried again by the rule of queue::Cause::callback (5 s to 1 h apart, 45
/// tries) and then given up. A receiver that never answers delays only the later events of the same
/// cluster, and the round it is part of by `targets.limit`.
///
/// One thread at a time; a RoundThread provides it in the daemon.
class Sender {
 public:
    /// `database`, `clock` and `log` must outlive the sender. Sends nothing yet.
    Sender(store::Database& database, std::unique_ptr<http_client::Client> client, Targets targets,
           const base::Clock& clock, const base::Log& log);

    /// One round: notes callbacks for leases about to end, then sends due callbacks in parallel and
    /// stores the results. Blocks for up to `targets.limit` and the database. Returns how many
    /// callbacks were taken; 0 means that nothing was due. Throws what the database throws before
    /// the first delivery.
    int send_due();

 private:
    /// A callback that was taken, and its request.
    struct Delivery {
        store::DueCallback due;
        http_client::Request request;
    };

    /// Makes the request; stores the callback as unwanted and returns nothing when it has no
    /// receiver.
    /// Reads what the body is made of, unless an earlier attempt stored the body.
    std::optional<Delivery> delivery_for(store::DueCallback due);
    /// Runs `work` for one callback and stores what it throws as a failed attempt of that one.
    void for_itself(const store::DueCallback& due, const std::function<void()>& work);
    /// Stores the result of a request: 2xx is delivered.
    void settle(const Delivery& delivery, const http_client::Reply& reply);
    /// Stores a failed attempt that sent nothing.
    void settle_failure(const store::DueCallback& due, const std::string& reason);
    /// Stores how an attempt ended. With an error another one follows, until the last try is used
    /// up.
    void end_attempt(const model::Callback& callback, store::CallbackAttempt attempt);

    store::Database& database_;
    /// Sends on loop_ only.
    std::unique_ptr<http_client::Client> client_;
    /// Runs during send_due() only; the client keeps its connections here between rounds.
    boost::asio::io_context loop_{1};
    Targets targets_;
    const base::Clock& clock_;
    const base::Log& log_;
    /// For the jitter of retries.
    std::mt19937 random_{std::random_device{}()};
};

}  // namespace provisioner::callbacks
