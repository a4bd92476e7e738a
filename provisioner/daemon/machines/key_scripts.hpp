#pragma once

#include <string>
#include <vector>

namespace provisioner::daemon {

// Scripts that change which keys let a user in, for remote::Run: they run as root on a node. Keys
// are public ones, "ssh-ed25519 AAAA..."; a comment behind does not count. Files are those that the
// node's sshd names (AuthorizedKeysFile). One script at a time changes them, under a lock of the
// node (flock), and a script with a lower fence than one before is refused: it comes from a daemon
// that was slow, or was thought dead. A file is replaced whole, by a new one in its folder with its
// owner and mode. All can be repeated. Pure.

/// Who logs in with which keys.
struct KeyChange {
    std::string user;
    /// The key that is to let in.
    std::string key;
    /// Those that are not to let in any more.
    std::vector<std::string> older;
    /// Of this try; later tries have higher ones.
    long long fence = 0;
    /// The words of sshd, which is asked for its settings.
    std::string sshd = "/usr/sbin/sshd";
    /// Folder of the node for the lock and the last fence.
    std::string state = "/var/lib/cooperage";
};

/// Adds the key to the file that has one of the older ones, else to the first that is there.
std::string add_key_script(const KeyChange& change);

/// Takes older keys out of all files of the user and of root. Refuses while no file of the user has
/// the key.
std::string remove_keys_script(const KeyChange& change);

}  // namespace provisioner::daemon
