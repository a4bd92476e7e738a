#include "provisioner/identity/master_keys/key_source.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <sstream>
#include <tuple>

#include "provisioner/identity/private_file.hpp"
#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds command_limit{30};
/// A command is run at most that often because a key is lacking.
constexpr std::chrono::seconds least_pause{5};
constexpr std::size_t longest_message = 128 * 1024;

/// What the reader's answers begin with.
constexpr char says_keys = 'k';
constexpr char says_error = 'e';

/// The socket to the process that runs the command; -1 where this process does it itself.
struct ReaderLink {
    std::mutex mutex;
    int socket = -1;
};

ReaderLink& reader_link() {
    static ReaderLink only;
    return only;
}

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream text(command);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

class FileSource final : public KeySource {
 public:
    FileSource(std::filesystem::path path, bool is_own) : path_(std::move(path)), is_own_(is_own) {}

    // What tells a changed file is taken before the text. A change between the two makes the next
    // call read again; the other order would miss it.
    std::optional<std::string> fresh(bool is_lacking) override {
        if (path_.empty()) throw VaultError("no file of keys is set: no secret can be kept");
        struct stat found {};
        if (::stat(path_.c_str(), &found) != 0) {
            throw VaultError("cannot read " + path_.string() + ": " + std::strerror(errno));
        }
        // The clock of files goes in steps of some milliseconds, in which a file may be replaced
        // twice.
        const State now{found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
        if (read_ == now && !is_lacking) return std::nullopt;
        std::string text = private_file(path_);
        read_ = now;
        return text;
    }

    std::filesystem::path own_file() const override {
        return is_own_ ? path_ : std::filesystem::path();
    }

    bool is_there() const override {
        std::error_code ignored;
        return !path_.empty() && std::filesystem::exists(path_, ignored);
    }

 private:
    std::filesystem::path path_;
    bool is_own_;
    /// Inode, size and modification time of the file that was read last; nothing before.
    using State = std::tuple<ino_t, off_t, time_t, long>;
    std::optional<State> read_;
};

/// Asks the process that start_key_reader() made.
std::string asked_of_reader(int socket) {
    std::string answer(longest_message, '\0');
    const char question = '?';
    ssize_t size = ::send(socket, &question, 1, MSG_NOSIGNAL);
    while (size == 1 && (size = ::recv(socket, answer.data(), answer.size(), 0)) < 0) {
        if (errno != EINTR) break;
        size = 1;
    }
    if (size < 1) throw VaultError("the process that runs secrets.keys_command is gone");
    answer.resize(static_cast<std::size_t>(size));
    const std::string text = answer.substr(1);
    if (answer.front() != says_keys) throw VaultError(text);
    return text;
}

class CommandSource final : public KeySource {
 public:
    /// `asks_reader`: the process that start_key_reader() made runs it, if there is one.
    CommandSource(std::vector<std::string> words, bool asks_reader)
        : words_(std::move(words)), asks_reader_(asks_reader) {}

    std::optional<std::string> fresh(bool is_lacking) override {
        const auto now = SteadyClock::now();
        if (ran_at_ && (!is_lacking || now - *ran_at_ < least_pause)) return std::nullopt;
        const std::lock_guard lock(reader_link().mutex);
        std::string text = asks_reader_ && reader_link().socket >= 0
                               ? asked_of_reader(reader_link().socket)
                               : output_of_key_command(words_, command_limit);
        ran_at_ = now;
        return text;
    }

 private:
    std::vector<std::string> words_;
    bool asks_reader_;
    std::optional<SteadyClock::time_point> ran_at_;
};

/// Keys that this program does not get. The web need not have those of daemons.
class MissingSource final : public KeySource {
 public:
    explicit MissingSource(std::string reason) : reason_(std::move(reason)) {}

    std::optional<std::string> fresh(bool) override { throw VaultError(reason_); }

    bool is_there() const override { return false; }

 private:
    std::string reason_;
};

/// Runs the command whenever it is asked, until the other end is closed.
[[noreturn]] void serve_keys(int socket, const std::vector<std::string>& words) {
    char question = 0;
    while (::recv(socket, &question, 1, 0) == 1) {
        std::string answer;
        try {
            answer = says_keys + output_of_key_command(words, command_limit);
        } catch (const std::exception& error) {
            answer = says_error + std::string(error.what());
        }
        if (::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) break;
    }
    ::_exit(0);
}

std::vector<std::string> command_in(const base::Config& config, const std::string& setting) {
    const auto words = words_of(config.get_or(setting + "_command", ""));
    if (!words.empty() && !words.front().starts_with('/')) {
        throw VaultError(setting + "_command: " + words.front() + " is no absolute path");
    }
    return words;
}

}  // namespace

std::unique_ptr<KeySource> file_source(std::filesystem::path path) {
    return std::make_unique<FileSource>(std::move(path), true);
}

std::unique_ptr<KeySource> key_source(const base::Config& config, const std::string& setting) {
    const auto command = command_in(config, setting);
    const std::string credential = config.get_or(setting + "_credential", "");
    if (!command.empty() && !credential.empty()) {
        throw VaultError(setting + "_command and " + setting + "_credential exclude each other");
    }
    if (!command.empty()) {
        return std::make_unique<CommandSource>(command, setting == master_key_setting);
    }
    if (credential.empty()) return file_source(config.get_or(setting, ""));
    if (credential.find('/') != std::string::npos) {
        throw VaultError(setting + "_credential is a name, not a path");
    }
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes it
    const char* const folder = std::getenv("CREDENTIALS_DIRECTORY");
    if (folder == nullptr) {
        return std::make_unique<MissingSource>(
            setting +
            "_credential is set, but there is no $CREDENTIALS_DIRECTORY: the program was "
            "not started by systemd with LoadCredential=" +
            credential);
    }
    return std::make_unique<FileSource>(std::filesystem::path(folder) / credential, false);
}

void check_key_source(const base::Config& config) {
    const auto text = key_source(config)->fresh(false);
    if (!text || keys_in(*text).empty()) throw VaultError("there is no master key");
}

void start_key_reader(const base::Config& config) {
    const auto words = command_in(config, master_key_setting);
    if (words.empty()) return;
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw VaultError(std::string("cannot start a process: ") + std::strerror(errno));
    }
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) throw VaultError(std::string("cannot start a process: ") + std::strerror(errno));
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(0);
        // No lock, socket or connection of the program stays open here.
        constexpr int kept = 3;
        if (ends[1] != kept) ::dup3(ends[1], kept, O_CLOEXEC);
        ::close_range(kept + 1, ~0U, 0);
        serve_keys(kept, words);
    }
    ::close(ends[1]);
    const std::lock_guard lock(reader_link().mutex);
    reader_link().socket = ends[0];
}

}  // namespace provisioner::identity
