#include "tests/integration/provisioner/providers/local/helper/clients.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstring>

namespace tests {

using provisioner::providers::local::fail;
using provisioner::providers::local::Fd;

Client::Client(const std::string& socket) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
    const auto* const door = reinterpret_cast<const sockaddr*>(&address);
    if (connect(fd_.get(), door, sizeof address) != 0) fail("cannot connect");
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

bool Client::send(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t count = ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (count < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

std::string Client::rest() const {
    std::string text;
    char buffer[4096];
    while (true) {
        const ssize_t count = recv(fd_.get(), buffer, sizeof buffer, 0);
        if (count < 0 && errno == EAGAIN) BOOST_FAIL("the helper neither answers nor hangs up");
        if (count <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(count));
    }
}

std::string ask(const std::string& socket, const std::string& request) {
    const Client client(socket);
    client.send(request);
    return client.rest();
}

std::string as_user(const char* user, const std::function<std::string()>& function) {
    const passwd* const found = getpwnam(user);
    BOOST_REQUIRE_MESSAGE(found != nullptr, "there is no user " << user);
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        std::string text = "error: cannot become that user";
        const bool changed =
            setgroups(0, nullptr) == 0 && setgid(found->pw_gid) == 0 && setuid(found->pw_uid) == 0;
        try {
            if (changed) text = function();
        } catch (const std::exception& error) {
            text = std::string("error: ") + error.what();
        }
        const bool written = write(ends[1], text.data(), text.size()) >= 0;
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    const Fd out(ends[0]);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(out.get(), buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    waitpid(child, nullptr, 0);
    return text;
}

}  // namespace tests
