#include "tests/support/python_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "provisioner/base/ids.hpp"

namespace tests {

namespace {

std::int64_t port_from(int output) {
    std::string text;
    char c = 0;
    while (::read(output, &c, 1) == 1 && c != '\n') text += c;
    return provisioner::base::parse_number(text).value_or(0);
}

}  // namespace

PythonServer::PythonServer(const std::vector<std::string>& command) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    // O_CLOEXEC keeps other child processes from inheriting the write end. With a copy of it open
    // elsewhere, the script would never see the end of its input.
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    std::string interpreter = "python3";
    std::vector<char*> words{interpreter.data()};
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::setpgid(0, 0);
        ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::execvp(words[0], words.data());
        ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    if (pid_ > 0) port_ = static_cast<int>(port_from(out[0]));
    ::close(out[0]);
    if (port_ != 0) return;
    stop();
    throw std::runtime_error(command.front() + " does not start");
}

PythonServer::~PythonServer() {
    stop();
}

void PythonServer::stop() {
    ::close(input_);
    // kill(2) takes -1 for every process there is.
    if (pid_ <= 0) return;
    // Its group, because it may have run another program. An interpreter that hangs while it ends
    // must not hang the test.
    ::kill(-pid_, SIGTERM);
    for (int turn = 0; turn < 100; ++turn) {
        if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
            ::kill(-pid_, SIGKILL);
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

}  // namespace tests
