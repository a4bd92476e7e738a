#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/base/json.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/cloud/cloud_provider.hpp"
#include "tests/support/python_server.hpp"

namespace tests {

/// A peer of one cloud (tests/support/clouds/*_stand_in.py) and the provider that talks to it, with
/// real HTTP. Verbs are run to their answers; make() and take_away() ask again while the answer is
/// Pending, as the queue does, but at once.
class CloudSite {
 public:
    using MakeCloud = std::function<std::unique_ptr<provisioner::providers::cloud::Cloud>(
        provisioner::providers::cloud::Tools)>;

    /// Starts the script with its arguments.
    CloudSite(const std::vector<std::string>& command, const MakeCloud& make_cloud);

    /// If COOPERAGE_CLOUDS_REPORT names a file, takes away what the test left on purpose, as the
    /// sweep of an account does, and adds a line of JSON there: calls, faults, machines made, and
    /// what is left all the same. `./cooperage test` adds these up.
    ~CloudSite();
    CloudSite(const CloudSite&) = delete;
    CloudSite& operator=(const CloudSite&) = delete;

    /// "http://127.0.0.1:<port>".
    std::string url() const;
    /// An account of the installation "0123456789abcdef0123456789abcdef" with these fields.
    provisioner::providers::Account account(const std::string& type,
                                            provisioner::base::Json fields) const;
    /// The machine of node `number` of cluster 00000001, for task `task`.
    static provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10);

    provisioner::providers::Provider& provider() { return *provider_; }

    /// Runs one verb to its answer on a loop of the site; throws what it throws, and
    /// std::runtime_error after a minute.
    template <class Answer>
    Answer answer(boost::asio::awaitable<Answer> verb) {
        loop_.restart();
        auto result = boost::asio::co_spawn(loop_, std::move(verb), boost::asio::use_future);
        loop_.run_for(std::chrono::minutes{1});
        if (!loop_.stopped()) throw std::runtime_error("no answer within a minute");
        return result.get();
    }

    /// create() until it answers something else than Pending, or for `patience`. Pauses are cut to
    /// `longest_pause`. A Lost is answered as Pending is.
    provisioner::providers::Created make(const provisioner::providers::Account& account,
                                         provisioner::providers::MachineSpec spec);
    provisioner::providers::Confirmed confirm(const provisioner::providers::Account& account,
                                              provisioner::providers::MachineSpec spec,
                                              const provisioner::base::Json& results);
    provisioner::providers::Destroyed take_away(const provisioner::providers::Account& account,
                                                const provisioner::providers::MachineSpec& spec,
                                                const provisioner::base::Json& results);

    /// The results that a node has of its machine.
    static provisioner::base::Json results_of(const std::string& id);
    /// The machine that make() gives; throws std::runtime_error with the words when there is none.
    provisioner::providers::Machine made(const provisioner::providers::Account& account,
                                         const provisioner::providers::MachineSpec& spec);
    /// Where the machine is reached by confirm(); throws as made().
    provisioner::providers::Reachable reached(const provisioner::providers::Account& account,
                                              const provisioner::providers::MachineSpec& spec,
                                              const std::string& id);
    /// take_away() of the machine; throws unless it is gone.
    void gone(const provisioner::providers::Account& account,
              const provisioner::providers::MachineSpec& spec, const std::string& id);
    /// The words with which make() is refused; throws when it is not.
    std::string refusal(const provisioner::providers::Account& account,
                        const provisioner::providers::MachineSpec& spec);

    /// What the peer has, by its control side: GET /-/state, GET /-/calls, POST /-/fault.
    provisioner::base::Json state();
    provisioner::base::Json calls();
    void fault(const provisioner::base::Json& fault);
    /// How often an operation was called, by GET /-/calls.
    int calls_of(const std::string& operation);
    /// Any call of the control side; throws std::runtime_error unless it is answered with 2xx.
    provisioner::base::Json control(const std::string& method, const std::string& path,
                                    const std::string& body = "");

    std::chrono::milliseconds longest_pause{200};
    std::chrono::seconds patience{60};

 private:
    /// What make() gave: whose it is.
    struct Made {
        provisioner::providers::Account account;
        provisioner::providers::MachineSpec spec;
    };

    void report();
    /// Takes away all that make() gave. How many machines the accounts list afterwards.
    std::size_t left_after_sweep();

    std::string script_;
    PythonServer server_;
    provisioner::base::SystemClock clock_;
    std::unique_ptr<provisioner::http_client::Client> client_;
    provisioner::providers::cloud::LocalRateLimits limits_{clock_};
    std::unique_ptr<provisioner::providers::cloud::Calls> calls_;
    provisioner::providers::cloud::Tokens tokens_;
    std::unique_ptr<provisioner::providers::Provider> provider_;
    boost::asio::io_context loop_;
    /// The machines that make() gave, by id, and those that take_away() took.
    std::map<std::string, Made> made_;
    std::set<std::string> taken_;
    int faults_ = 0;
};

}  // namespace tests
