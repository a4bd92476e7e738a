#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "provisioner/remote/session.hpp"

namespace tests::support {

/// A real sshd of its own on 127.0.0.1, with its own host keys and one client key that may log in
/// as root. It lives in a temporary folder and ends with this object. Needs root and
/// openssh-server; the constructor throws std::runtime_error with sshd's own words when it does not
/// start.
class Sshd {
 public:
    Sshd();
    ~Sshd();
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;

    /// How to log in as root, with the ed25519 host key as the known one.
    provisioner::remote::Endpoint endpoint() const;

    /// The public host key of the type "ed25519" or "ecdsa", as in known_hosts without the name.
    std::string host_key(const std::string& type) const;

    /// The temporary folder, removed at the end.
    const std::string& folder() const { return folder_; }

    /// The process ids of the connections that are open now.
    std::vector<pid_t> connections() const;

    /// Kills every open connection with SIGKILL; what they started lives on.
    void cut_connections() const;

 private:
    std::string make_key(const std::string& name, const std::string& type) const;
    void write_configuration() const;
    void start();
    bool answers() const;

    std::string folder_;
    int port_ = 0;
    pid_t pid_ = 0;
    std::string private_key_;
};

/// The whole text of a file; empty when there is none.
std::string text_of_file(const std::string& path);

/// The parent of a process; 0 when it is gone.
pid_t parent_of(pid_t pid);

}  // namespace tests::support
