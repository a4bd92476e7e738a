#include "provisioner/operations/daemons/nudge.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

namespace provisioner::operations {

void Nudge::send() const noexcept {
    sockaddr_un address{};
    if (path_.empty() || path_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return;
    ::sendto(socket, "!", 1, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
             sizeof address);
    ::close(socket);
}

}  // namespace provisioner::operations
