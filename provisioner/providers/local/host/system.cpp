#include "provisioner/providers/local/host/system.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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
    std::error_code error;
    fs::remove_all(path, error);
    if (error) throw Failure("cannot remove " + path.string() + ": " + error.message());
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
