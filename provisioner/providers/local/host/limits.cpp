#include "provisioner/providers/local/host/limits.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr long period_us = 100'000;
constexpr const char* family = "cooperage";

struct Mount {
    std::string point;
    std::string type;
    std::string options;
};

std::vector<Mount> mounts_of(std::string_view text) {
    std::vector<Mount> mounts;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string device;
        Mount mount;
        if (fields >> device >> mount.point >> mount.type >> mount.options) mounts.push_back(mount);
    }
    return mounts;
}

bool has_word(const std::string& text, char separator, const std::string& word) {
    std::istringstream words(text);
    for (std::string found; std::getline(words, found, separator);) {
        if (trimmed(found) == word) return true;
    }
    return false;
}

std::string v1_mount(const std::vector<Mount>& mounts, const std::string& controller) {
    for (const Mount& mount : mounts) {
        if (mount.type == "cgroup" && has_word(mount.options, ',', controller)) return mount.point;
    }
    return "";
}

Controllers controllers_here() {
    const std::string mounts = read_file("/proc/self/mounts").value_or("");
    const std::string top = unified_mount(mounts);
    const auto offered = read_file(fs::path(top) / "cgroup.controllers");
    return find_controllers(mounts, top.empty() ? "" : offered.value_or(""));
}

std::set<fs::path> tops_of(const Controllers& controllers) {
    std::set<fs::path> tops;
    for (const std::string& top : {controllers.memory, controllers.cpu, controllers.pids}) {
        if (!top.empty()) tops.insert(top);
    }
    return tops;
}

std::string cpus_in_words(double cpus) {
    char text[32];
    std::snprintf(text, sizeof text, "%g cpus", cpus);
    return text;
}

/// cgroup v2 offers a controller to child groups only if each parent enables it.
void make_group(const fs::path& top, const std::string& group, const char* v2_controller) {
    const fs::path path = top / family / group;
    fs::create_directories(path);
    if (v2_controller == nullptr) return;
    for (const fs::path& above : {top, top / family, path.parent_path()}) {
        write_into(above / "cgroup.subtree_control", std::string("+") + v2_controller);
    }
}

void set_memory(const Controllers& controllers, const std::string& group, long megabytes) {
    if (controllers.memory.empty() || megabytes == 0) return;
    const char* file = controllers.unified ? "memory.max" : "memory.limit_in_bytes";
    write_into(fs::path(controllers.memory) / family / group / file,
               std::to_string(megabytes * 1024 * 1024));
}

void set_cpu(const Controllers& controllers, const std::string& group, double cpus) {
    if (controllers.cpu.empty() || cpus == 0) return;
    const fs::path path = fs::path(controllers.cpu) / family / group;
    const std::string quota = std::to_string(quota_of(cpus));
    const std::string period = std::to_string(period_us);
    if (controllers.unified) return write_into(path / "cpu.max", quota + " " + period);
    write_into(path / "cpu.cfs_period_us", period);
    write_into(path / "cpu.cfs_quota_us", quota);
}

void set_processes(const Controllers& controllers, const std::string& group, long processes) {
    if (controllers.pids.empty() || processes == 0) return;
    write_into(fs::path(controllers.pids) / family / group / "pids.max", std::to_string(processes));
}

