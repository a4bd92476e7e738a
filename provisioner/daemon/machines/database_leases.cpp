#include "provisioner/daemon/machines/database_leases.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/store/machines/lease_store.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;

namespace {

/// A call that a thread makes for a coroutine. Both have it, so each may end before the other: a
/// sweep of accounts destroys its loop when the daemon ends, whatever the database does.
template <class Value>
struct ThreadCall {
    ThreadCall() : done(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (done < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    ThreadCall(const ThreadCall&) = delete;
    ThreadCall& operator=(const ThreadCall&) = delete;
    ~ThreadCall() { ::close(done); }

    void make(const std::function<Value()>& work) {
        std::optional<Value> result;
        std::exception_ptr thrown;
        try {
            result = work();
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        value = std::move(result);
        error = thrown;
        const std::uint64_t one = 1;
        // Cannot fail: it is the only write, and 8 bytes are what an event takes.
        [[maybe_unused]] const auto written = ::write(done, &one, sizeof one);
    }

    Value result() {
        const std::lock_guard lock(mutex);
        if (error) std::rethrow_exception(error);
        return *std::move(value);
    }

    /// Readable when the call has been made.
    const int done;
    /// Guards the two below.
    std::mutex mutex;
    std::optional<Value> value;
    std::exception_ptr error;
};

/// Runs `work` on one of the threads and goes on with its result on the coroutine's own loop.
template <class Value>
asio::awaitable<Value> on_thread(asio::thread_pool& threads, std::function<Value()> work) {
    const auto call = std::make_shared<ThreadCall<Value>>();
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const int copy = ::fcntl(call->done, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    asio::posix::stream_descriptor done(executor, copy);
    asio::post(threads, [call, work = std::move(work)] { call->make(work); });
    co_await done.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    co_return call->result();
}

}  // namespace

asio::awaitable<model::LeaseAnswer> DatabaseLeases::take(model::LeaseWish wish) {
    std::function<model::LeaseAnswer()> work = [this, wish = std::move(wish)] {
        return database_.write(
            [&](store::Connection& connection) { return store::take_machine(connection, wish); });
    };
    return on_thread<model::LeaseAnswer>(threads_, std::move(work));
}

asio::awaitable<std::vector<model::MachineLease>> DatabaseLeases::of_node(std::string node) {
    std::function<std::vector<model::MachineLease>()> work = [this, node = std::move(node)] {
        return database_.look(
            [&](store::Connection& connection) { return store::leases_of_node(connection, node); });
    };
    return on_thread<std::vector<model::MachineLease>>(threads_, std::move(work));
}

asio::awaitable<std::vector<model::MachineLease>> DatabaseLeases::of_provider(
    model::TenantId tenant, std::string type, std::string provider) {
    std::function<std::vector<model::MachineLease>()> work = [this, tenant, type = std::move(type),
                                                              provider = std::move(provider)] {
        return database_.look([&](store::Connection& connection) {
            return store::leases_of_provider(connection, tenant, type, provider);
        });
    };
    return on_thread<std::vector<model::MachineLease>>(threads_, std::move(work));
}

asio::awaitable<bool> DatabaseLeases::change(model::MachineLeaseId lease, model::LeaseState from,
                                             model::LeaseState to, std::string reason) {
    std::function<bool()> work = [this, lease, from, to, reason = std::move(reason)] {
        return database_.write([&](store::Connection& connection) {
            return store::change_lease(connection, lease, from, to, reason);
        });
    };
    return on_thread<bool>(threads_, std::move(work));
}

asio::awaitable<void> DatabaseLeases::note(model::MachineLeaseId lease, std::string reason) {
    std::function<bool()> work = [this, lease, reason = std::move(reason)] {
        database_.write(
            [&](store::Connection& connection) { store::note_lease(connection, lease, reason); });
        return true;
    };
    auto noting = on_thread<bool>(threads_, std::move(work));
    co_await std::move(noting);
}

asio::awaitable<void> DatabaseLeases::relist(model::MachineLeaseId lease, base::Json listed) {
    std::function<bool()> work = [this, lease, listed = std::move(listed)] {
        database_.write([&](store::Connection& connection) {
            store::relist_machine(connection, lease, listed);
        });
        return true;
    };
    auto keeping = on_thread<bool>(threads_, std::move(work));
    co_await std::move(keeping);
}

asio::awaitable<bool> DatabaseLeases::enter(model::MachineLeaseId lease,
                                            std::vector<std::string> identities) {
    std::function<bool()> work = [this, lease, identities = std::move(identities)] {
        return database_.write([&](store::Connection& connection) {
            return store::enter_machine(connection, lease, identities);
        });
    };
    return on_thread<bool>(threads_, std::move(work));
}

asio::awaitable<void> DatabaseLeases::disown(model::MachineLeaseId lease) {
    std::function<bool()> work = [this, lease] {
        database_.write(
            [&](store::Connection& connection) { store::disown_machine(connection, lease); });
        return true;
    };
    auto disowning = on_thread<bool>(threads_, std::move(work));
    co_await std::move(disowning);
}

asio::awaitable<bool> DatabaseLeases::free(model::MachineLeaseId lease, model::LeaseState in) {
    std::function<bool()> work = [this, lease, in] {
        return database_.write([&](store::Connection& connection) {
            return store::free_machine(connection, lease, in);
        });
    };
    return on_thread<bool>(threads_, std::move(work));
}

}  // namespace provisioner::daemon
