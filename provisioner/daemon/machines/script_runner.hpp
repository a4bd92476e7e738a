#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "provisioner/daemon/tasks/login_keys.hpp"
#include "provisioner/providers/existing/scripts.hpp"
#include "provisioner/remote/session.hpp"

namespace provisioner::daemon {

/// Where machines keep what steps leave.
struct NodePlaces {
    /// As remote::SshOptions::state_directory.
    std::string state = "/var/lib/cooperage";
    std::string cache = "/var/cache/cooperage";
    /// The file with the names of the cluster's nodes (tasks/node_names.hpp).
    std::string hosts = "/etc/hosts";
};

/// Runs owners' scripts over SSH, each once: the machine's ledger keeps the run, so a daemon that
/// takes over joins it. When a script has ended well, everything that we left on the machine is
/// removed (ledger and caches), but for the record of this run.
///
/// All connections are on one loop with a thread of its own. A connection that breaks does not end
/// the script; the next question connects again.
class ScriptRunner final : public providers::existing::Scripts {
 public:
    /// Both must outlive this object.
    ScriptRunner(remote::Connector& connector, const LoginKeys& keys, NodePlaces places = {});
    /// Closes all connections; scripts run on.
    ~ScriptRunner() override;

    providers::existing::ScriptState look(const model::Account& account,
                                          const providers::existing::ScriptRun& run) override;

 private:
    /// A run that was asked for: nothing until it has ended.
    using End = std::optional<providers::existing::ScriptState>;

    boost::asio::awaitable<providers::existing::ScriptState> carry_out(
        providers::existing::ScriptRun run, base::Secret key);
    void end(const std::string& key, providers::existing::ScriptState state);

    remote::Connector& connector_;
    const LoginKeys& keys_;
    NodePlaces places_;
    /// Guards runs_.
    std::mutex mutex_;
    std::map<std::string, End> runs_;
    boost::asio::io_context loop_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> alive_{
        loop_.get_executor()};
    std::thread thread_;
};

}  // namespace provisioner::daemon
