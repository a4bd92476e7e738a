#pragma once

#include <string>
#include <vector>

namespace tests {

/// A test server written in Python. The script must print its port as its first line. It must end
/// when its standard input is closed: then it also ends if the test crashes. The destructor closes
/// the input, sends SIGTERM and waits. Used for servers that a Python library provides, and for
/// HTTP servers that misbehave on purpose.
class PythonServer {
 public:
    /// `command` is the path of the script, relative to the working directory of the tests, and its
    /// arguments. Blocks until the port is printed. Throws std::runtime_error if the script ends
    /// without one; then nothing of it is left.
    explicit PythonServer(const std::vector<std::string>& command);
    ~PythonServer();
    PythonServer(const PythonServer&) = delete;
    PythonServer& operator=(const PythonServer&) = delete;

    /// The port on the loopback address.
    int port() const { return port_; }

 private:
    /// Closes the input, ends the script and waits for it.
    void stop();

    int pid_ = -1;
    /// Write end of the script's standard input; nothing is written to it.
    int input_ = -1;
    int port_ = 0;
};

}  // namespace tests
