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

/// The connection could not be opened, was refused, or broke. Work on the node is in an unknown
/// state: a step may still run there. The caller may connect and ask again, unless the error is an
/// UntrustedHost.
class TransportError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The deadline of a call passed without an answer, although the connection had not failed. When a
/// step ends this way, the daemon fails the attempt: another wait could last for ever.
class NoAnswer : public TransportError {
 public:
    using TransportError::TransportError;
};

/// The host proved another key than the known one, so another machine answers at this address.
/// Never retried.
class UntrustedHost : public TransportError {
 public:
    using TransportError::TransportError;
};

/// The node let none of the endpoint's keys in. A daemon that read its keys before they were
/// replaced gets it, too, so the caller may connect again with those of that moment.
class LoginRefused : public TransportError {
 public:
    using TransportError::TransportError;
};

/// The node answered that it cannot do what was asked: its disk is full, a tool is missing, a
/// directory is in the way. The message is for people and holds the node's own words where there
/// are any. The session may stay usable: alive() says so.
class NodeRefusal : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The content that arrived differs in size or checksum from the announced one: the source of the
/// file has changed. The daemon then drops its cached copy of that content.
class WrongContent : public NodeRefusal {
 public:
    using NodeRefusal::NodeRefusal;
};

/// Where a node is reached and how both sides prove their identity. SessionPool treats endpoints as
/// equal when all members except the keys to log in with are equal.
struct Endpoint {
    /// IPv4 or IPv6 address in text form without brackets; host names are not resolved.
    std::string address;
    /// TCP port of the node's sshd.
    int port = 22;
    /// Login name. A user other than root needs `sudo` without a password on the node.
    std::string user = "root";
    /// The text of an OpenSSH private key file (ed25519), without a passphrase.
    base::Secret private_key;
    /// Keys that are tried one after the other when the node refuses `private_key`: it may have an
    /// older one still. A server that ends connections after some refusals (sshd's MaxAuthTries)
    /// gets the rest over further connections.
    std::vector<base::Secret> other_keys = {};
    /// The host's public key as in known_hosts, "ssh-ed25519 AAAA...". Several, one a line: any of
    /// them, while the host changes from one to another. Empty: the first contact
    /// accepts any key of a trusted type, and Session::host_key() returns it for pinning.
    /// RoutingConnector also chooses the connector by the beginning of this text.
    std::string host_key;
};

/// Which output of a command a piece of text belongs to.
enum class Stream { out, err };

/// How a Run ended on the node. At most one of the flags is set. The exit code has a fixed value
/// for each flag, so that it is never 0 then.
struct RunResult {
    /// 0 to 255: the script's own code. 124 when it timed out, 143 when it was stopped. 137 when
    /// the node refused the step, or when its processes vanished without a result.
    int exit_code = 0;
    /// Whether the node refused the step: it has seen a higher fence for it, or a later attempt of
    /// the task. This call started nothing.
    bool fenced_off = false;
    /// Whether the node has another step under this key, because files or software have changed
    /// since the attempt began. This call started nothing.
    bool is_another = false;
    /// Whether the node killed the step at its limit.
    bool timed_out = false;
    /// Whether stop() ended the step, or kept it from beginning.
    bool stopped = false;
};

/// Receives output as it arrives, in pieces of any size, on the thread of the session's loop. The
/// text is valid only during the call. An exception from it breaks the connection and leaves the
/// call that was reading.
using OutputSink = std::function<void(Stream, std::string_view)>;

/// Returns the next piece of a file, valid until the next call; empty at the end. Called on the
/// thread of the session's loop. An exception from it breaks the connection and leaves
/// Session::send().
using Pieces = std::function<std::string_view()>;

/// One kept connection to one node. Steps and files live on the node, not in the session: another
/// session can join or stop a step that this one began (README.md, "The ledger").
///
/// A session serves one call at a time, and only on the thread of the loop it was opened on.
/// Arguments passed by reference must live until the awaitable has completed. Every call does
/// network I/O.
///
/// Every call throws TransportError when the connection breaks, and NodeRefusal when the node
/// cannot keep a file or a step. It throws std::invalid_argument for paths, modes, checksums and
/// keys that StepCommands does not accept.
class Session {
 public:
    virtual ~Session() = default;

    /// Writes the file and its missing directories. The file takes its place when it is whole:
    /// readers on the node see the old or the new content.
    virtual boost::asio::awaitable<void> upload(const Upload& upload) = 0;

    /// Positions in `delivery.files` of the files that the node lacks or has with other content;
    /// ascending, may be empty. Files with the right content get their modes. The node reads each
    /// file to compute its checksum; a file that `stays` is checked once a session, and again after
    /// a failed step.
    virtual boost::asio::awaitable<std::vector<std::size_t>> lacking(const Delivery& delivery) = 0;

    /// Writes one file and its missing directories. The file takes its place when all of it has
    /// arrived; WrongContent when size or checksum differ from the announced ones.
    virtual boost::asio::awaitable<void> send(const DeliveredFile& file, const Pieces& pieces) = 0;

    /// Runs the step once per key: starts it, joins it while it runs, or replays its end. Returns
    /// when the step has ended. In all three cases `sink` gets the output from its beginning. A
    /// node that refuses the step is no exception: RunResult names the reason.
    virtual boost::asio::awaitable<RunResult> run(const Run& run, const StepKey& key,
                                                  const OutputSink& sink) = 0;

    /// Asks the node to end the step and all processes of its session, and returns before they have
    /// ended. A run() that waits for the step on another session then reports `stopped`. A step
    /// that has not begun never will. The call does nothing when the step has ended or a higher
    /// fence has asked for it.
    virtual boost::asio::awaitable<void> stop(const StepKey& key) = 0;

    /// The public key the host proved when the session was opened, as in known_hosts without the
    /// host name.
    virtual const std::string& host_key() const = 0;

    /// Whether the session can take another call. Does not wait and sends nothing, so it may be out
    /// of date at once.
    virtual bool alive() const = 0;

    /// When the other side last sent anything, answers to keepalives included; the beginning of the
    /// last call if nothing has come since. The daemon uses it to distinguish a new outage from a
    /// lasting one.
    virtual std::chrono::steady_clock::time_point last_heard() const = 0;
};

/// Opens sessions: the seam between the daemon and libssh2. Tests and simulated machines have their
/// own connectors. All event loops share one connector, so several threads may call connect() at
/// once.
class Connector {
 public:
    virtual ~Connector() = default;

    /// Connects, checks the host key and logs in. The session belongs to the executor of the
    /// calling coroutine. `endpoint` must live until the awaitable has completed. `patience` bounds
    /// the whole call. Throws UntrustedHost, or TransportError with a message that names the
    /// address and the cause.
    virtual boost::asio::awaitable<std::shared_ptr<Session>> connect(
        const Endpoint& endpoint, std::chrono::milliseconds patience) = 0;
};

}  // namespace provisioner::remote
