#include "provisioner/privileges/privileges.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <thread>

using namespace provisioner;
using privileges::Profile;

BOOST_AUTO_TEST_SUITE(dropped_privileges)

namespace {

constexpr uid_t nobody = 65534;

/// What the function prints, in a child process; "error: ..." after an exception.
std::string in_a_child(const std::function<void(std::ostream&)>& function) {
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        std::ostringstream out;
        try {
            function(out);
        } catch (const std::exception& error) {
            out << "error: " << error.what();
        }
        const std::string text = out.str();
        _exit(write(ends[1], text.data(), text.size()) >= 0 ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
    return text;
}

void drop(Profile profile) {
    const base::SystemClock clock;
    std::ostringstream lines;
    privileges::drop(profile, base::Log(lines, clock));
}

/// The error number of a call with arguments that no call accepts.
int error_of(long number) {
    errno = 0;
    return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1 ? errno : 0;
}

std::string status_line(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
    }
    return "missing";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_denied_call_fails_though_root_makes_it) {
    BOOST_REQUIRE_MESSAGE(geteuid() == 0, "only root shows that it is the filter that denies");
    for (const Profile profile : {Profile::web, Profile::daemon}) {
        const auto calls = privileges::denied_calls(profile);
        BOOST_TEST(calls.size() > 40u);
        for (const auto& call : calls) {
            // A terminal might be hung up for real.
            if (call.number < 0 || call.name == "vhangup") continue;

            const std::string before =
                in_a_child([&](std::ostream& out) { out << error_of(call.number); });
            const std::string after = in_a_child([&](std::ostream& out) {
                drop(profile);
                out << error_of(call.number);
            });

            BOOST_TEST(after == std::to_string(EPERM), call.name);
            BOOST_WARN_MESSAGE(before != after, call.name << " is not allowed here anyway");
        }
    }
}

BOOST_AUTO_TEST_CASE(the_calls_that_matter_most_are_in_the_table) {
    const auto calls = privileges::denied_calls(Profile::web);
    for (const char* name : {"mount",
                             "umount2",
                             "pivot_root",
                             "ptrace",
                             "process_vm_readv",
                             "process_vm_writev",
                             "bpf",
                             "perf_event_open",
                             "userfaultfd",
                             "kexec_load",
                             "init_module",
                             "finit_module",
                             "keyctl",
                             "unshare",
                             "setns",
                             "swapon",
                             "reboot",
                             "sethostname",
                             "iopl",
                             "ioperm",
                             "quotactl",
                             "io_uring_setup",
                             "execve",
                             "execveat"}) {
        const auto found = std::find_if(calls.begin(), calls.end(),
                                        [&](const auto& call) { return call.name == name; });
        BOOST_TEST((found != calls.end()), name);
    }
}

BOOST_AUTO_TEST_CASE(no_process_with_a_namespace_of_its_own_can_be_made) {
    for (const int flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
                           CLONE_NEWPID, CLONE_NEWNET}) {
        const std::string error = in_a_child([&](std::ostream& out) {
            drop(Profile::daemon);
            const long made = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
            if (made == 0) _exit(0);
            out << (made > 0 ? 0 : errno);
        });
        BOOST_TEST(error == std::to_string(EPERM), flag);
    }
    BOOST_TEST(in_a_child([](std::ostream& out) {
                   drop(Profile::daemon);
                   out << error_of(SYS_clone3);
               }) == std::to_string(ENOSYS));
}

BOOST_AUTO_TEST_CASE(what_both_programs_do_still_works) {
    for (const Profile profile : {Profile::web, Profile::daemon}) {
        const std::string done = in_a_child([&](std::ostream& out) {
            drop(profile);
            std::thread thread([&] { out << "thread "; });
            thread.join();
            const pid_t child = fork();
            if (child == 0) _exit(7);
            int status = 0;
            waitpid(child, &status, 0);
            out << "child " << WEXITSTATUS(status);
            for (const int family : {AF_UNIX, AF_INET, AF_INET6}) {
                const int socket = ::socket(family, SOCK_STREAM, 0);
                if (socket >= 0) out << " socket";
            }
            std::ofstream file("/dev/null");
            out << (file << "x" << std::flush ? " file" : "");
        });
        BOOST_TEST(done == "thread child 7 socket socket socket file");
    }
}

BOOST_AUTO_TEST_CASE(only_the_web_program_cannot_start_others) {
    const auto start = [](Profile profile) {
        return in_a_child([&](std::ostream& out) {
            drop(profile);
            const pid_t child = fork();
            if (child == 0) {
                execl("/bin/true", "true", nullptr);
                _exit(errno);
            }
            int status = 0;
            waitpid(child, &status, 0);
            out << WEXITSTATUS(status);
        });
    };

    BOOST_TEST(start(Profile::web) == std::to_string(EPERM));
    BOOST_TEST(start(Profile::daemon) == "0");
}

BOOST_AUTO_TEST_CASE(a_user_is_left_without_capabilities_and_gets_none_again) {
    const std::string state = in_a_child([](std::ostream& out) {
        // As a service manager that hands out an ambient capability.
        prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
        if (setgroups(0, nullptr) != 0 || setresuid(nobody, nobody, nobody) != 0) return;
        drop(Profile::daemon);
        for (const char* name : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
            out << name << " " << status_line(name) << "\n";
        }
        out << "NoNewPrivs " << status_line("NoNewPrivs") << "\n";
        out << "Seccomp " << status_line("Seccomp") << "\n";
    });

    BOOST_TEST(state ==
               "CapInh 0000000000000000\nCapPrm 0000000000000000\nCapEff 0000000000000000\n"
               "CapAmb 0000000000000000\nNoNewPrivs 1\nSeccomp 2\n");
}

BOOST_AUTO_TEST_CASE(the_bounding_set_is_empty_where_that_is_allowed) {
    BOOST_TEST(in_a_child([](std::ostream& out) {
                   drop(Profile::daemon);
                   out << status_line("CapBnd");
               }) == "0000000000000000");
}

BOOST_AUTO_TEST_CASE(what_was_done_is_logged_in_one_line) {
    const std::string lines = in_a_child([](std::ostream& out) {
        const base::SystemClock clock;
        privileges::drop(Profile::web, base::Log(out, clock));
    });

    BOOST_TEST(lines.find("info privileges.dropped uid=0 denied_calls=") != std::string::npos,
               lines);
    BOOST_TEST(std::count(lines.begin(), lines.end(), '\n') == 1);
}

BOOST_AUTO_TEST_CASE(root_is_refused_unless_it_is_allowed) {
    BOOST_TEST(in_a_child([](std::ostream&) { privileges::refuse_root(false); }) ==
               "error: this program does not need root and will not run as root: start it as a "
               "user of its own, or with --allow-root");
    BOOST_TEST(in_a_child([](std::ostream&) { privileges::refuse_root(true); }) == "");
    BOOST_TEST(in_a_child([](std::ostream& out) {
                   if (setuid(nobody) != 0) out << "not changed";
                   privileges::refuse_root(false);
               }) == "");
}

BOOST_AUTO_TEST_SUITE_END()
