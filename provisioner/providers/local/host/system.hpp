#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace provisioner::providers::local {

/// The machine did not do what it was asked. The text is a sentence that names the cause. Something
/// may have been made; exit code 1 of the program.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The request will not be carried out, and nothing was made; exit code 3 of the program.
struct Refusal : std::runtime_error {
    Refusal(std::string the_kind, const std::string& message)
        : std::runtime_error(message), kind(std::move(the_kind)) {}
    /// "limit", "root", "tenant" or "usage"; the member "error" of the answer.
    std::string kind;
};

/// Throws Failure for the last system call: `what`, then errno in words.
[[noreturn]] void fail(const std::string& what);

/// Owns a file descriptor and closes it; -1 means none.
class Fd {
 public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { close(); }

    /// The descriptor, still owned; -1 for none.
    int get() const { return fd_; }
    /// Closes it now; harmless if it is closed.
    void close();

 private:
    int fd_;
};

/// The whole file; nothing if it cannot be opened or not be read to its end.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Replaces the file in one step: readers see the old or the new text. The new file has exactly
/// that mode, whatever the umask is. Not synced to disk. The draft has a fixed name (<path>.new),
/// so writers of one file must hold a lock. Neither name is followed if it is a link; folders are.
/// Throws Failure.
void replace_file(const std::filesystem::path& path, const std::string& text, mode_t mode = 0644);

/// Writes into an existing file with a single write(2), as files of the kernel require. Throws
/// Failure.
void write_into(const std::filesystem::path& path, const std::string& text);

/// Removes the directory with all its content; a missing one is fine. Takes a few descriptors
/// however deep it is: a host's root may have filled it. Throws Failure.
void remove_tree(const std::filesystem::path& path);

/// Removes the directory if it exists and is empty. Other failures are ignored.
void remove_if_empty(const std::filesystem::path& path);

/// `text` without white space at its end.
std::string trimmed(std::string text);

/// Runs a program found in PATH, with `input` as its standard input, and waits for it without a
/// limit. Returns what it printed on both outputs. Throws Failure with the last 2000 bytes of that
/// if its exit code was not 0. The program inherits descriptors without O_CLOEXEC, which locks are.
std::string run_tool(const std::vector<std::string>& command, const std::string& input = "");

}  // namespace provisioner::providers::local
