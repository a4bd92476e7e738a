#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"

namespace tests {

/// A database server for integration tests. One per suite is enough: each case uses a database of
/// its own. A case that stops or kills the server needs a server of its own.
///
/// The constructor creates a private MariaDB in a temporary folder: a unix socket, no network, no
/// shared state. It needs mariadb-install-db, mariadbd and eatmydata on the PATH, and takes
/// seconds. The destructor kills that process and removes the folder.
///
/// If COOPERAGE_TEST_DATABASE names a socket, the tests use the server that listens there instead,
/// MySQL or MariaDB. Its root must need no password. The destructor then drops the databases that
/// config() named.
class DatabaseServer {
 public:
    /// Returns when the server answers. Throws std::runtime_error if it does not within 30 seconds,
    /// or cannot be installed.
    /// `options` of mariadbd come after its own, for a private server only.
    explicit DatabaseServer(std::vector<std::string> options = {});
    ~DatabaseServer();
    DatabaseServer(const DatabaseServer&) = delete;
    DatabaseServer& operator=(const DatabaseServer&) = delete;

    /// Settings for a database of that name on this server, with `more` lines added. It does not
    /// create the database. On a foreign server the name is "test_<process id>_<database>": two
    /// test runs then do not collide. Keys of secrets are in files of folder().
    provisioner::base::Config config(const std::string& database = "cooperage",
                                     const std::string& more = "");

    /// Stops the server with SIGSTOP, as if its host hung. This call and the next two throw
    /// std::logic_error unless a private server is running.
    void pause();
    /// Continues it (SIGCONT).
    void resume();

    /// Kills the server with SIGKILL and waits for its end.
    void kill();
    /// Starts a private server that was killed, on the same data. Returns when it answers.
    void start_again();

    /// The temporary folder; tests may put files there. Removed by the destructor.
    const std::string& folder() const { return folder_; }

 private:
    /// Creates the data folder with mariadb-install-db. Throws std::runtime_error that names the
    /// log if it fails.
    void install();
    /// Starts the server and returns at once. Throws std::runtime_error if no process can be made.
    void start();
    /// Sends a signal to the private server. Throws std::logic_error if none is running.
    void signal(int number);
    /// Waits until the socket accepts a connection, at most 30 seconds.
    void wait_until_it_answers();
    std::string data() const { return folder_ + "/data"; }

    std::vector<std::string> options_;
    /// Below the system's temporary folder. The path is short, because the socket's path must fit
    /// in 107 bytes.
    std::string folder_;
    /// Path of the private server's socket, or of the foreign one's.
    std::string socket_;
    /// False for a foreign server.
    bool is_private_ = true;
    /// Process id of the private server; -1 if it does not run, and for a foreign server.
    int pid_ = -1;
    /// Names that config() gave out, to be dropped on a foreign server.
    std::set<std::string> databases_;
};

}  // namespace tests
