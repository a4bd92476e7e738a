#pragma once

#include <set>
#include <string>

#include "provisioner/base/config.hpp"

namespace tests {

/// A database server for tests: a MariaDB of the test's own (a folder below the system's temporary
/// folder, a unix socket, no network), started by the constructor and ended by pid. Needs
/// mariadb-install-db and mariadbd on the PATH. Where COOPERAGE_TEST_DATABASE names a socket, it is
/// the server that listens there, MySQL or MariaDB, whose root needs no password; then the
/// databases the test made are dropped at its end.
class DatabaseServer {
 public:
    DatabaseServer();
    ~DatabaseServer();
    DatabaseServer(const DatabaseServer&) = delete;
    DatabaseServer& operator=(const DatabaseServer&) = delete;

    /// Settings that lead to a database of that name, which need not exist, and `more` lines.
    provisioner::base::Config config(const std::string& database = "cooperage",
                                     const std::string& more = "");

    /// Stops the server (SIGSTOP), as if its host hung. These four are for a server of the test's
    /// own only.
    void pause();
    /// Continues it (SIGCONT).
    void resume();

    /// Kills the server (SIGKILL).
    void kill();
    /// Starts it on the same data; returns when it answers.
    void start_again();

    /// A folder of the test's own.
    const std::string& folder() const { return folder_; }

 private:
    void install();
    void start();
    void wait_until_it_answers();
    std::string data() const { return folder_ + "/data"; }

    std::string folder_;
    std::string socket_;
    /// -1: somebody else's server.
    int pid_ = -1;
    std::set<std::string> databases_;
};

}  // namespace tests
