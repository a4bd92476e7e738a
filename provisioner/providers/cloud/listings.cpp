#include "provisioner/providers/cloud/listings.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace provisioner::providers::cloud {
namespace asio = boost::asio;

namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr std::chrono::seconds kept_for{30};

}  // namespace

asio::execution_context::id Listings::id;

/// The last listing of an account, and the one under way.
struct Listings::Entry {
    explicit Entry(asio::io_context& loop) : ended(loop, asio::steady_timer::time_point::max()) {}

    /// When the last listing began; what it came to is in one of the two below.
    Moment began{};
    Machines machines;
    std::exception_ptr failure;
    bool is_under_way = false;
    /// Whether the loop ends: nothing may be woken.
    bool is_closed = false;
    /// Never expires; cancelled when the listing under way has ended.
    asio::steady_timer ended;
};

/// Marks a listing as under way, and wakes those that wait for it when it ends or is destroyed.
class Listings::UnderWay {
 public:
    explicit UnderWay(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {
        entry_->is_under_way = true;
    }
    ~UnderWay() {
        entry_->is_under_way = false;
        if (!entry_->is_closed) entry_->ended.cancel();
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

 private:
    std::shared_ptr<Entry> entry_;
};

// A loop destroys its services from the newest to the oldest. The timers of the entries need
// theirs, so it has to be older than this one.
Listings::Listings(asio::execution_context& context)
    : asio::execution_context::service(context), loop_(static_cast<asio::io_context&>(context)) {
    const asio::steady_timer makes_the_service_of_timers(loop_);
}

Listings::~Listings() = default;

asio::awaitable<Listings*> Listings::here() {
    const auto executor = co_await asio::this_coro::executor;
    auto& context = asio::query(executor, asio::execution::context);
    co_return &asio::use_service<Listings>(static_cast<asio::io_context&>(context));
}

// Called before the loop destroys the coroutines that wait on it.
void Listings::shutdown() noexcept {
    for (const auto& [name, entry] : entries_) entry->is_closed = true;
}

void Listings::forget_old() {
    const Moment oldest = std::chrono::steady_clock::now() - kept_for;
    std::erase_if(entries_, [&](const auto& kept) {
        return kept.second.use_count() == 1 && kept.second->began < oldest;
    });
}

// After each wait the entry is looked at anew: another coroutine may have begun the next listing.
asio::awaitable<Listings::Machines> Listings::get(std::string account,
                                                  std::chrono::milliseconds age, Fetch fetch) {
    const Moment asked = std::chrono::steady_clock::now();
    forget_old();
    auto& slot = entries_[account];
    if (!slot) slot = std::make_shared<Entry>(loop_);
    const std::shared_ptr<Entry> entry = slot;
    const auto is_told = [&] {
        return entry->began >= asked - age && (entry->machines || entry->failure);
    };
    while (entry->is_under_way || !is_told()) {
        if (entry->is_under_way) {
            boost::system::error_code ignored;
            co_await entry->ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            continue;
        }
        const UnderWay under_way(entry);
        entry->began = std::chrono::steady_clock::now();
        entry->machines.reset();
        entry->failure = nullptr;
        try {
            auto machines = co_await fetch();
            entry->machines =
                std::make_shared<const std::vector<CloudMachine>>(std::move(machines));
        } catch (...) {
            entry->failure = std::current_exception();
        }
        break;
    }
    if (entry->failure) std::rethrow_exception(entry->failure);
    co_return entry->machines;
}

std::chrono::milliseconds Listings::age(const std::string& account) const {
    const auto found = entries_.find(account);
    if (found == entries_.end()) return std::chrono::milliseconds{0};
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 found->second->began);
}

asio::awaitable<void> Listings::share(std::string name, Work work) {
    Fetch fetch = [work = std::move(work)]() -> asio::awaitable<std::vector<CloudMachine>> {
        co_await work();
        co_return std::vector<CloudMachine>();
    };
    auto turn = get("work: " + name, std::chrono::milliseconds{0}, std::move(fetch));
    co_await std::move(turn);
}

}  // namespace provisioner::providers::cloud
