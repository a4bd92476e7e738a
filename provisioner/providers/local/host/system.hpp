#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace provisioner::providers::local {

/// The machine did not do what it was asked; the text is a sentence that names the cause.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What was asked will not be done, and nothing was made. `kind` is "limit", "root" or "usage".
struct Refusal : std::runtime_error {
    Refusal(std::string the_kind, const std::string& message)
        : std::runtime_error(message), kind(std::move(the_kind)) {}
    std::string kind;
};

/// Failure of the last system call: `what`, then errno in words.
[[noreturn]] void fail(const std::string& what);

/// Closes its descriptor when it goes; -1 is none.
class Fd {
 public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { close(); }

    int get() const { return fd_; }
    void close();

 private:
    int fd_;
};

/// The whole file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Puts `text` in place of the file in one step: readers see the old or the new text. Throws
/// Failure.
void replace_file(const std::filesystem::path& path, const std::string& text, mode_t mode = 0644);

/// Writes into a file that exists, in one write (files of the kernel). Throws Failure.
void write_into(const std::filesystem::path& path, const std::string& text);

/// Removes the directory and all in it; one that is missing is fine. Throws Failure.
void remove_tree(const std::filesystem::path& path);

/// Removes the directory if it is there and empty.
void remove_if_empty(const std::filesystem::path& path);

/// `text` without white space at its end.
std::string trimmed(std::string text);

/// Runs a program found in PATH with `input` and waits for it. Gives what it printed; throws
/// Failure with the last of it when it did not exit with 0.
std::string run_tool(const std::vector<std::string>& command, const std::string& input = "");

/// The same with what it prints going where ours goes.
void run_tool_loudly(const std::vector<std::string>& command);

}  // namespace provisioner::providers::local
