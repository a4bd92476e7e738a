#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "provisioner/remote/session.hpp"

namespace tests::support {

/// A real sshd for tests on 127.0.0.1. It has its own host keys and one client key that may log in
/// as root. It lives in a temporary folder and ends with this object, or with the test process.
/// Needs root and openssh-server.
///
/// Its configuration allows 200 connections that are not logged in yet, so that tests of many
/// sessions are not turned away. Passwords are refused.
class Sshd {
 public:
    /// Creates the keys and starts sshd on a free port; tries three ports. Throws
    /// std::runtime_error with sshd's log if none works.
    Sshd();
    ~Sshd();
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;

    /// Ends sshd and starts it again with more lines of configuration, at another port. Throws as
    /// the constructor.
    void restart(const std::string& more);

    /// Address, port and client key for a login as root. The known host key is the ed25519 one.
    provisioner::remote::Endpoint endpoint() const;

    /// The public host key of type "ed25519" or "ecdsa", in the form of known_hosts without the
    /// host name.
    std::string host_key(const std::string& type) const;

    /// The temporary folder. Removed by the destructor.
    const std::string& folder() const { return folder_; }

    /// Process ids of the open connections, read from /proc: the child processes of sshd. Not
    /// sorted; one process per connection. A connection that ends meanwhile may still be listed.
    std::vector<pid_t> connections() const;

    /// Kills every open connection with SIGKILL. Processes started through them keep running.
    void cut_connections() const;

 private:
    /// Creates a key pair in the folder and returns the private key. Throws std::runtime_error with
    /// the output of ssh-keygen.
    std::string make_key(const std::string& name, const std::string& type) const;
    void write_configuration() const;
    /// One attempt to start; sets pid_ on success.
    void start();
    /// Whether a connection to the port succeeds.
    bool answers() const;

    /// Ends sshd.
    void stop();

    std::string folder_;
    /// Lines of configuration beside our own.
    std::string more_;
    int port_ = 0;
    /// 0 until sshd answers.
    pid_t pid_ = 0;
    std::string private_key_;
};

/// The whole text of a file; empty if the file does not exist.
std::string text_of_file(const std::string& path);

/// The parent of a process; 0 if the process does not exist.
pid_t parent_of(pid_t pid);

}  // namespace tests::support
