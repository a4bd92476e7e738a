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

/// A shell that stays open on a node as long as the session and serves one request at a time. Each
/// command of its own would cost a channel and a new shell that reads the wrapper script again.
///
/// Answers come over standard output, marked with the token of their request (AnswerReader).
/// Standard error only wakes the caller early: sshd sends the two streams in no fixed order.
///
/// Belongs to one Session and runs on its loop; not for use by two coroutines at once.
class KeptShell {
 public:
    /// Opens nothing yet. Both must outlive it.
    KeptShell(Wire& wire, const StepCommands& commands) : wire_(wire), commands_(commands) {}

    /// Sends one request and returns its answer; `reader` gets the output before it. Starts the
    /// shell if none is open. Nothing: the shell has ended instead; exit_code() and complaint() say
    /// how, and the next request starts another one. Throws TransportError, and NoAnswer after
    /// `deadline`.
    boost::asio::awaitable<std::optional<std::string>> ask(std::string request,
                                                           AnswerReader& reader,
                                                           Wire::Deadline deadline);

    /// Waits until `until`, or until the shell signals that the step has ended; true in the second
    /// case. A signal since the last request counts. Throws as ask().
    boost::asio::awaitable<bool> rest(Wire::Deadline until, Wire::Deadline deadline);

    /// Waits until `until`, whatever the shell signals.
    boost::asio::awaitable<void> rest_anyway(Wire::Deadline until, Wire::Deadline deadline);

    /// Whether the shell was open at the last request. It may have ended since.
    bool is_open() const { return is_open_; }
    /// Exit code of the shell that ended last; -1 when a signal ended it.
    int exit_code() const { return exit_code_; }
    /// What the shell has printed on standard error since the last request began.
    const Complaint& complaint() const { return complaint_; }

 private:
    /// Reads until `until`, or until `enough` returns true.
    boost::asio::awaitable<void> listen(Wire::Deadline until, Wire::Deadline deadline,
                                        std::function<bool()> enough);

    Wire& wire_;
    const StepCommands& commands_;
    Complaint complaint_;
    int exit_code_ = 0;
    bool is_open_ = false;
    /// Whether anything came on standard error since the last request.
    bool is_woken_ = false;
};

}  // namespace provisioner::remote