/// Puts the process into the group below one controller. Returns what went wrong; empty if nothing
/// did or there is no such controller.
template <class SetLimit>
std::string trouble_with(const std::string& top, const std::string& group,
                         const char* v2_controller, pid_t pid, SetLimit set_limit) {
    if (top.empty()) return "";
    try {
        make_group(top, group, v2_controller);
        set_limit();
        write_into(fs::path(top) / family / group / "cgroup.procs", std::to_string(pid));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

/// Empty if there are no such limits.
std::string of_memory_and_cpus(const Limits& limits, const Controllers& controllers,
                               const LimitTroubles& troubles) {
    if (limits.memory_mb == 0 && limits.cpus == 0) return "";
    if (controllers.memory.empty() && controllers.cpu.empty()) {
        return "none: this machine has no memory controller and no cpu controller";
    }
    const std::string memory_trouble =
        controllers.memory.empty() ? "this machine has no memory controller" : troubles.memory;
    const std::string cpu_trouble =
        controllers.cpu.empty() ? "this machine has no cpu controller" : troubles.cpu;
    std::string text;
    if (limits.memory_mb > 0 && !memory_trouble.empty()) {
        text = "none: " + memory_trouble;
    } else if (limits.memory_mb > 0) {
        text = "memory " + std::to_string(limits.memory_mb) + " MB";
    }
    if (limits.cpus == 0) return text;
    if (!text.empty()) text += ", ";
    return text +
           (cpu_trouble.empty() ? cpus_in_words(limits.cpus) : "no cpu limit: " + cpu_trouble);
}

bool removed(const fs::path& group) {
    return rmdir(group.c_str()) == 0 || errno == ENOENT;
}

}  // namespace

std::string unified_mount(std::string_view mounts) {
    for (const Mount& mount : mounts_of(mounts)) {
        if (mount.type == "cgroup2") return mount.point;
    }
    return "";
}

Controllers find_controllers(std::string_view mounts, std::string_view v2_controllers) {
    const std::vector<Mount> all = mounts_of(mounts);
    Controllers found{false, v1_mount(all, "memory"), v1_mount(all, "cpu"), v1_mount(all, "pids")};
    if (!tops_of(found).empty()) return found;
    const std::string top = unified_mount(mounts);
    const std::string offered = trimmed(std::string(v2_controllers));
    if (has_word(offered, ' ', "memory")) found.memory = top;
    if (has_word(offered, ' ', "cpu")) found.cpu = top;
    if (has_word(offered, ' ', "pids")) found.pids = top;
    found.unified = !tops_of(found).empty();
    return found;
}

long quota_of(double cpus) {
    return std::lround(cpus * static_cast<double>(period_us));
}

std::string describe(const Limits& limits, const Controllers& controllers,
                     const LimitTroubles& troubles) {
    std::string text = of_memory_and_cpus(limits, controllers, troubles);
    if (limits.processes > 0) {
        const std::string trouble =
            controllers.pids.empty() ? "this machine has no pids controller" : troubles.processes;
        if (!text.empty()) text += ", ";
        text += trouble.empty() ? std::to_string(limits.processes) + " processes"
                                : "no limit of processes: " + trouble;
    }
    return text.empty() ? "none asked for" : text;
}

std::string confine(pid_t pid, const Limits& limits, const std::string& group) {
    const Controllers controllers = controllers_here();
    if (limits == Limits{}) return describe(limits, controllers);
    const auto v2 = [&](const char* controller) {
        return controllers.unified ? controller : nullptr;
    };
    LimitTroubles troubles;
    troubles.memory = trouble_with(controllers.memory, group, v2("memory"), pid,
                                   [&] { set_memory(controllers, group, limits.memory_mb); });
    troubles.cpu = trouble_with(controllers.cpu, group, v2("cpu"), pid,
                                [&] { set_cpu(controllers, group, limits.cpus); });
    troubles.processes = trouble_with(controllers.pids, group, v2("pids"), pid,
                                      [&] { set_processes(controllers, group, limits.processes); });
    return describe(limits, controllers, troubles);
}

void unconfine(const std::string& group) {
    using namespace std::chrono_literals;
    for (const fs::path& top : tops_of(controllers_here())) {
        const fs::path path = top / family / group;
        for (int tries = 0; tries < 200 && !removed(path); ++tries)
            std::this_thread::sleep_for(10ms);
    }
}

void remove_groups_below(const std::string& parent) {
    for (const fs::path& top : tops_of(controllers_here())) {
        std::error_code none;
        std::vector<std::string> left;
        for (const auto& entry : fs::directory_iterator(top / family / parent, none)) {
            if (entry.is_directory())
                left.push_back(parent + "/" + entry.path().filename().string());
        }
        for (const std::string& group : left) unconfine(group);
        remove_if_empty(top / family / parent);
        remove_if_empty(top / family);
    }
}

}  // namespace provisioner::providers::local
