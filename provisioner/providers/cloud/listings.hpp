#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::cloud {

/// Listings of accounts, shared by all coroutines of one event loop: two hundred machines that boot
/// cost one call a turn instead of two hundred. Nobody gets a listing that began before it asked,
/// less the age it accepts. A failure is shared the same way.
///
/// A service of its io_context: created at the first use, destroyed with the loop. Only the loop's
/// thread uses it.
class Listings final : public boost::asio::execution_context::service {
 public:
    using Machines = std::shared_ptr<const std::vector<CloudMachine>>;
    using Fetch = std::function<boost::asio::awaitable<std::vector<CloudMachine>>()>;
    using Work = std::function<boost::asio::awaitable<void>()>;

    /// The key by which Asio finds the service in its context.
    static boost::asio::execution_context::id id;

    explicit Listings(boost::asio::execution_context& context);
    ~Listings() override;

    /// The instance of the loop that runs the calling coroutine. Owned by that loop.
    static boost::asio::awaitable<Listings*> here();

    /// The machines as a listing shows them that began at most `age` before this call. `account`
    /// names it; `fetch` lists it, and must not need anything but its own captures. Throws what
    /// `fetch` throws.
    boost::asio::awaitable<Machines> get(std::string account, std::chrono::milliseconds age,
                                         Fetch fetch);

    /// How long ago the last listing of the account began; zero without one.
    std::chrono::milliseconds age(const std::string& account) const;

    /// Does `work` for all that ask for it under the same name at once: a cluster's firewall, which
    /// two hundred creations want to see repaired. Those that ask while it is under way share the
    /// next turn. Otherwise as get().
    boost::asio::awaitable<void> share(std::string name, Work work);

 private:
    struct Entry;
    class UnderWay;

    void shutdown() noexcept override;
    void forget_old();

    boost::asio::io_context& loop_;
    std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace provisioner::providers::cloud
