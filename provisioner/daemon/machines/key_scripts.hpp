#pragma once

#include <string>
#include <vector>

namespace provisioner::daemon {

// Scripts that change which keys let a user in, for remote::Run: they run as root on a node. Keys
// are public ones, "ssh-ed25519 AAAA...". Files are those that the node's sshd names
// (AuthorizedKeysFile), and are replaced whole. All can be repeated. Pure.

/// Who logs in with which keys.
struct KeyChange {
    std::string user;
    /// The key that is to let in.
    std::string key;
    /// Those that are not to let in any more.
    std::vector<std::string> older;
    /// The words of sshd, which is asked for its settings.
    std::string sshd = "/usr/sbin/sshd";
};

/// Adds the key to the file that has one of the older ones, else to the first that is there.
std::string add_key_script(const KeyChange& change);

/// Takes older keys out of all files of the user and of root. Refuses while no file of the user has
/// the key.
std::string remove_keys_script(const KeyChange& change);

}  // namespace provisioner::daemon
