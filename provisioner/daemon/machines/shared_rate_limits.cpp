#include "provisioner/daemon/machines/shared_rate_limits.hpp"

#include <map>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/store/machines/call_rate_store.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;
using providers::cloud::DueTime;
using providers::cloud::Lane;
using std::chrono::milliseconds;

struct SharedRateLimits::Asked {
    Lane lane;
    milliseconds patience{0};
    /// More than zero for a pause.
    milliseconds pause{0};
    /// Written by the thread before `is_answered`.
    milliseconds wait{0};
    std::atomic<bool> is_answered = false;
};

namespace {

/// How often a coroutine looks for its answer, which takes a few milliseconds. It looks, instead of
/// being called, because its loop may be gone by then: a sweep that gives up destroys it.
constexpr milliseconds first_look{1};
constexpr milliseconds longest_look{32};

}  // namespace

SharedRateLimits::SharedRateLimits(store::Database& database, const base::Clock& clock,
                                   const base::Log& log)
    : database_(database), log_(log), local_(clock), thread_([this] { work(); }) {}

SharedRateLimits::~SharedRateLimits() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

asio::awaitable<milliseconds> SharedRateLimits::take(Lane lane, milliseconds patience) {
    auto asked = std::make_shared<Asked>();
    asked->lane = std::move(lane);
    asked->patience = patience;
    co_await answered(asked);
    co_return asked->wait;
}

asio::awaitable<void> SharedRateLimits::pause(Lane lane, milliseconds length) {
    auto asked = std::make_shared<Asked>();
    asked->lane = std::move(lane);
    asked->pause = length;
    co_await answered(asked);
}

asio::awaitable<void> SharedRateLimits::answered(std::shared_ptr<Asked> asked) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(asked);
    }
    wake_.notify_one();
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (milliseconds look = first_look; !asked->is_answered;
         look = std::min(look * 2, longest_look)) {
        timer.expires_after(look);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

void SharedRateLimits::work() {
    for (;;) {
        Batch batch;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            batch.swap(waiting_);
        }
        std::map<std::pair<std::string, std::string>, Batch> lanes;
        for (auto& asked : batch) {
            lanes[{asked->lane.account, asked->lane.kind}].push_back(std::move(asked));
        }
        for (const auto& [name, of_lane] : lanes) answer(of_lane);
    }
}

void SharedRateLimits::answer(const Batch& batch) {
    try {
        answer_by_database(batch);
        is_alone_ = false;
    } catch (const std::exception& error) {
        if (!is_alone_) log_.warn("rate_limits.not_shared", {{"error", error.what()}});
        is_alone_ = true;
        for (const auto& asked : batch) {
            if (asked->pause > milliseconds{0}) {
                local_.pause_now(asked->lane, asked->pause);
            } else {
                asked->wait = local_.take_now(asked->lane, asked->patience);
            }
        }
    }
    for (const auto& asked : batch) asked->is_answered = true;
}

// The waits are computed inside the transaction, which may run again after a deadlock: only the
// last run's results stay.
void SharedRateLimits::answer_by_database(const Batch& batch) {
    const Lane& lane = batch.front()->lane;
    database_.write([&](store::Connection& connection) {
        const auto rate = store::lock_call_rate(connection, lane.account, lane.kind);
        DueTime due{.idle_at = rate.idle_at};
        // Where those that take nothing stand: each is told another time to come back.
        DueTime line;
        for (const auto& asked : batch) {
            if (asked->pause > milliseconds{0}) {
                due.pause(asked->lane, rate.now, asked->pause);
                continue;
            }
            asked->wait = std::chrono::ceil<milliseconds>(due.wait(asked->lane, rate.now));
            if (asked->wait <= asked->patience) {
                due.take(asked->lane, rate.now);
                continue;
            }
            line.idle_at = std::max(line.idle_at, due.idle_at);
            asked->wait = std::chrono::ceil<milliseconds>(line.wait(asked->lane, rate.now));
            line.take(asked->lane, rate.now);
        }
        if (due.idle_at != rate.idle_at) {
            store::save_call_rate(connection, lane.account, lane.kind, due.idle_at);
        }
        return 0;
    });
}

}  // namespace provisioner::daemon
