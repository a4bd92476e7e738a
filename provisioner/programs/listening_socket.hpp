#pragma once

#include <sys/types.h>

#include <map>
#include <string>

namespace provisioner::programs {

/// A listening unix socket that outlives the process which made it: after a reload the program
/// finds the descriptor in its environment, and connections that wait in its queue are not lost.
///
/// A new socket gets its path by a rename, so that the path always leads to a socket that listens.
class ListeningSocket {
 public:
    /// Takes the descriptor that the program before a reload left for `path`, or else listens anew.
    /// A file that is already there is replaced. `mode` are the permissions of a new socket; its
    /// group is that of the folder, if the folder has the set-group-ID bit. Throws
    /// std::runtime_error with the path when it cannot listen.
    ListeningSocket(const std::string& path, unsigned mode);
    /// Closes the descriptor and leaves the path alone.
    ~ListeningSocket();
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;

    /// The descriptor. It does not block, and programs that are executed inherit it.
    int descriptor() const { return socket_; }

    /// What the program needs in its environment to take the socket after a reload.
    std::map<std::string, std::string> for_successor() const;

    /// Removes the path if it still leads to this socket: nobody connects any more.
    void remove_path() const;

 private:
    std::string path_;
    int socket_ = -1;
    /// Which file the path led to when this socket got it; 0: unknown.
    ino_t file_ = 0;
};

}  // namespace provisioner::programs
