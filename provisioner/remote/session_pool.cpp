#include "provisioner/remote/session_pool.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <random>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/identity/sha256.hpp"
#include "provisioner/remote/host_key.hpp"

namespace provisioner::remote {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

namespace {

double random_fraction() {
    thread_local std::minstd_rand generator{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(generator);
}

milliseconds spread(milliseconds pause, double fraction) {
    return std::chrono::duration_cast<milliseconds>(pause * (0.5 + fraction));
}

milliseconds left_until(SteadyClock::time_point deadline) {
    return std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
}

asio::awaitable<void> pause_for(milliseconds time) {
    auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

/// Whether the pool holds the only reference. Reliable because references are made and dropped on
/// the loop's thread only.
bool unused(const std::shared_ptr<Session>& session) {
    return session.use_count() == 1;
}

/// Each key with its length, so that no other keys give the same bytes.
std::string hash_of_keys(const Endpoint& endpoint) {
    identity::Sha256 hash;
    const auto add = [&](const base::Secret& key) {
        hash.add(std::to_string(key.reveal().size()) + ":");
        hash.add(key.reveal());
    };
    add(endpoint.private_key);
    for (const base::Secret& key : endpoint.other_keys) add(key);
    return hash.finish();
}

}  // namespace

SessionPool::SessionPool(Connector& connector, PoolOptions options)
    : connector_(connector), options_(std::move(options)) {
    if (!options_.jitter) options_.jitter = random_fraction;
}

asio::awaitable<std::shared_ptr<Session>> SessionPool::acquire(Endpoint endpoint,
                                                               milliseconds patience) {
    // Other coroutines change kept_ while this one connects, so no iterator may live across the
    // wait. Two that find no free session connect both; their sessions stand beside each other in
    // kept_.
    std::shared_ptr<Session> session = take_kept(endpoint);
    if (session) co_return session;
    session = co_await connect(endpoint, patience);
    endpoint.host_key = session->host_key();
    kept_.insert({place_of(endpoint), {.session = session, .idle_since = {}}});
    co_return session;
}

void SessionPool::drop(const std::string& address) {
    auto kept = kept_.lower_bound({address, std::numeric_limits<int>::min(), "", "", ""});
    while (kept != kept_.end() && std::get<0>(kept->first) == address) kept = kept_.erase(kept);
}

void SessionPool::close_idle(Moment now) {
    const auto is_over = [&](Kept& kept) {
        if (!unused(kept.session)) {
            kept.idle_since = {};
            return false;
        }
        if (kept.idle_since == Moment{}) kept.idle_since = now;
        return !kept.session->alive() || now - kept.idle_since >= options_.idle_limit;
    };
    for (auto kept = kept_.begin(); kept != kept_.end();) {
        kept = is_over(kept->second) ? kept_.erase(kept) : std::next(kept);
    }
}

SessionPool::Place SessionPool::place_of(const Endpoint& endpoint) {
    return {endpoint.address, endpoint.port, endpoint.user,
            std::string(without_comment(endpoint.host_key)), hash_of_keys(endpoint)};
}

std::shared_ptr<Session> SessionPool::take_kept(const Endpoint& endpoint) {
    auto [kept, end] = kept_.equal_range(place_of(endpoint));
    while (kept != end) {
        // The copy that is returned marks the session as used. Nothing may suspend between the
        // check and the return, else two callers would get the same session.
        if (!unused(kept->second.session)) {
            ++kept;
        } else if (!kept->second.session->alive()) {
            kept = kept_.erase(kept);
        } else {
            kept->second.idle_since = {};
            return kept->second.session;
        }
    }
    return nullptr;
}

asio::awaitable<std::shared_ptr<Session>> SessionPool::connect(Endpoint endpoint,
                                                               milliseconds patience) {
    const auto deadline = SteadyClock::now() + patience;
    milliseconds pause = options_.first_pause;
    for (;;) {
        const milliseconds attempt = std::min(options_.attempt, left_until(deadline));
        std::exception_ptr failure;
        try {
            std::shared_ptr<Session> session = co_await connector_.connect(endpoint, attempt);
            co_return session;
        } catch (const UntrustedHost&) {
            throw;
        } catch (const TransportError&) {
            failure = std::current_exception();
        }
        const milliseconds rest = spread(pause, options_.jitter());
        if (rest >= left_until(deadline)) std::rethrow_exception(failure);
        co_await pause_for(rest);
        pause = std::min(pause * 2, options_.longest_pause);
    }
}

}  // namespace provisioner::remote
