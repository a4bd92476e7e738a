#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/providers/local/host/record.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// Whether others may hold the lock at the same time.
enum class LockKind { shared, exclusive };

/// A file lock (flock) that is held until the object or the process ends. The file is created if
/// missing; its directory must exist.
///
/// Child processes inherit the lock on purpose. If this program is killed, the lock holds until the
/// last tool that it started has ended. So the next start never runs beside such a tool.
class FileLock {
 public:
    /// Waits for the lock without a limit. Throws Failure.
    FileLock(const std::filesystem::path& path, LockKind kind);

    /// The exclusive lock if nobody holds one, else nothing. Does not wait.
    static std::optional<FileLock> try_exclusive(const std::filesystem::path& path);

    /// Removes the file while the exclusive lock is held. Processes that wait for it notice, and
    /// lock a new file.
    void remove();

 private:
    FileLock(std::filesystem::path path, Fd file)
        : path_(std::move(path)), file_(std::move(file)) {}

    std::filesystem::path path_;
    Fd file_;
};

/// The directory where the machines of one installation are kept:
///
///     lock                 shared for every start and stop, exclusive to remove the network
///     network              the number of the network, while one is claimed
///     cluster-networks     which cluster has which bridge, and what it lets in
///     locks/               a lock for each machine and cluster at work, `count`, `network`,
///     `tenants` machines/<name>/     machine.json, log, upper, work, root addresses/<address>
///     symbolic link whose text is the machine's name hosts/<cluster>      the text of the
///     cluster's hosts file
///
/// A host can change only what lies in its machine's `upper`: its own root is a layer of it. So
/// nobody writes below `upper` while the host runs (clusters/cluster_hosts.hpp).
///
/// Several processes may work in it at once. They take locks in this order: `lock`, the machine's
/// lock, then one of `count`, `network`, `tenants`, a cluster's lock and the locks of networks and
/// ids. All of it can be removed when no machine runs.
class StateDir {
 public:
    /// `path` is made absolute; nothing is created yet. Throws Refusal("usage") for a path that a
    /// mount option cannot carry.
    explicit StateDir(const std::filesystem::path& path);

    /// Absolute, without symbolic links.
    const std::filesystem::path& path() const { return path_; }
    /// The lock that every start and stop holds as shared.
    std::filesystem::path lock() const { return path_ / "lock"; }
    /// The file with the number of the claimed network.
    std::filesystem::path network() const { return path_ / "network"; }
    /// The file that says where each cluster is in the network (network/bridges.hpp).
    std::filesystem::path cluster_networks() const { return path_ / "cluster-networks"; }
    /// The directory of all machines.
    std::filesystem::path machines() const { return path_ / "machines"; }
    /// The machine's own directory; `name` must be a plain file name (name_trouble()).
    std::filesystem::path machine(const std::string& name) const { return machines() / name; }
    /// The file with the text that is /etc/hosts in all hosts of the cluster.
    std::filesystem::path hosts_of(const std::string& cluster) const {
        return path_ / "hosts" / cluster;
    }
    /// Path of the lock named `what`: "machine-<name>", "cluster-<name>", "count",
    /// "network" or "tenants".
    std::filesystem::path lock_of(const std::string& what) const { return path_ / "locks" / what; }

    /// Creates the directories; harmless if they exist.
    void prepare() const;

    /// Names of all machines, half-made ones included, sorted.
    std::vector<std::string> names() const;

    /// The machine's record; nothing if it has none, or one that cannot be read.
    std::optional<Record> load(const std::string& name) const;
    /// Replaces the machine's record in one step. The caller holds the machine's lock. Throws
    /// Failure.
    void save(const Record& record) const;

    /// Creates the machine's directory. Throws Refusal("limit") if `most` machines exist already.
    /// Counting and creating happen under one lock, so parallel starts cannot exceed the limit.
    void claim_directory(const std::string& name, long most) const;

    /// A free address of the network, which belongs to the machine from then on. Two that claim the
    /// same address cannot both succeed: creating the link is atomic. Throws Failure if none is
    /// left.
    std::string claim_address(const std::string& name, int network) const;

    /// Returns every address of the machine. Linear in the number of addresses in use.
    void release_addresses(const std::string& name) const;

    /// Removes everything that this class created if there is no machine, and the directory itself
    /// if it is then empty. The caller holds `lock` exclusively.
    void remove_if_unused() const;

 private:
    std::filesystem::path path_;
};

/// `path` absolute and without symbolic links. Throws Refusal("usage") if it holds a character that
/// an overlay's mount options cannot carry: comma, colon, backslash or white space.
std::filesystem::path mountable(const std::filesystem::path& path);

}  // namespace provisioner::providers::local
