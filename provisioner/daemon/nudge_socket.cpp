#include "provisioner/daemon/nudge_socket.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace provisioner::daemon {

namespace {

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        throw std::runtime_error("the nudge socket's path is too long: " + path);
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

/// Gives the file its mode in the moment it is made. A chmod() by path would come late, and could
/// be led elsewhere.
bool bind_for_group(int socket, const sockaddr_un& address) {
    constexpr mode_t all_but_0660 = 0117;
    const mode_t before = ::umask(all_but_0660);
    const bool is_bound =
        ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int error = errno;
    ::umask(before);
    errno = error;
    return is_bound;
}

}  // namespace

// The old socket file is removed without a check that it is unused: the instance lock proves it.
NudgeSocket::NudgeSocket(std::string path) : path_(std::move(path)) {
    const sockaddr_un address = address_of(path_);
    ::unlink(path_.c_str());
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bell_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (socket_ < 0 || bell_ < 0 || !bind_for_group(socket_, address)) {
        throw std::runtime_error("cannot bind the nudge socket " + path_ + ": " +
                                 std::strerror(errno));
    }
}

NudgeSocket::~NudgeSocket() {
    ::unlink(path_.c_str());
    ::close(socket_);
    ::close(bell_);
}

// Both sources are emptied, because one look at the queue answers all nudges. One that arrives
// after that ends the next wait() at once, so a nudge between a claim and this call is not lost.
void NudgeSocket::wait(std::chrono::milliseconds patience) {
    std::array<pollfd, 2> watched{pollfd{.fd = socket_, .events = POLLIN, .revents = 0},
                                  pollfd{.fd = bell_, .events = POLLIN, .revents = 0}};
    if (::poll(watched.data(), watched.size(), static_cast<int>(patience.count())) <= 0) return;
    std::array<char, 64> ignored{};
    while (::recv(socket_, ignored.data(), ignored.size(), 0) > 0) continue;
    eventfd_t rings = 0;
    ::eventfd_read(bell_, &rings);
}

void NudgeSocket::ring() {
    ::eventfd_write(bell_, 1);
}

}  // namespace provisioner::daemon
