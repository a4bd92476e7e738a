#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/simulation/ledger.hpp"

namespace provisioner::simulation {

/// Reads and appends to one machine's ledger. Several objects, in several processes, may use the
/// same file at once.
///
/// Each record is one write with O_APPEND, so records never interleave. A writer then reads the
/// file up to the end of its own record. Records before it came first, for every reader. That
/// agreement replaces the locks of a real node (remote/README.md).
///
/// Blocks for a few system calls and holds no descriptor between calls. Not for use by several
/// threads. Throws std::system_error when the disk fails, and as Ledger::read() for a damaged file.
class LedgerFile {
 public:
    /// Does not touch the file.
    explicit LedgerFile(std::string path) : path_(std::move(path)) {}

    /// Reads the records appended since the last call. False when the file does not exist, or no
    /// longer does; the ledger then stays as it was.
    bool refresh();

    /// Appends the record, and creates the file if it is missing. The directory must exist.
    void begin_with(const base::Json& record);

    /// Appends the record to an existing file; false when there is none.
    bool append(const base::Json& record);

    /// The state after the last of these calls. After an append: with all records up to its own,
    /// and none after it.
    const Ledger& ledger() const { return ledger_; }

 private:
    bool write(const base::Json& record, int flags);
    void take_in_up_to(int file, long long end);

    std::string path_;
    /// Inode and time of birth of the file that was read; another file has other ones.
    std::array<std::int64_t, 3> identity_{};
    long long known_ = 0;
    Ledger ledger_;
};

/// The folder with the ledgers of all simulated machines of an installation. Living machines are in
/// machines/<name>, kept ledgers of deleted ones in gone/<moment>-<name>. Any thread may call it,
/// and several daemons may share the folder. All calls block on the file system.
class LedgerFolder {
 public:
    /// Does not touch the disk; folders are created when something is first written.
    explicit LedgerFolder(std::string path) : path_(std::move(path)) {}

    /// Whether the folder exists.
    bool is_there() const;

    /// The ledger of that machine, whether it exists or not. Does not touch the disk. Throws
    /// std::invalid_argument for a name that is no plain file name.
    LedgerFile open(const std::string& machine) const;

    /// Like open(), but creates the folder first. For creating a machine.
    LedgerFile open_to_make(const std::string& machine) const;

    /// Names of the machines that were made and not removed, in no particular order. Reads every
    /// ledger in full.
    std::vector<std::string> machines() const;

    /// Whether a ledger of that machine exists; true too if every creation was refused so far.
    bool has(const std::string& machine) const;

    /// Removes the ledger; does nothing when there is none. With `keep` it is moved to gone/ and
    /// closed by a "gone" record. The newest 10,000 are kept there, and up to 255 more between two
    /// clean-ups.
    void remove(const std::string& machine, bool keep, base::Timestamp now);

 private:
    std::string path_of(const std::string& machine) const;
    void keep(const std::string& machine, base::Timestamp now);
    void forget_the_oldest() const;

    std::string path_;
    std::atomic<int> put_away_{0};
};

}  // namespace provisioner::simulation
