#include "provisioner/providers/local/host/processes.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/local/host/spawn.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr int kill_limit_ms = 20'000;

void send_kill(const Fd& handle) {
    syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
}

}  // namespace

// The identity is compared after the pidfd is open. From then on the pidfd cannot mean another
// process, even if the number is reused.
Fd handle_of(const ProcessId& process) {
    if (process.pid <= 0 || process.boot != this_boot()) return Fd();
    Fd handle(static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0)));
    if (handle.get() >= 0 && process_now(process.pid) != process) handle.close();
    return handle;
}

const std::string& this_boot() {
    static const std::string boot =
        trimmed(read_file("/proc/sys/kernel/random/boot_id").value_or(""));
    return boot;
}

std::optional<long long> start_of(std::string_view stat) {
    // The program's name stands in parentheses and may hold any character. The state follows the
    // last parenthesis.
    const auto name_end = stat.rfind(')');
    if (name_end == std::string_view::npos) return std::nullopt;
    std::istringstream fields{std::string(stat.substr(name_end + 1))};
    std::string state;
    std::string field;
    if (!(fields >> state) || state == "Z" || state == "X") return std::nullopt;
    for (int number = 4; number <= 22; ++number) fields >> field;
    if (!fields) return std::nullopt;
    return base::parse_number(field);
}

bool is_first_of_namespace(std::string_view status) {
    constexpr std::string_view key = "\nNSpid:";
    const auto at = status.find(key);
    if (at == std::string_view::npos) return false;
    status.remove_prefix(at + key.size());
    const std::string_view line = status.substr(0, status.find('\n'));
    // The numbers go from our namespace inwards; the last one is the number in its own namespace.
    return line.find('\t', 1) != std::string_view::npos && line.ends_with("\t1");
}

std::optional<ProcessId> process_now(pid_t pid) {
    const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
    const auto started = stat ? start_of(*stat) : std::nullopt;
    if (!started) return std::nullopt;
    return ProcessId{pid, *started, this_boot()};
}

bool is_running(const ProcessId& process) {
    return process.pid > 0 && process_now(process.pid) == process;
}

void shoot(const ProcessId& process) {
    const Fd handle = handle_of(process);
    if (handle.get() >= 0) send_kill(handle);
}

void end_process(const ProcessId& process) {
    const Fd handle = handle_of(process);
    if (handle.get() < 0) return;
    send_kill(handle);
    pollfd gone{handle.get(), POLLIN, 0};
    if (poll(&gone, 1, kill_limit_ms) == 1) return;
    throw Failure("process " + std::to_string(process.pid) +
                  " did not end within 20 s of its SIGKILL");
}

std::vector<ProcessId> hosts_of(const std::string& state_dir) {
    const std::string wanted = std::string(init_name) + '\0' + state_dir + '\0';
    std::vector<ProcessId> hosts;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto pid = base::parse_number(entry.path().filename().string());
        if (!pid) continue;
        const auto words = read_file(entry.path() / "cmdline");
        if (!words || !words->starts_with(wanted)) continue;
        // A child of the init that has not yet executed sshd has the same command line.
        const auto status = read_file(entry.path() / "status");
        if (!status || !is_first_of_namespace(*status)) continue;
        if (const auto process = process_now(static_cast<pid_t>(*pid))) hosts.push_back(*process);
    }
    return hosts;
}

}  // namespace provisioner::providers::local
