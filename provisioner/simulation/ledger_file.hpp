#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "provisioner/simulation/ledger.hpp"

namespace provisioner::simulation {

/// One reader and writer of a machine's ledger. Several, in several processes, may work on the same
/// file: every record is one write at its end. Costs a few system calls and holds no descriptor
/// between calls. Throws std::system_error when the disk fails.
class LedgerFile {
 public:
    explicit LedgerFile(std::string path) : path_(std::move(path)) {}

    /// Takes in what was appended since; false when there is no such file (any more).
    bool refresh();

    /// Appends the record, making the file when it is not there.
    void begin_with(const base::Json& record);

    /// Appends the record to a file that is there; false when it is not.
    bool append(const base::Json& record);

    /// What is known after the last of these calls: all records up to the own one that was
    /// appended, and none after it. So two writers see the same order.
    const Ledger& ledger() const { return ledger_; }

 private:
    bool write(const base::Json& record, int flags);
    void take_in_up_to(int file, long long end);

    std::string path_;
    long long known_ = 0;
    Ledger ledger_;
};

/// The folder of the ledgers of an installation's simulated machines: machines/<name>, and
/// gone/<moment>-<name> for those that are to be kept.
class LedgerFolder {
 public:
    /// Makes the folder when something is first written.
    explicit LedgerFolder(std::string path) : path_(std::move(path)) {}

    /// The ledger of that machine, whether it exists or not. Throws std::invalid_argument for a
    /// name that is no file name.
    LedgerFile open(const std::string& machine) const;

    /// Like open(), for a machine that may be about to be made.
    LedgerFile open_to_make(const std::string& machine) const;

    /// The machines that were made and are not gone. Reads every ledger.
    std::vector<std::string> machines() const;

    /// Whether there is a ledger of that machine.
    bool has(const std::string& machine) const;

    /// Takes the ledger away, or puts it to the newest ten thousand of those that are gone.
    /// Harmless when there is none.
    void remove(const std::string& machine, bool keep, base::Timestamp now);

 private:
    std::string path_of(const std::string& machine) const;
    void keep(const std::string& machine, base::Timestamp now);
    void forget_the_oldest() const;

    std::string path_;
    std::atomic<int> put_away_{0};
};

}  // namespace provisioner::simulation
