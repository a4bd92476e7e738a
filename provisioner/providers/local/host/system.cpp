#include "provisioner/providers/local/host/system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

extern char** environ;

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

/// Nothing if it cannot be read to its end.
std::optional<std::string> read_all(int fd) {
    std::string text;
    char buffer[16384];
    while (true) {
        const ssize_t count = read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return std::nullopt;
        if (count == 0) return text;
        text.append(buffer, static_cast<std::size_t>(count));
    }
}

void write_all(int fd, std::string_view text, const std::string& what) {
    while (!text.empty()) {
        const ssize_t count = write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot write " + what);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Runs the program and returns its wait status. Both of its outputs go to `out`.
int status_of(const std::vector<std::string>& command, int in, int out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, out, 2);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = 0;
    errno = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (errno != 0) fail("cannot run " + command[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) fail("cannot wait for " + command[0]);
    }
    return status;
}

/// Empties a directory that a host's root has filled. Takes two descriptors however deep it is: a
/// directory that is not empty is moved up to the top, so no path and no stack grows with the
/// depth. Each one is moved once. Symbolic links are removed and never followed.
class Flattening {
 public:
    Flattening(int top, std::string name) : top_(top), name_(std::move(name)) {}

    void run() {
        while (empty(top_, "")) {
        }
    }

 private:
    /// Removes what is in the directory or moves it to the top. True if there was anything.
    bool empty(int directory, const std::string& name) {
        const int copy = openat(directory, name.empty() ? "." : name.c_str(),
                                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (copy < 0) fail("cannot open a directory in " + name_);
        const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(copy), &closedir);
        bool was_filled = false;
        errno = 0;
        while (const dirent* entry = readdir(entries.get())) {
            const std::string_view found = entry->d_name;
            if (found == "." || found == "..") continue;
            was_filled = true;
            remove(dirfd(entries.get()), entry->d_name, name.empty());
            errno = 0;
        }
        if (errno != 0) fail("cannot read a directory in " + name_);
        return was_filled;
    }

    void remove(int directory, const char* entry, bool is_top) {
        if (unlinkat(directory, entry, 0) == 0) return;
        if (errno != EISDIR && errno != EPERM) fail("cannot remove a file in " + name_);
        if (unlinkat(directory, entry, AT_REMOVEDIR) == 0) return;
        if (errno != ENOTEMPTY && errno != EEXIST) fail("cannot remove a directory in " + name_);
        if (!is_top) return move_up(directory, entry);
        empty(directory, entry);
        if (unlinkat(directory, entry, AT_REMOVEDIR) != 0) {
            fail("cannot remove a directory in " + name_);
        }
    }

    void move_up(int directory, const char* entry) {
        while (true) {
            const std::string name = "moved-" + std::to_string(++moved_);
            if (renameat2(directory, entry, top_, name.c_str(), RENAME_NOREPLACE) == 0) return;
            if (errno != EEXIST) fail("cannot move a directory in " + name_);
        }
    }

    int top_;
    std::string name_;
    std::uint64_t moved_ = 0;
};

}  // namespace

void fail(const std::string& what) {
    throw Failure(what + ": " + std::strerror(errno));
}

Fd& Fd::operator=(Fd&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

void Fd::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

std::optional<std::string> read_file(const fs::path& path) {
    const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return std::nullopt;
    return read_all(file.get());
}

void replace_file(const fs::path& path, const std::string& text, mode_t mode) {
    const std::string draft = path.string() + ".new";
    // What a killed writer left, or somebody else: never written through.
    unlink(draft.c_str());
    {
        const Fd file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (file.get() < 0) fail("cannot write " + draft);
        fchmod(file.get(), mode);
        write_all(file.get(), text, draft);
    }
    if (rename(draft.c_str(), path.c_str()) != 0) fail("cannot replace " + path.string());
}

void write_into(const fs::path& path, const std::string& text) {
    const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) fail("cannot open " + path.string());
    if (write(file.get(), text.data(), text.size()) < 0) fail("cannot write " + path.string());
}

void remove_tree(const fs::path& path) {
    const Fd top(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (top.get() < 0 && (errno == ENOTDIR || errno == ELOOP)) {
        if (unlink(path.c_str()) != 0 && errno != ENOENT) fail("cannot remove " + path.string());
        return;
    }
    if (top.get() < 0 && errno == ENOENT) return;
    if (top.get() < 0) fail("cannot open " + path.string());
    Flattening flattening(top.get(), path.string());
    flattening.run();
    if (rmdir(path.c_str()) != 0 && errno != ENOENT) fail("cannot remove " + path.string());
}

void remove_if_empty(const fs::path& path) {
    rmdir(path.c_str());
}

std::string trimmed(std::string text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    text.erase(last == std::string::npos ? 0 : last + 1);
    return text;
}

std::string run_tool(const std::vector<std::string>& command, const std::string& input) {
    const Fd in(memfd_create("input", MFD_CLOEXEC));
    const Fd out(memfd_create("output", MFD_CLOEXEC));
    if (in.get() < 0 || out.get() < 0) fail("cannot make a memory file");
    write_all(in.get(), input, "a memory file");
    lseek(in.get(), 0, SEEK_SET);
    const int status = status_of(command, in.get(), out.get());
    lseek(out.get(), 0, SEEK_SET);
    const std::string printed = read_all(out.get()).value_or("");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return printed;
    constexpr std::size_t shown = 2000;
    const std::string last = printed.substr(printed.size() > shown ? printed.size() - shown : 0);
    throw Failure("`" + joined(command) + "` failed: " + trimmed(last));
}

}  // namespace provisioner::providers::local
