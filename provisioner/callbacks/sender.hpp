#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/callbacks/targets.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/jobs/callback_store.hpp"

namespace provisioner::callbacks {

/// Tells what the database holds to be told. Several daemons may send at once: each callback is
/// taken by one of them, and again by another if that one says nothing for a minute.
class Sender {
 public:
    /// All of them must outlive the sender.
    Sender(store::Database& database, std::unique_ptr<http_client::Client> client, Targets targets,
           const base::Clock& clock, const base::Log& log);

    /// One round: warns of leases about to end, then sends what is due, side by side. Returns how
    /// many callbacks were taken.
    int send_due();

 private:
    struct Delivery {
        store::DueCallback due;
        http_client::Request request;
    };

    std::optional<Delivery> delivery_for(store::DueCallback due);
    void for_itself(const store::DueCallback& due, const std::function<void()>& work);
    void settle(const Delivery& delivery, const http_client::Reply& reply);
    void settle_failure(const store::DueCallback& due, const std::string& reason);
    /// Stores how an attempt went; one with an error is followed by another one.
    void end_attempt(const model::Callback& callback, store::CallbackAttempt attempt);

    store::Database& database_;
    std::unique_ptr<http_client::Client> client_;
    /// Run while something is sent; keeps the connections in between.
    boost::asio::io_context loop_{1};
    Targets targets_;
    const base::Clock& clock_;
    const base::Log& log_;
    std::mt19937 random_{std::random_device{}()};
};

/// A sender at work on a thread of its own.
class SenderThread {
 public:
    /// Looks for callbacks every second, or more often while there are many. Both must outlive it.
    SenderThread(Sender& sender, const base::Log& log);

    /// Ends after the round it is in.
    ~SenderThread();

    /// Lets no further round begin; safe from any thread.
    void stop();

 private:
    void run();

    Sender& sender_;
    const base::Log& log_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace provisioner::callbacks
