#pragma once

#include <string>
#include <vector>

namespace tests {

/// A server that is a Python script: it prints its port first and ends when its standard input
/// does. Ended by the destructor.
class PythonServer {
 public:
    /// `command` is the script and its arguments. Throws std::runtime_error when it does not start.
    explicit PythonServer(const std::vector<std::string>& command);
    ~PythonServer();
    PythonServer(const PythonServer&) = delete;
    PythonServer& operator=(const PythonServer&) = delete;

    int port() const { return port_; }

 private:
    int pid_ = -1;
    int input_ = -1;
    int port_ = 0;
};

}  // namespace tests
