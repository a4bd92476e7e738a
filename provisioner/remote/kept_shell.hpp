#pragma once

#include <functional>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "provisioner/remote/answer.hpp"
#include "provisioner/remote/complaint.hpp"
#include "provisioner/remote/step_wrapper.hpp"
#include "provisioner/remote/wire.hpp"

namespace provisioner::remote {

/// The shell that stays on a node for the time of a session and takes requests, one at a time.
class KeptShell {
 public:
    /// Both must outlive it.
    KeptShell(Wire& wire, const StepCommands& commands) : wire_(wire), commands_(commands) {}

    /// Starts the shell where there is none, asks it and gives its answer; `reader` gets what comes
    /// before that. Nothing: it ended instead, as exit_code() and complaint() say, and the next
    /// request starts another one.
    boost::asio::awaitable<std::optional<std::string>> ask(std::string request,
                                                           AnswerReader& reader,
                                                           Wire::Deadline deadline);

    /// Waits until then, or until the shell says that there is something to look at; whether it
    /// did.
    boost::asio::awaitable<bool> rest(Wire::Deadline until, Wire::Deadline deadline);

    /// Waits until then, whatever it says.
    boost::asio::awaitable<void> rest_anyway(Wire::Deadline until, Wire::Deadline deadline);

    bool is_open() const { return is_open_; }
    int exit_code() const { return exit_code_; }
    const Complaint& complaint() const { return complaint_; }

 private:
    boost::asio::awaitable<void> listen(Wire::Deadline until, Wire::Deadline deadline,
                                        std::function<bool()> enough);

    Wire& wire_;
    const StepCommands& commands_;
    Complaint complaint_;
    int exit_code_ = 0;
    bool is_open_ = false;
    bool is_woken_ = false;
};

}  // namespace provisioner::remote
