#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "provisioner/providers/local/host/system.hpp"

namespace tests {

/// A connection to the helper, driven by hand.
class Client {
 public:
    /// Connects. Throws Failure with the reason.
    explicit Client(const std::string& socket);

    /// Sends the bytes; false if the helper has hung up.
    bool send(std::string_view text) const;
    /// Everything until the helper hangs up; fails the test after 30 s.
    std::string rest() const;
    void hang_up() { fd_.close(); }

 private:
    provisioner::providers::local::Fd fd_;
};

/// What the helper answers to that request.
std::string ask(const std::string& socket, const std::string& request);

/// Runs the function as that user in that user's group, without any other group or capability, in a
/// child process; returns its text, or "error: " and the text of its exception.
std::string as_user(const char* user, const std::function<std::string()>& function);

}  // namespace tests
