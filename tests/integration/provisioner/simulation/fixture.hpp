#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/providers/simulated/simulated_provider.hpp"
#include "provisioner/simulation/simulated_session.hpp"

namespace tests::integration {

/// A clock that stands still until it is told to go on.
class StandingClock final : public provisioner::base::Clock {
 public:
    provisioner::base::Timestamp now() const override { return now_; }
    void go_on(std::chrono::milliseconds time) { now_ += time; }

 private:
    provisioner::base::Timestamp now_{std::chrono::hours{12}};
};

/// What a run printed and how it ended.
struct Heard {
    std::string out;
    std::string err;
    provisioner::remote::RunResult result;
};

/// A folder of ledgers that goes at the end, a provider and sessions over it.
struct SimulationFixture {
    SimulationFixture();
    ~SimulationFixture();
    SimulationFixture(const SimulationFixture&) = delete;
    SimulationFixture& operator=(const SimulationFixture&) = delete;

    /// Runs the loop until `work` has ended; gives its value or throws its exception.
    template <class Value>
    Value await(boost::asio::awaitable<Value> work) {
        auto value = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
        loop.restart();
        loop.run();
        return value.get();
    }

    /// The account of a provider with these fields.
    static provisioner::model::Account account(provisioner::base::Json fields = {});

    /// A machine to ask for.
    static provisioner::providers::MachineSpec spec();

    /// A session to the machine of spec(), made before. `clock` is the standing one or the real
    /// one.
    std::shared_ptr<provisioner::remote::Session> connect(const provisioner::base::Clock& clock);

    /// Runs a step in it; `script` is what it would carry out.
    Heard run(provisioner::remote::Session& session, provisioner::remote::StepKey key,
              std::string script = "true");

    /// Files of a folder below the state, joined by blanks.
    std::string files_in(const std::string& name) const;

    std::string folder;
    boost::asio::io_context loop{1};
    StandingClock clock;
    provisioner::base::SystemClock real_clock;
    provisioner::simulation::LedgerFolder ledgers;
    provisioner::providers::simulated::SimulatedProvider provider;
};

}  // namespace tests::integration
