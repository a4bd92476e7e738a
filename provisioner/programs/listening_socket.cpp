#include "provisioner/programs/listening_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "provisioner/programs/inherited.hpp"

namespace provisioner::programs {

namespace {

constexpr auto socket_variable = "COOPERAGE_LISTENING";
/// The number of the file at the path, as the socket made it.
constexpr auto file_variable = "COOPERAGE_LISTENING_FILE";

// With a queue of 64, a burst of 512 clients got errors for most of them.
constexpr int backlog = 1024;

[[noreturn]] void fail(const std::string& path) {
    throw std::runtime_error("cannot listen on " + path + ": " + std::strerror(errno));
}

bool is_listening(int descriptor) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value == 1;
}

ino_t file_at(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

/// The socket that was left for this path; -1 for none, or if the path no longer leads to it.
int inherited_socket(const std::string& path) {
    const Inherited left = take_inherited(socket_variable);
    const char* const number = std::getenv(file_variable);
    const ino_t file = number ? std::strtoull(number, nullptr, 10) : 0;
    ::unsetenv(file_variable);
    if (left.descriptor < 0 || !is_listening(left.descriptor)) return -1;
    const bool leads_to_it = file != 0 && file_at(left.path) == file;
    if (left.path == path && leads_to_it) return left.descriptor;
    // The settings name another path now, or somebody has removed or replaced the file.
    if (leads_to_it) ::unlink(left.path.c_str());
    ::close(left.descriptor);
    return -1;
}

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        throw std::runtime_error("cannot listen on " + path + ": the path is too long");
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

int listen_on(const std::string& path, unsigned mode) {
    const std::string draft = path + ".new";
    const sockaddr_un address = address_of(draft);
    ::unlink(draft.c_str());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    // Nobody may connect between bind and the final permissions.
    const mode_t before = ::umask(0177);
    const bool is_bound = socket >= 0 && ::bind(socket, reinterpret_cast<const sockaddr*>(&address),
                                                sizeof address) == 0;
    ::umask(before);
    const bool listens = is_bound && ::listen(socket, backlog) == 0 &&
                         ::chmod(draft.c_str(), mode) == 0 &&
                         ::rename(draft.c_str(), path.c_str()) == 0;
    if (!listens) fail(path);
    return socket;
}

}  // namespace

ListeningSocket::ListeningSocket(const std::string& path, unsigned mode)
    : path_(path), socket_(inherited_socket(path)) {
    if (socket_ < 0) socket_ = listen_on(path, mode);
    file_ = file_at(path);
}

ListeningSocket::~ListeningSocket() {
    ::close(socket_);
}

std::map<std::string, std::string> ListeningSocket::for_successor() const {
    auto environment = to_inherit(socket_variable, {.descriptor = socket_, .path = path_});
    environment.emplace(file_variable, std::to_string(file_));
    return environment;
}

void ListeningSocket::remove_path() const {
    if (file_ != 0 && file_at(path_) == file_) ::unlink(path_.c_str());
}

}  // namespace provisioner::programs
