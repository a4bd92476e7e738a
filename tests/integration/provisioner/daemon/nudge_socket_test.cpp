#include "provisioner/daemon/nudge_socket.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <functional>

#include "provisioner/operations/daemons/nudge.hpp"
#include "provisioner/programs/instance_lock.hpp"

using namespace provisioner;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(nudge_socket)

namespace {

using namespace std::chrono_literals;

constexpr uid_t daemon_user = 64001;
constexpr uid_t web_user = 64002;
constexpr gid_t web_group = 64002;
constexpr uid_t other_user = 64003;

/// As a package makes it: the daemon's own, and set-group-ID for the group of the web.
struct Folder {
    Folder() {
        char name[] = "/tmp/nudge-socket-XXXXXX";
        path = ::mkdtemp(name);
        BOOST_REQUIRE(::chown(path.c_str(), daemon_user, web_group) == 0);
        BOOST_REQUIRE(::chmod(path.c_str(), 02750) == 0);
    }
    ~Folder() { fs::remove_all(path); }

    fs::path path;
};

[[noreturn]] void run_as(uid_t user, gid_t group, const std::function<int()>& function) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0) _exit(99);
    try {
        _exit(function());
    } catch (const std::exception&) {
        _exit(98);
    }
}

int exit_code_of(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The exit code of the function in a child process of that user, who has no rights of root.
int as_user(uid_t user, gid_t group, const std::function<int()>& function) {
    const pid_t child = ::fork();
    if (child == 0) run_as(user, group, function);
    return exit_code_of(child);
}

/// Whether a nudge of that user ends the wait of the daemon.
bool wakes(const fs::path& folder, uid_t user, gid_t group) {
    const std::string path = folder / "nudge.sock";
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    const pid_t waiter = ::fork();
    if (waiter == 0) {
        run_as(daemon_user, daemon_user, [&] {
            daemon::NudgeSocket socket(path);
            const auto began = std::chrono::steady_clock::now();
            if (::write(ends[1], "x", 1) != 1) return 97;
            socket.wait(1s);
            return std::chrono::steady_clock::now() - began < 900ms ? 1 : 0;
        });
    }
    char is_bound = 0;
    ::close(ends[1]);
    BOOST_REQUIRE(::read(ends[0], &is_bound, 1) == 1);
    ::close(ends[0]);
    as_user(user, group, [&] {
        operations::Nudge(path).send();
        return 0;
    });
    const int code = exit_code_of(waiter);
    BOOST_REQUIRE(code <= 1);
    return code == 1;
}

mode_t mode_of(const fs::path& path) {
    struct stat found {};
    BOOST_REQUIRE(::stat(path.c_str(), &found) == 0);
    return found.st_mode & 07777U;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_web_wakes_a_daemon_of_another_user_and_nobody_else_does) {
    const Folder folder;

    BOOST_TEST(wakes(folder.path, web_user, web_group));
    BOOST_TEST(!wakes(folder.path, other_user, other_user));
    // Not only the folder keeps others out.
    ::chmod(folder.path.c_str(), 02755);
    BOOST_TEST(!wakes(folder.path, other_user, other_user));
    BOOST_TEST(wakes(folder.path, web_user, web_group));
}

BOOST_AUTO_TEST_CASE(the_socket_has_its_mode_whatever_the_umask_is) {
    const Folder folder;
    for (const mode_t mask : {0U, 022U, 077U}) {
        const mode_t before = ::umask(mask);
        const daemon::NudgeSocket socket(folder.path / "nudge.sock");
        BOOST_TEST(::umask(before) == mask);
        BOOST_TEST(mode_of(folder.path / "nudge.sock") == 0660U);
    }
}

BOOST_AUTO_TEST_CASE(a_socket_that_cannot_be_bound_is_named_with_the_reason) {
    const Folder folder;

    BOOST_TEST(as_user(other_user, other_user, [&] {
                   try {
                       daemon::NudgeSocket socket(folder.path / "nudge.sock");
                   } catch (const std::runtime_error& error) {
                       const std::string text = error.what();
                       return text.ends_with("/nudge.sock: Permission denied") ? 1 : 2;
                   }
                   return 0;
               }) == 1);
}

BOOST_AUTO_TEST_CASE(only_the_daemons_user_can_lock_its_lock_file) {
    const Folder folder;
    const fs::path path = folder.path / "lock";
    const auto take = [&] { return programs::InstanceLock(path).take(0ms) ? 1 : 0; };

    BOOST_TEST(as_user(daemon_user, daemon_user, take) == 1);

    BOOST_TEST(mode_of(path) == 0600U);
    BOOST_TEST(as_user(web_user, web_group, [&] { return ::open(path.c_str(), O_RDONLY); }) == 255);
}

BOOST_AUTO_TEST_SUITE_END()
