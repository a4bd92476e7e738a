#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

#include "provisioner/base/secret.hpp"
#include "provisioner/remote/steps.hpp"

namespace provisioner::remote {

/// The connection failed, broke or was refused; the work on the node may go on. Worth another try
/// unless it is an UntrustedHost.
class TransportError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The other side is there and did not end what it was asked for in the time that is allowed for
/// it.
class NoAnswer : public TransportError {
 public:
    using TransportError::TransportError;
};

/// The host showed another key than the one that is known: somebody else answers at this address.
/// Never retried.
class UntrustedHost : public TransportError {
 public:
    using TransportError::TransportError;
};

/// The node answered that it could not: its disk is full, a tool is missing, a folder is in the
/// way.
class NodeRefusal : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// What arrived is not what was announced: the source of the file is not as it was.
class WrongContent : public NodeRefusal {
 public:
    using NodeRefusal::NodeRefusal;
};

/// Where a node is reached and how both sides prove who they are.
struct Endpoint {
    /// IPv4 or IPv6 address.
    std::string address;
    int port = 22;
    std::string user = "root";
    /// An OpenSSH private key (ed25519), the text of the file.
    base::Secret private_key;
    /// The host's public key as in known_hosts, "ssh-ed25519 AAAA...", known before the first
    /// packet; empty pins whatever the host shows on first contact (Session::host_key tells it).
    std::string host_key;
};

enum class Stream { out, err };

/// How a Run ended on the node.
struct RunResult {
    int exit_code = 0;
    /// Whether the node refused the step because a higher fence was there before.
    bool fenced_off = false;
    /// Whether the node has another step under this key: what the attempt's steps are made of
    /// changed since it began. Nothing was done.
    bool is_another = false;
    /// Whether it was killed because it ran longer than its limit.
    bool timed_out = false;
    /// Whether it was ended, or never begun, because somebody asked for that.
    bool stopped = false;
};

/// Receives output as it arrives, in pieces of any size; called on the session's own loop.
using OutputSink = std::function<void(Stream, std::string_view)>;

/// The next piece of a file, valid until it is asked for another one; empty at the end. What it
/// throws comes out of the call that asked, and breaks the connection.
using Pieces = std::function<std::string_view()>;

/// One kept connection to one node. All of its functions run on the executor it was opened on; one
/// at a time. Throws TransportError when the connection breaks, and NodeRefusal when the node
/// cannot keep a file or a step.
class Session {
 public:
    virtual ~Session() = default;

    /// Writes the file, with its directories.
    virtual boost::asio::awaitable<void> upload(const Upload& upload) = 0;

    /// Which files of a delivery, by their places in it, the node does not have with that content.
    /// The others get their modes.
    virtual boost::asio::awaitable<std::vector<std::size_t>> lacking(const Delivery& delivery) = 0;

    /// Writes the file, with its directories, when all of it has arrived; throws WrongContent when
    /// that is not what it should be.
    virtual boost::asio::awaitable<void> send(const DeliveredFile& file, const Pieces& pieces) = 0;

    /// Runs the step once: starts it, or finds it running or ended on the node, and returns when it
    /// has ended. Output of a run that was found is given from its beginning.
    virtual boost::asio::awaitable<RunResult> run(const Run& run, const StepKey& key,
                                                  const OutputSink& sink) = 0;

    /// Asks the node to end the step and everybody it started; who waits in run() for it is told
    /// that it was stopped. One that has not begun never will; one that has ended, or that a higher
    /// fence has asked for, is left alone. Returns before it has ended.
    virtual boost::asio::awaitable<void> stop(const StepKey& key) = 0;

    /// The host key the other side proved, as in known_hosts without the name.
    virtual const std::string& host_key() const = 0;

    /// Whether it can still be used.
    virtual bool alive() const = 0;

    /// When something came from the other side for the last time, an answer to a keepalive too; the
    /// beginning of the last call where nothing has come since.
    virtual std::chrono::steady_clock::time_point last_heard() const = 0;
};

/// Opens sessions. The seam between the daemon and libssh2.
class Connector {
 public:
    virtual ~Connector() = default;

    /// A session that is logged in. Throws UntrustedHost, or TransportError with a message that
    /// names address and cause; gives up after `patience`.
    virtual boost::asio::awaitable<std::shared_ptr<Session>> connect(
        const Endpoint& endpoint, std::chrono::milliseconds patience) = 0;
};

}  // namespace provisioner::remote
