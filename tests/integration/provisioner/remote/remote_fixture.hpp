#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/remote/session.hpp"
#include "provisioner/remote/ssh_session.hpp"
#include "tests/support/sshd.hpp"

namespace tests::integration {

/// What a run printed and how it ended.
struct Told {
    std::string out;
    std::string err;
    provisioner::remote::RunResult result;
};

/// A private sshd, an event loop and sessions that keep their ledger in the sshd's folder.
struct RemoteFixture {
    RemoteFixture();

    /// Runs the loop until `work` has ended; gives its value or throws its exception.
    template <class Value>
    Value await(boost::asio::awaitable<Value> work) {
        auto value = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
        loop.restart();
        loop.run();
        return value.get();
    }

    /// A session with the right key.
    std::shared_ptr<provisioner::remote::Session> connect();

    /// Runs a script under a key of its own or the one given, collecting what it prints.
    Told run(provisioner::remote::Session& session, std::string script);
    Told run(provisioner::remote::Session& session, std::string script,
             provisioner::remote::StepKey key);
    boost::asio::awaitable<Told> running(provisioner::remote::Session& session,
                                         provisioner::remote::Run run,
                                         provisioner::remote::StepKey key);

    /// Runs until its script has written "ready", then cuts the connection under it: throws
    /// TransportError, and the step goes on alone.
    boost::asio::awaitable<void> run_and_be_cut(provisioner::remote::Session& session,
                                                provisioner::remote::Run run,
                                                provisioner::remote::StepKey key);

    /// Stops a step.
    void stop(provisioner::remote::Session& session, provisioner::remote::StepKey key);

    /// A path in the temporary folder.
    std::string path(const std::string& name) const { return sshd.folder() + "/" + name; }

    support::Sshd sshd;
    boost::asio::io_context loop{1};
    std::unique_ptr<provisioner::remote::Connector> connector;

 private:
    int keys_used_ = 0;
};

/// Whether there is such a process and it has not ended.
bool is_running(const std::string& pid);

/// How many lines a file has.
int lines_of(const std::string& path);

}  // namespace tests::integration
