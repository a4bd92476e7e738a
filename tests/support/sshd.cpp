#include "tests/support/sshd.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tests::support {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds longest_start{10};

pid_t spawn(const std::vector<std::string>& words, const std::string& log) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error(words[0] + " does not start");
    return pid;
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// A port that is free at this moment. Another process may take it before sshd does; then the start
/// fails and is repeated.
int free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
}

}  // namespace

std::string text_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

pid_t parent_of(pid_t pid) {
    const std::string stat = text_of_file("/proc/" + std::to_string(pid) + "/stat");
    // The process name before it may contain spaces and brackets.
    const std::size_t end_of_name = stat.rfind(')');
    if (end_of_name == std::string::npos) return 0;
    std::istringstream fields(stat.substr(end_of_name + 1));
    std::string state;
    pid_t parent = 0;
    fields >> state >> parent;
    return parent;
}

Sshd::Sshd() {
    std::string pattern = (fs::temp_directory_path() / "cooperage-sshd-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    make_key("host_ed25519", "ed25519");
    make_key("host_ecdsa", "ecdsa");
    private_key_ = make_key("client", "ed25519");
    fs::copy_file(folder_ + "/client.pub", folder_ + "/authorized_keys");
    // sshd needs this folder for privilege separation. Debian creates it only when the service
    // starts.
    fs::create_directories("/run/sshd");
    restart("");
}

void Sshd::stop() {
    if (pid_ == 0) return;
    // The process of a connection outlives sshd, so it must be ended on its own, while sshd is
    // still its parent.
    cut_connections();
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
}

void Sshd::restart(const std::string& more) {
    stop();
    more_ = more;
    for (int tries = 0; tries < 3 && pid_ == 0; ++tries) start();
    if (pid_ == 0) throw std::runtime_error("sshd: " + text_of_file(folder_ + "/log"));
}

Sshd::~Sshd() {
    stop();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

provisioner::remote::Endpoint Sshd::endpoint() const {
    return {.address = "127.0.0.1",
            .port = port_,
            .user = "root",
            .private_key = provisioner::base::Secret(private_key_),
            .host_key = host_key("ed25519")};
}

std::string Sshd::host_key(const std::string& type) const {
    std::istringstream words(text_of_file(folder_ + "/host_" + type + ".pub"));
    std::string name;
    std::string key;
    words >> name >> key;
    return name + " " + key;
}

std::vector<pid_t> Sshd::connections() const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const pid_t pid = std::stoi(name);
        if (parent_of(pid) == pid_) found.push_back(pid);
    }
    return found;
}

void Sshd::cut_connections() const {
    for (const pid_t connection : connections()) ::kill(connection, SIGKILL);
}

std::string Sshd::make_key(const std::string& name, const std::string& type) const {
    const std::string path = folder_ + "/" + name;
    const pid_t pid = spawn({"/usr/bin/ssh-keygen", "-q", "-t", type, "-N", "", "-f", path},
                            folder_ + "/keygen.log");
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (status != 0)
        throw std::runtime_error("ssh-keygen: " + text_of_file(folder_ + "/keygen.log"));
    return text_of_file(path);
}

void Sshd::write_configuration() const {
    std::ofstream(folder_ + "/sshd_config")
        << "ListenAddress 127.0.0.1\nPort " << port_ << "\nHostKey " << folder_
        << "/host_ed25519\nHostKey " << folder_ << "/host_ecdsa\nAuthorizedKeysFile " << folder_
        << "/authorized_keys\nPidFile none\nStrictModes no\nUsePAM no\nUseDNS no\n"
        << "PasswordAuthentication no\nPermitRootLogin prohibit-password\nPrintMotd no\n"
        << "MaxStartups 200\n"
        << more_
        // bash then skips the ~/.bashrc of the account that runs the tests.
        << "SetEnv SHLVL=2\n";
}

void Sshd::start() {
    port_ = free_port();
    write_configuration();
    // setpriv makes sshd end with a test that crashes. sshd starts itself again for each
    // connection, so it needs its absolute path.
    const pid_t pid = spawn({"/usr/bin/setpriv", "--pdeathsig", "TERM", "--", "/usr/sbin/sshd",
                             "-D", "-e", "-f", folder_ + "/sshd_config"},
                            folder_ + "/log");
    const auto deadline = std::chrono::steady_clock::now() + longest_start;
    while (std::chrono::steady_clock::now() < deadline) {
        if (::waitpid(pid, nullptr, WNOHANG) == pid) return;
        if (answers()) {
            pid_ = pid;
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

bool Sshd::answers() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(port_);
    const int failed = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::close(fd);
    return failed == 0;
}

}  // namespace tests::support
