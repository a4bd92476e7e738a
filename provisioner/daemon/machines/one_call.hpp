#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

namespace provisioner::daemon {

/// Runs one call of a provider on a loop of its own and blocks for its result. Throws what the call
/// throws, and std::runtime_error when `until` comes or `stopping` says that the daemon ends: then
/// the loop is destroyed, and the unfinished call with it.
template <class Value>
Value result_of(boost::asio::awaitable<Value> call, std::chrono::steady_clock::time_point until,
                const std::function<bool()>& stopping) {
    /// How often it looks whether the daemon ends.
    constexpr std::chrono::milliseconds turn{100};
    boost::asio::io_context loop{1};
    auto result = boost::asio::co_spawn(loop, std::move(call), boost::asio::use_future);
    while (!loop.stopped()) {
        if (stopping()) throw std::runtime_error("the daemon ends");
        if (std::chrono::steady_clock::now() >= until)
            throw std::runtime_error("no answer in time");
        loop.run_for(turn);
    }
    return result.get();
}

}  // namespace provisioner::daemon
