#include "tests/support/database_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace tests {

namespace {

/// Runs a program without waiting for the disk (fsync and the like). A test's data need not survive
/// a power cut, and a schema is made in a tenth of a second instead of two.
const char* const forgetful = "eatmydata";

int run_in_background(const std::vector<std::string>& words, const std::string& log) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int pid = ::fork();
    if (pid != 0) return pid;
    // The kernel kills this child when the thread that started it ends, so a test that crashes
    // leaves no server behind.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
}

bool succeeds(int process) {
    int status = 0;
    return process > 0 && ::waitpid(process, &status, 0) == process && status == 0;
}

bool answers(const std::string& socket_path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return connected;
}

}  // namespace

DatabaseServer::DatabaseServer(std::vector<std::string> options) : options_(std::move(options)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "coopdb.XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    const char* theirs = std::getenv("COOPERAGE_TEST_DATABASE");
    is_private_ = theirs == nullptr;
    socket_ = is_private_ ? folder_ + "/s" : theirs;
    if (is_private_) install();
    if (is_private_) start();
    wait_until_it_answers();
}

void DatabaseServer::wait_until_it_answers() {
    for (int i = 0; i < 600 && !answers(socket_); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    if (!answers(socket_)) throw std::runtime_error("no database server answers at " + socket_);
}

void DatabaseServer::install() {
    const int install =
        run_in_background({forgetful, "mariadb-install-db", "--no-defaults", "--datadir=" + data(),
                           "--tmpdir=" + folder_, "--skip-test-db",
                           "--auth-root-authentication-method=normal", "--user=root"},
                          folder_ + "/log");
    if (!succeeds(install)) throw std::runtime_error("mariadb-install-db failed; see " + folder_);
}

void DatabaseServer::start() {
    std::vector<std::string> words{
        forgetful, "mariadbd", "--no-defaults", "--datadir=" + data(),
        // A server that starts deletes the "#sql" files there.
        "--tmpdir=" + folder_, "--socket=" + socket_, "--skip-networking", "--user=root",
        "--pid-file=" + folder_ + "/pid", "--innodb-buffer-pool-size=64M"};
    words.insert(words.end(), options_.begin(), options_.end());
    pid_ = run_in_background(words, folder_ + "/log");
    if (pid_ < 0) throw std::runtime_error("no process for a database server");
}

// kill(2) takes -1 for every process there is.
void DatabaseServer::signal(int number) {
    if (pid_ <= 0) throw std::logic_error("no private database server is running");
    ::kill(pid_, number);
}

void DatabaseServer::pause() {
    signal(SIGSTOP);
    // A thread that is on a processor goes on for a moment.
    ::waitpid(pid_, nullptr, WUNTRACED);
}

void DatabaseServer::resume() {
    signal(SIGCONT);
}

void DatabaseServer::kill() {
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

void DatabaseServer::start_again() {
    start();
    wait_until_it_answers();
}

DatabaseServer::~DatabaseServer() {
    // A private server goes with its folder. A foreign one keeps running, so its test databases are
    // dropped.
    if (pid_ > 0) {
        kill();
    } else if (!is_private_) {
        std::string statements;
        for (const std::string& name : databases_)
            statements += "DROP DATABASE IF EXISTS `" + name + "`;";
        succeeds(run_in_background({"mariadb", "--no-defaults", "--force", "--socket=" + socket_,
                                    "--user=root", "--execute=" + statements},
                                   folder_ + "/log"));
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

provisioner::base::Config DatabaseServer::config(const std::string& database,
                                                 const std::string& more) {
    const std::string name =
        is_private_ ? database : "test_" + std::to_string(::getpid()) + "_" + database;
    databases_.insert(name);
    return provisioner::base::Config::parse(
        "database.socket = " + socket_ + "\ndatabase.user = root\ndatabase.name = " + name +
        "\nsecrets.keys = " + folder_ + "/secrets.keys\nsecrets.daemon_keys = " + folder_ +
        "/daemon.keys\nsecrets.daemon_public_key = " + folder_ + "/daemon.public\n" + more);
}

}  // namespace tests
