#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/providers/local/host/record.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

enum class LockKind { shared, exclusive };

/// A file lock (flock) held until the object goes, or the process. The file is made when it is
/// missing.
class FileLock {
 public:
    /// Waits for it. Throws Failure.
    FileLock(const std::filesystem::path& path, LockKind kind);

    /// Gets it at once or gives nothing.
    static std::optional<FileLock> try_exclusive(const std::filesystem::path& path);

    /// Removes the file while the lock is held: those who wait notice, and lock a new one.
    void remove();

 private:
    FileLock(std::filesystem::path path, Fd file)
        : path_(std::move(path)), file_(std::move(file)) {}

    std::filesystem::path path_;
    Fd file_;
};

/// Where the machines of one installation are kept:
///
///     lock                 shared by everybody at work, exclusive to remove the network
///     network              the number of the network, while one is claimed
///     locks/               one file for each machine or cluster somebody works on
///     machines/<name>/     machine.json, log, upper, work, root
///     addresses/<address>  symbolic link whose text is the machine's name
///     clusters/<cluster>/  hosts
///
/// Several processes may work in it at once. All of it can be removed when no machine runs.
class StateDir {
 public:
    /// `path` is made absolute; nothing is created yet. Throws Refusal("usage") for a path that
    /// cannot be put into a mount option.
    explicit StateDir(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path lock() const { return path_ / "lock"; }
    std::filesystem::path network() const { return path_ / "network"; }
    std::filesystem::path machines() const { return path_ / "machines"; }
    std::filesystem::path machine(const std::string& name) const { return machines() / name; }
    std::filesystem::path cluster(const std::string& name) const {
        return path_ / "clusters" / name;
    }
    std::filesystem::path lock_of(const std::string& what) const { return path_ / "locks" / what; }

    /// Makes the directories.
    void prepare() const;

    /// Names of all machines, half-made ones too, sorted.
    std::vector<std::string> names() const;

    std::optional<Record> load(const std::string& name) const;
    void save(const Record& record) const;

    /// Makes the machine's directory, unless `most` machines are there already: then throws
    /// Refusal("limit").
    void claim_directory(const std::string& name, long most) const;

    /// A free address of the network, now this machine's. Throws Failure when none is left.
    std::string claim_address(const std::string& name, int network) const;

    /// Gives back every address of the machine.
    void release_addresses(const std::string& name) const;

    /// Writes the machine's line into its cluster's hosts file.
    void enter_hosts(const Record& record) const;

    /// Takes it out; the last one takes the cluster's directory away.
    void leave_hosts(const Record& record) const;

    /// Removes what this class made, if there is no machine; the directory itself if nothing else
    /// is in it.
    void remove_if_unused() const;

 private:
    std::filesystem::path path_;
};

/// `path` absolute and without links; throws Refusal("usage") when it holds a character that an
/// overlay's mount options cannot carry (comma, colon, backslash, blank).
std::filesystem::path mountable(const std::filesystem::path& path);

}  // namespace provisioner::providers::local
