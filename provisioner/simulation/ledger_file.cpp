#include "provisioner/simulation/ledger_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "provisioner/base/ids.hpp"

namespace provisioner::simulation {

namespace {

namespace fs = std::filesystem;

constexpr auto of_a_file_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
constexpr std::size_t most_kept = 10'000;
/// Listing the folder at each removal would read a million names for a thousand removals.
constexpr int removals_between_looks = 256;

[[noreturn]] void disk_failed(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

struct statx facts_of(int file, const std::string& path) {
    struct statx facts {};
    constexpr unsigned wanted = STATX_SIZE | STATX_INO | STATX_BTIME;
    if (::statx(file, "", AT_EMPTY_PATH, wanted, &facts) != 0)
        disk_failed("cannot look at " + path);
    return facts;
}

bool is_name(const std::string& machine) {
    return !machine.empty() && machine.front() != '.' &&
           machine.find_first_not_of(of_a_file_name) == std::string::npos;
}

/// A file that is closed at the end of its scope; descriptor -1 when the file does not exist.
class OpenFile {
 public:
    OpenFile(const std::string& path, int flags)
        : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
        if (descriptor_ < 0 && errno != ENOENT) disk_failed("cannot open " + path);
    }
    ~OpenFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int descriptor() const { return descriptor_; }
    bool there() const { return descriptor_ >= 0; }

 private:
    int descriptor_;
};

/// Cuts off the part of a record that was written last, unless another record follows it.
void take_back(int file, long long written) {
    const auto end = ::lseek(file, 0, SEEK_CUR);
    struct stat facts {};
    const bool is_last = ::fstat(file, &facts) == 0 && facts.st_size == end;
    // When this fails, the half line is an error for all readers, as any damage is.
    if (is_last && ::ftruncate(file, end - written) != 0) return;
}

}  // namespace

bool LedgerFile::refresh() {
    const OpenFile file(path_, O_RDONLY);
    if (!file.there()) return false;
    const auto size = facts_of(file.descriptor(), path_).stx_size;
    take_in_up_to(file.descriptor(), static_cast<long long>(size));
    return true;
}

void LedgerFile::begin_with(const base::Json& record) {
    if (!write(record, O_CREAT)) disk_failed("cannot make " + path_);
}

bool LedgerFile::append(const base::Json& record) {
    return write(record, 0);
}

bool LedgerFile::write(const base::Json& record, int flags) {
    const OpenFile file(path_, O_RDWR | O_APPEND | flags);
    if (!file.there()) return false;
    const std::string line = base::to_text(record) + "\n";
    const auto written = ::write(file.descriptor(), line.data(), line.size());
    if (written < 0) disk_failed("cannot write to " + path_);
    if (written != static_cast<ssize_t>(line.size())) {
        take_back(file.descriptor(), written);
        errno = ENOSPC;
        disk_failed("cannot write to " + path_);
    }
    // With O_APPEND the kernel leaves the position at the end of what this call wrote.
    take_in_up_to(file.descriptor(), ::lseek(file.descriptor(), 0, SEEK_CUR));
    return true;
}

void LedgerFile::take_in_up_to(int file, long long end) {
    // Another file: the machine was removed and made again under its name. Not every file system
    // has times of birth, and inodes are used again, so a shorter file counts as another one too.
    const struct statx facts = facts_of(file, path_);
    const std::array<std::int64_t, 3> identity{static_cast<std::int64_t>(facts.stx_ino),
                                               facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec};
    if (identity != identity_ || end < known_) {
        identity_ = identity;
        known_ = 0;
        ledger_ = {};
    }
    std::string text(static_cast<std::size_t>(end - known_), '\0');
    const auto got = ::pread(file, text.data(), text.size(), known_);
    if (got != static_cast<ssize_t>(text.size())) disk_failed("cannot read " + path_);
    known_ = end;
    ledger_.read(text);
}

bool LedgerFolder::is_there() const {
    std::error_code ignored;
    return fs::is_directory(path_, ignored);
}

LedgerFile LedgerFolder::open(const std::string& machine) const {
    return LedgerFile(path_of(machine));
}

LedgerFile LedgerFolder::open_to_make(const std::string& machine) const {
    fs::create_directories(path_ + "/machines");
    return open(machine);
}

std::vector<std::string> LedgerFolder::machines() const {
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(path_ + "/machines", missing)) {
        const std::string name = entry.path().filename();
        if (!is_name(name)) continue;
        LedgerFile ledger = open(name);
        if (ledger.refresh() && ledger.ledger().machine() != nullptr) names.push_back(name);
    }
    return names;
}

bool LedgerFolder::has(const std::string& machine) const {
    return ::access(path_of(machine).c_str(), F_OK) == 0;
}

void LedgerFolder::remove(const std::string& machine, bool keep_it, base::Timestamp now) {
    if (!has(machine)) return;
    if (keep_it) return keep(machine, now);
    fs::remove(path_of(machine));
}

std::string LedgerFolder::path_of(const std::string& machine) const {
    if (!is_name(machine))
        throw std::invalid_argument("\"" + machine + "\" cannot name a simulated machine");
    return path_ + "/machines/" + machine;
}

// Two daemons may remove the same machine at once. One rename succeeds; the other finds no file,
// which is no failure.
void LedgerFolder::keep(const std::string& machine, base::Timestamp now) {
    fs::create_directories(path_ + "/gone");
    open(machine).append(gone_record(now));
    const std::string moment = base::padded(now.time_since_epoch().count(), 20);
    std::error_code another_was_faster;
    fs::rename(path_of(machine), path_ + "/gone/" + moment + "-" + machine, another_was_faster);
    if (put_away_++ % removals_between_looks == 0) forget_the_oldest();
}

void LedgerFolder::forget_the_oldest() const {
    std::vector<fs::path> kept;
    for (const auto& entry : fs::directory_iterator(path_ + "/gone")) kept.push_back(entry.path());
    if (kept.size() <= most_kept) return;
    std::sort(kept.begin(), kept.end());
    kept.resize(kept.size() - most_kept);
    for (const fs::path& oldest : kept) {
        std::error_code another_was_faster;
        fs::remove(oldest, another_was_faster);
    }
}

}  // namespace provisioner::simulation
