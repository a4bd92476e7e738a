#include "provisioner/providers/local/host/isolation/furnish.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr unsigned long plain = MS_NOSUID | MS_NODEV | MS_NOEXEC;

constexpr const char* devices[] = {"null", "zero", "full", "random", "urandom", "tty"};

struct Link {
    const char* path;
    const char* target;
};

constexpr Link links[] = {{"dev/ptmx", "pts/ptmx"},
                          {"dev/fd", "/proc/self/fd"},
                          {"dev/stdin", "/proc/self/fd/0"},
                          {"dev/stdout", "/proc/self/fd/1"},
                          {"dev/stderr", "/proc/self/fd/2"}};

constexpr const char* covered[] = {"proc/acpi",          "proc/asound",        "proc/kcore",
                                   "proc/keys",          "proc/key-users",     "proc/kmsg",
                                   "proc/latency_stats", "proc/sched_debug",   "proc/scsi",
                                   "proc/sysrq-trigger", "proc/timer_list",    "proc/timer_stats",
                                   "sys/firmware",       "sys/kernel/security"};

constexpr const char* read_only[] = {"proc/bus", "proc/fs", "proc/irq"};

/// Empty directories of the kernel's /proc: what is mounted there hides nothing.
constexpr const char* made_to_mount_on[] = {"/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd",
                                            "/proc/xen"};

void check(int result, const std::string& what) {
    if (result != 0) fail("cannot set up the host's /" + what);
}

void mount_new(const char* type, const char* place, unsigned long flags, const char* options) {
    check(mount(type, place, type, flags, options), place);
}

void make_mount_read_only(const std::string& place) {
    const unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY | plain;
    check(mount(nullptr, place.c_str(), nullptr, flags, nullptr), place);
}

void make_read_only(const std::string& place) {
    check(mount(place.c_str(), place.c_str(), nullptr, MS_BIND, nullptr), place);
    make_mount_read_only(place);
}

/// Container engines look for the directory of control groups before they run anything, even
/// without limits.
void fill_sys() {
    // Only the mount is read-only: from a read-only file system containers in the host could make
    // no /sys of their own.
    mount_new("sysfs", "sys", plain, nullptr);
    make_mount_read_only("sys");
    const int groups =
        mount("tmpfs", "sys/fs/cgroup", "tmpfs", plain | MS_RDONLY, "mode=755,size=4k");
    if (groups != 0 && errno != ENOENT) fail("cannot set up the host's /sys/fs/cgroup");
}

void cover(const char* place) {
    struct stat found {};
    if (stat(place, &found) != 0) return;
    if (S_ISDIR(found.st_mode)) return mount_new("tmpfs", place, plain | MS_RDONLY, "size=4k");
    check(mount("/dev/null", place, nullptr, MS_BIND, nullptr), place);
}

/// Those of the network belong to the host's own network namespace.
void protect_settings() {
    for (const auto& entry : fs::directory_iterator("proc/sys")) {
        if (entry.path().filename() != "net") make_read_only(entry.path());
    }
}

void fill_dev() {
    mount_new("tmpfs", "dev", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k");
    for (const std::string device : devices) {
        const std::string place = "dev/" + device;
        const Fd file(open(place.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
        if (file.get() < 0) fail("cannot make the host's /" + place);
        check(mount(("/" + place).c_str(), place.c_str(), nullptr, MS_BIND, nullptr), place);
    }
    check(mkdir("dev/pts", 0755), "dev/pts");
    check(mkdir("dev/shm", 01777), "dev/shm");
    mount_new("devpts", "dev/pts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=620,gid=5");
    mount_new("tmpfs", "dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
    for (const Link& link : links) check(symlink(link.target, link.path), link.path);
}

void fill_run() {
    mount_new("tmpfs", "run", MS_NOSUID | MS_NODEV, "mode=755");
    check(mkdir("run/sshd", 0755), "run/sshd");
    check(mkdir("run/lock", 01777), "run/lock");
}

}  // namespace

void furnish() {
    const mode_t before = umask(0);
    mount_new("proc", "proc", plain, nullptr);
    fill_sys();
    fill_dev();
    fill_run();
    for (const char* place : covered) cover(place);
    for (const char* place : read_only) {
        if (fs::exists(place)) make_read_only(place);
    }
    protect_settings();
    umask(before);
}

std::string hidden_place(std::string_view mountinfo) {
    std::istringstream lines{std::string(mountinfo)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string skipped;
        std::string place;
        if (!(words >> skipped >> skipped >> skipped >> skipped >> place)) continue;
        const bool hides_in_proc =
            place.starts_with("/proc/") &&
            std::find(std::begin(made_to_mount_on), std::end(made_to_mount_on), place) ==
                std::end(made_to_mount_on);
        const bool hides_in_sys = place == "/sys/firmware" || place.starts_with("/sys/devices/");
        if (hides_in_proc || hides_in_sys) return place;
    }
    return "";
}

}  // namespace provisioner::providers::local
