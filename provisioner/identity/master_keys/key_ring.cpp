#include "provisioner/identity/master_keys/key_ring.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>

#include "provisioner/identity/private_file.hpp"

namespace provisioner::identity {

namespace {

[[noreturn]] void fail_to_write(const std::string& path, int error = errno) {
    throw VaultError("cannot write " + path + ": " + std::strerror(error));
}

/// An open file; closed by the destructor.
class Descriptor {
 public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

 private:
    int number_;
};

/// Exclusive lock between processes, released by the destructor. Two processes that add a key at
/// once would otherwise choose the same number, and one key would be lost. A file of its own,
/// because replace_key_file() swaps the inode of the key file.
class FileLock {
 public:
    explicit FileLock(const std::string& path)
        : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        if (!file_.is_open() || ::flock(file_.number(), LOCK_EX) != 0) fail_to_write(path);
    }

 private:
    Descriptor file_;
};

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// Gives `file` the owner and the mode of the file at `path`, if there is one, or else those of the
/// file at `like`.
bool take_over_rights(int file, const std::string& path, const std::string& like) {
    struct stat old {};
    if (::stat(path.c_str(), &old) != 0) {
        if (errno != ENOENT) return false;
        if (like.empty() || ::stat(like.c_str(), &old) != 0) return true;
    }
    return ::fchown(file, old.st_uid, old.st_gid) == 0 && ::fchmod(file, old.st_mode & 07777) == 0;
}

/// A rename outlasts a crash only when its folder has been written.
bool sync_folder_of(const std::string& path) {
    const auto folder = std::filesystem::absolute(path).parent_path();
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened.is_open() && ::fsync(opened.number()) == 0;
}

/// The file that may be changed. Throws VaultError for sources of another kind.
std::filesystem::path own_file_of(const KeySource& source) {
    auto path = source.own_file();
    if (path.empty()) {
        throw VaultError(
            "the keys are not in a file of their own: change them where they come from");
    }
    return path;
}

/// Where all keys are while some are taken out: whoever is killed in between loses none.
std::string retired_file_of(const std::string& key_file) {
    return key_file + ".retired";
}

void forget_retired(const std::string& key_file) {
    const std::string kept = retired_file_of(key_file);
    if (::unlink(kept.c_str()) != 0 && errno != ENOENT) fail_to_write(kept);
    if (!sync_folder_of(key_file)) fail_to_write(key_file);
}

/// Puts keys back that an interrupted call has taken out. The caller holds the lock.
void put_retired_back(const std::string& key_file) {
    const std::string kept = retired_file_of(key_file);
    if (!std::filesystem::exists(kept)) return;
    const std::string text = std::filesystem::exists(key_file) ? private_file(key_file) : "";
    const Keys now = keys_in(text);
    std::string all = text;
    if (!all.empty() && !all.ends_with('\n')) all += '\n';
    std::istringstream lines(private_file(kept));
    for (std::string line; std::getline(lines, line);) {
        const Keys key = keys_in(line + "\n");
        if (!key.empty() && !now.contains(key.begin()->first)) all = line + "\n" + all;
    }
    if (all != text) replace_key_file(key_file, all);
    forget_retired(key_file);
}

/// The line of the key of that number, with its line end.
std::string line_of(const std::string& text, int number) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const Keys key = keys_in(line + "\n");
        if (key.contains(number)) return line + "\n";
    }
    throw VaultError("the newest key is gone");
}

}  // namespace

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw VaultError("cannot read " + path + ": " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

// fsync() comes before rename(): after a crash the name must not point to an empty file. A copy
// that a crash left is removed first, because others may have it open.
void replace_key_file(const std::string& path, const std::string& text, const RightsOfNew& rights) {
    const std::string fresh = path + ".new";
    ::unlink(fresh.c_str());
    const Descriptor file(
        ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights.mode));
    if (!file.is_open()) fail_to_write(fresh);
    const bool is_replaced =
        write_all(file.number(), text) && ::fchmod(file.number(), rights.mode) == 0 &&
        take_over_rights(file.number(), path, rights.like) && ::fsync(file.number()) == 0 &&
        ::rename(fresh.c_str(), path.c_str()) == 0;
    if (!is_replaced) {
        const int error = errno;
        ::unlink(fresh.c_str());
        fail_to_write(path, error);
    }
    if (!sync_folder_of(path)) fail_to_write(path);
}

KeyRing::KeyRing(std::filesystem::path file) : KeyRing(file_source(std::move(file))) {}

Keys KeyRing::keys(bool is_lacking) const {
    const std::lock_guard lock(mutex_);
    if (const auto text = source_->fresh(is_lacking)) keys_ = keys_in(*text);
    return keys_;
}

std::filesystem::path KeyRing::own_file() const {
    return source_->own_file();
}

bool KeyRing::is_there() const {
    return source_->is_there();
}

std::vector<int> KeyRing::numbers() const {
    std::vector<int> numbers;
    for (const auto& [number, key] : keys()) numbers.push_back(number);
    return numbers;
}

int KeyRing::add_key(const std::filesystem::path& like) {
    const std::filesystem::path key_file = own_file_of(*source_);
    const FileLock lock(key_file.string() + ".lock");
    put_retired_back(key_file);
    std::string text = std::filesystem::exists(key_file) ? private_file(key_file) : "";
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += new_key(keys_in(text));
    replace_key_file(key_file, text, {.like = like});
    return keys_in(text).rbegin()->first;
}

std::vector<int> KeyRing::retire_keys(const std::function<bool(int number)>& is_needed) {
    const std::filesystem::path key_file = own_file_of(*source_);
    const FileLock lock(key_file.string() + ".lock");
    put_retired_back(key_file);
    const std::string text = private_file(key_file);
    const Keys all = keys_in(text);
    std::vector<int> old;
    for (const auto& [number, key] : all) old.push_back(number);
    if (!old.empty()) old.pop_back();
    const auto any_needed = [&] { return std::any_of(old.begin(), old.end(), is_needed); };
    if (old.empty() || any_needed()) return {};
    replace_key_file(retired_file_of(key_file), text);
    replace_key_file(key_file, line_of(text, all.rbegin()->first));
    // Also when it cannot be asked.
    bool is_still_needed = true;
    std::exception_ptr failed;
    try {
        is_still_needed = any_needed();
    } catch (...) {
        failed = std::current_exception();
    }
    if (is_still_needed) put_retired_back(key_file);
    if (failed) std::rethrow_exception(failed);
    if (is_still_needed) return {};
    forget_retired(key_file);
    return old;
}

void KeyRing::put_back_retired_keys() {
    const std::filesystem::path key_file = source_->own_file();
    if (key_file.empty()) return;
    const FileLock lock(key_file.string() + ".lock");
    put_retired_back(key_file);
}

bool KeyRing::publish_public_half(const std::filesystem::path& file) const {
    const SealingKey half = public_half_of(keys());
    const FileLock lock(file.string() + ".lock");
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        const SealingKey there = public_half_in(text_of_file(file));
        if (there.name == half.name) return false;
        if (there.name.number > half.name.number) {
            throw VaultError(file.string() + " is of " + to_words(there.name) +
                             ", which is newer than the keys here: copy these from its host");
        }
    }
    replace_key_file(file, line_of_public_half(half), {.mode = 0644});
    return true;
}

}  // namespace provisioner::identity
