#include "provisioner/migrate/backup/client_tools.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "provisioner/connection/options_file.hpp"

namespace provisioner::migrate {

namespace {

using Words = std::vector<std::string>;

/// A value of an options file: in quotes, so that '#' and blanks stay.
std::string quoted_option(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += c;
    }
    return all + "\"";
}

std::string options_of(const connection::Settings& settings, const connection::Address& address,
                       ServerKind kind) {
    std::string text = "[client]\nuser=" + quoted_option(settings.user) + "\n";
    if (!settings.password.empty()) {
        text += "password=" + quoted_option(settings.password.reveal()) + "\n";
    }
    if (address.is_socket()) return text + "socket=" + quoted_option(address.socket) + "\n";
    text += "protocol=tcp\nhost=" + address.host + "\nport=" + std::to_string(address.port) + "\n";
    if (address.tls == connection::Tls::off) return text;
    const bool verifies = address.tls == connection::Tls::verify;
    if (kind == ServerKind::mysql) {
        text += verifies ? "loose-ssl-mode=VERIFY_IDENTITY\n" : "loose-ssl-mode=REQUIRED\n";
    }
    text += "loose-ssl=1\n";
    if (verifies) text += "loose-ssl-verify-server-cert=1\n";
    if (verifies && !settings.ca.empty()) text += "ssl-ca=" + settings.ca + "\n";
    if (!settings.cert.empty()) {
        text += "ssl-cert=" + settings.cert + "\nssl-key=" + settings.key + "\n";
    }
    return text;
}

class Pipe {
 public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    ~Pipe() {
        close_reader();
        close_writer();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int reader() const { return ends_[0]; }
    int writer() const { return ends_[1]; }
    void close_reader() { close_end(ends_[0]); }
    void close_writer() { close_end(ends_[1]); }

 private:
    static void close_end(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }

    std::array<int, 2> ends_{-1, -1};
};

/// A tool with its input and output, which says on `errors` what is wrong.
class Tool {
 public:
    /// Runs the first of `names` that the PATH has. `kept` is an open file that it inherits.
    Tool(const Words& names, const Words& arguments, int input, int output, int errors, int kept) {
        name_ = names.front();
        pid_ = ::fork();
        if (pid_ != 0) return;
        ::dup2(input, 0);
        ::dup2(output, 1);
        ::dup2(errors, 2);
        if (kept >= 0) ::fcntl(kept, F_SETFD, 0);
        for (const std::string& name : names) {
            std::vector<char*> words{const_cast<char*>(name.c_str())};
            for (const std::string& word : arguments) {
                words.push_back(const_cast<char*>(word.c_str()));
            }
            words.push_back(nullptr);
            ::execvp(words.front(), words.data());
        }
        const std::string text = names.front() + " is not installed\n";
        if (::write(2, text.data(), text.size()) < 0) ::_exit(126);
        ::_exit(127);
    }
    ~Tool() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// Waits for its end; whether it succeeded.
    bool succeeds() {
        int status = 0;
        const pid_t pid = pid_;
        pid_ = -1;
        while (pid > 0 && ::waitpid(pid, &status, 0) < 0) {
            if (errno != EINTR) return false;
        }
        return pid > 0 && status == 0;
    }
    const std::string& name() const { return name_; }

 private:
    std::string name_;
    pid_t pid_ = -1;
};

/// What tools print about errors: a file in memory, so that nobody has to read while they work.
std::string text_in(const connection::OptionsFile& file) {
    std::ifstream in(file.path());
    std::string text{std::istreambuf_iterator<char>(in), {}};
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

void expect_success(const Tool& tool, bool is_success, const connection::OptionsFile& errors) {
    if (is_success) return;
    throw std::runtime_error(tool.name() + " failed: " + text_in(errors));
}

Words dump_arguments(const std::string& options, ServerKind kind, const std::string& database,
                     const std::string& without) {
    Words words{"--defaults-file=" + options,
                "--single-transaction",
                "--skip-lock-tables",
                "--skip-add-locks",
                "--skip-disable-keys",
                "--skip-triggers",
                "--no-tablespaces",
                "--hex-blob",
                "--quick",
                "--default-character-set=utf8mb4",
                "--max-allowed-packet=1G",
                "--ignore-table=" + database + "." + without};
    if (kind == ServerKind::mysql) {
        words.insert(words.end(), {"--loose-set-gtid-purged=OFF", "--loose-column-statistics=0"});
    }
    words.push_back(database);
    return words;
}

/// The tool that belongs to the server comes first.
Words names_of(ServerKind kind, const char* of_mariadb, const char* of_mysql) {
    if (kind == ServerKind::mariadb) return {of_mariadb, of_mysql};
    return {of_mysql, of_mariadb};
}

void send(const std::string& path, std::uint64_t begins, std::uint64_t size, int to) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(begins));
    std::array<char, 65536> buffer{};
    for (std::uint64_t rest = size; rest > 0 && file;) {
        file.read(buffer.data(),
                  static_cast<std::streamsize>(std::min<std::uint64_t>(rest, buffer.size())));
        const char* at = buffer.data();
        for (std::streamsize left = file.gcount(); left > 0;) {
            const ssize_t written = ::write(to, at, static_cast<std::size_t>(left));
            if (written < 0 && errno == EINTR) continue;
            // The tool has ended; its exit code says why.
            if (written < 0) return;
            at += written;
            left -= written;
        }
        rest -= static_cast<std::uint64_t>(file.gcount());
    }
}

}  // namespace

void dump(const connection::Settings& settings, const connection::Address& address, ServerKind kind,
          const std::string& without, const std::function<void(std::string_view)>& take) {
    const connection::OptionsFile options(options_of(settings, address, kind));
    const connection::OptionsFile errors("");
    Pipe text;
    Pipe packed;
    Tool dumper(names_of(kind, "mariadb-dump", "mysqldump"),
                dump_arguments(options.path(), kind, settings.database, without), options.number(),
                text.writer(), errors.number(), options.number());
    Tool packer({"gzip"}, {"-c"}, text.reader(), packed.writer(), errors.number(), -1);
    text.close_reader();
    text.close_writer();
    packed.close_writer();
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = ::read(packed.reader(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        take({buffer.data(), static_cast<std::size_t>(got)});
    }
    expect_success(dumper, dumper.succeeds(), errors);
    expect_success(packer, packer.succeeds(), errors);
}

void load(const connection::Settings& settings, const connection::Address& address, ServerKind kind,
          const std::string& path, std::uint64_t begins, std::uint64_t size) {
    const connection::OptionsFile options(options_of(settings, address, kind));
    const connection::OptionsFile errors("");
    Pipe packed;
    Pipe text;
    Tool unpacker({"gzip"}, {"-dc"}, packed.reader(), text.writer(), errors.number(), -1);
    // Without binary mode the client would run commands of the system that it finds in the text.
    Tool client(names_of(kind, "mariadb", "mysql"),
                {"--defaults-file=" + options.path(), "--batch", "--binary-mode",
                 "--default-character-set=utf8mb4", "--max-allowed-packet=1G", settings.database},
                text.reader(), errors.number(), errors.number(), options.number());
    packed.close_reader();
    text.close_reader();
    text.close_writer();
    ::signal(SIGPIPE, SIG_IGN);
    send(path, begins, size, packed.writer());
    packed.close_writer();
    // The client's error is the cause when both fail.
    expect_success(client, client.succeeds(), errors);
    expect_success(unpacker, unpacker.succeeds(), errors);
}

}  // namespace provisioner::migrate
