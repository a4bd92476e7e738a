#pragma once

#include <chrono>
#include <string>
#include <variant>

#include "provisioner/model/machines/account.hpp"

namespace provisioner::providers::existing {

/// A script of an owner that is to run on one of the owner's machines.
struct ScriptRun {
    /// The same for every question about the same run, in all daemons; the machine runs it once.
    /// Letters, digits and hyphens.
    std::string key;
    std::string address;
    int port = 22;
    std::string user;
    /// The only key that is accepted; no script is run without one.
    std::string host_key;
    /// Whether it is enough that the login succeeds: nothing is run then, and without a `host_key`
    /// whoever answers is trusted.
    bool only_logs_in = false;
    /// Shell text; runs as root.
    std::string script;
    std::chrono::seconds limit{3600};
};

/// It runs, or is about to.
struct ScriptRuns {};
/// It ended well, and nothing that we kept on the machine is left.
struct ScriptDone {};
/// It ended with a failure, or can never run there. Another question would begin it anew.
struct ScriptFailed {
    std::string reason;
};
/// The machine did not answer; it may run all the same. Another question tries again.
struct ScriptUnreachable {
    std::string reason;
};

/// How a run is.
using ScriptState = std::variant<ScriptRuns, ScriptDone, ScriptFailed, ScriptUnreachable>;

/// Runs scripts on machines. The daemon does it over SSH (daemon/machines/script_runner.hpp).
/// Several threads may ask at once.
class Scripts {
 public:
    virtual ~Scripts() = default;

    /// How the run is; the first question begins it, by the login key of the account. Never waits.
    /// An end is told once.
    virtual ScriptState look(const model::Account& account, const ScriptRun& run) = 0;
};

}  // namespace provisioner::providers::existing
