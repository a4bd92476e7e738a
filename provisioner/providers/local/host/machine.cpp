#include "provisioner/providers/local/host/machine.hpp"

#include <chrono>
#include <thread>

#include "provisioner/providers/local/host/clusters/cluster_hosts.hpp"
#include "provisioner/providers/local/host/hosts_file.hpp"
#include "provisioner/providers/local/host/isolation/isolation.hpp"
#include "provisioner/providers/local/host/isolation/neighbours.hpp"
#include "provisioner/providers/local/host/network/bridges.hpp"
#include "provisioner/providers/local/host/network/network.hpp"
#include "provisioner/providers/local/host/spawn.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

/// Many logins at once are normal here (MaxStartups), and passwords are never accepted.
constexpr const char* sshd_settings =
    "AuthorizedKeysFile /etc/ssh/authorized_keys/%u .ssh/authorized_keys\n"
    "PasswordAuthentication no\n"
    "PermitRootLogin prohibit-password\n"
    "MaxStartups 200\n"
    "MaxSessions 100\n"
    "PrintMotd no\n"
    "UseDNS no\n";

std::string group_of(const Place& place, const std::string& name) {
    return name_of(place.network) + "/" + name;
}

std::optional<Record> running_machine(const StateDir& dir, const std::string& name) {
    auto record = dir.load(name);
    if (!record || !record->complete || !is_running(record->process)) return std::nullopt;
    return record;
}

void take_away_from_system(const StateDir& dir, const Record& record) {
    const auto place = place_of(record.address);
    // After a restart of the machine nothing of the host is left. Another state directory may have
    // its network number by then.
    if (record.process.boot != this_boot() || !place) return forget_plug(dir, record.name);
    end_process(record.process);
    unplug(dir, *place, record.name);
    unconfine(group_of(*place, record.name));
}

/// The machine's lock must be held. Each step can be repeated. The record goes last, so a call
/// after a crash knows as much as this one.
void take_away(const StateDir& dir, const std::string& name) {
    if (const auto record = dir.load(name)) {
        take_away_from_system(dir, *record);
        leave_cluster(dir, *record);
    }
    dir.release_addresses(name);
    release_ids(dir.machine(name));
    remove_tree(dir.machine(name));
}

void require_root(const fs::path& root) {
    if (fs::exists(root / "usr/sbin/sshd")) return;
    throw Refusal("root",
                  "there is no root for local hosts at " + root.string() +
                      " (no usr/sbin/sshd in it): make it with `cooperage-local-host root " +
                      root.string() + "`");
}

/// Writes the host's own files, which lie over the shared root. Returns its public host key.
std::string write_files(const fs::path& machine, const StartRequest& request) {
    for (const char* folder :
         {"upper/etc/ssh/authorized_keys", "upper/etc/ssh/sshd_config.d", "work", "root"}) {
        fs::create_directories(machine / folder);
    }
    const fs::path etc = machine / "upper/etc";
    replace_file(etc / "hostname", short_name(request.hostname) + "\n");
    replace_file(etc / "ssh/sshd_config.d/cooperage.conf", sshd_settings);
    replace_file(etc / "ssh/authorized_keys" / request.ssh_user, request.authorized_key + "\n");
    const fs::path key = etc / "ssh/ssh_host_ed25519_key";
    run_tool({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", request.name, "-f", key});
    const std::string line = trimmed(read_file(key.string() + ".pub").value_or(""));
    return line.substr(0, line.rfind(' '));
}

/// The record holds each resource before the host uses it; address and directory bear the machine's
/// name. So take_away() finds everything after a crash at any point. The host's process waits until
/// its limits and its cable are in place. If this function throws, the process dies with `host`,
/// and the caller removes the rest.
Record make_machine(const StateDir& dir, const StartRequest& request, int network) {
    Isolation isolation = isolate(dir.machine(request.name), request.root);
    Record record{.name = request.name,
                  .cluster = request.cluster,
                  .task = request.task,
                  .hostname = request.hostname,
                  .ssh_user = request.ssh_user,
                  .address = dir.claim_address(request.name, network),
                  .host_key = {},
                  .limits = {},
                  .tenant = request.tenant,
                  .open_ports = request.open_ports,
                  .first_id = isolation.ids.first,
                  .process = {.pid = 0, .started = 0, .boot = this_boot()},
                  .complete = false};
    const Installation installation{.machine_ports = request.machine_ports,
                                    .most_hosts = request.most_hosts};
    const Lacks lacks{.isolation = isolation.missing,
                      .guard = hold_network(dir, network, installation)};
    save_among_tenants(dir, record, lacks, request.mixes_tenants);
    record.host_key = write_files(dir.machine(request.name), request);
    const std::string known = join_cluster(dir, record);
    dir.save(record);
    const Place place = place_of(record.address).value();
    HeldProcess host({.name = record.name,
                      .hostname = short_name(record.hostname),
                      .ssh_user = record.ssh_user,
                      .place = place,
                      .state_dir = dir.path(),
                      .base = mountable(request.root),
                      .machine = dir.machine(record.name),
                      .isolation = std::move(isolation)});
    record.process = host.process();
    dir.save(record);
    record.limits = confine(record.process.pid, request.limits, group_of(place, record.name));
    plug_in(dir, {.place = place,
                  .member = {.machine = record.name,
                             .cluster = record.cluster,
                             .open_ports = request.open_ports},
                  .pid = record.process.pid,
                  .installation = installation,
                  .is_guarded = lacks.guard.empty()});
    host.release();
    record.complete = true;
    dir.save(record);
    catch_up(dir, record, known);
    return record;
}

/// Removes the network with the last machine. A start under way holds the lock as shared, so it
/// keeps the network that it has just claimed.
void leave_network_if_last(const StateDir& dir) {
    // What a killed start ran may hold the lock for a moment longer than the machine's.
    for (int tries = 0; tries < 20; ++tries) {
        if (!dir.names().empty()) return;
        const auto alone = FileLock::try_exclusive(dir.lock());
        if (alone && dir.names().empty()) return remove_network(dir);
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
}

Record find_or_make(const StateDir& dir, const StartRequest& request) {
    // The shared lock keeps the network alive. The machine's lock makes a second start of the same
    // machine wait and then find it running.
    const FileLock at_work(dir.lock(), LockKind::shared);
    dir.prepare();
    FileLock turn(dir.lock_of("machine-" + request.name), LockKind::exclusive);
    if (auto running = running_machine(dir, request.name)) return *running;
    take_away(dir, request.name);
    try {
        require_root(request.root);
        const int network = ensure_network(dir);
        dir.claim_directory(request.name, request.max_hosts);
        return make_machine(dir, request, network);
    } catch (const std::exception&) {
        take_away(dir, request.name);
        turn.remove();
        throw;
    }
}

}  // namespace

Record start_machine(const StartRequest& request) {
    const StateDir dir(request.state);
    dir.prepare();
    try {
        return find_or_make(dir, request);
    } catch (const std::exception&) {
        leave_network_if_last(dir);
        throw;
    }
}

void stop_machine(const StateDir& dir, const std::string& name, long long task) {
    if (!fs::exists(dir.path() / "locks")) return;
    {
        // Released before leave_network_if_last(), which needs the first lock for itself alone.
        const FileLock at_work(dir.lock(), LockKind::shared);
        FileLock turn(dir.lock_of("machine-" + name), LockKind::exclusive);
        const auto record = dir.load(name);
        const bool is_later = record && task > 0 && record->task > task;
        if (is_later) return;
        take_away(dir, name);
        turn.remove();
    }
    leave_network_if_last(dir);
}

base::Json status_of(const StateDir& dir, const std::string& name) {
    const auto record = dir.load(name);
    if (record) return answer_of(*record, running_machine(dir, name) ? "running" : "stopped");
    base::Json json;
    json["name"] = name;
    json["state"] = fs::exists(dir.machine(name)) ? "stopped" : "missing";
    return json;
}

std::vector<std::string> clean_up(const StateDir& dir) {
    if (!fs::exists(dir.path())) {
        remove_network(dir);
        return {};
    }
    dir.prepare();
    // Nobody starts or stops a machine from here on. All hosts get their SIGKILL before the first
    // is waited for, so that they end at the same time.
    const FileLock alone(dir.lock(), LockKind::exclusive);
    const std::vector<std::string> names = dir.names();
    for (const std::string& name : names) {
        const auto record = dir.load(name);
        if (record) shoot(record->process);
    }
    // One that cannot be taken away keeps none of the others.
    std::string failed;
    for (const std::string& name : names) {
        try {
            take_away(dir, name);
        } catch (const Failure& failure) {
            failed += (failed.empty() ? "" : "; ") + name + ": " + failure.what();
        }
    }
    if (!failed.empty()) throw Failure(failed);
    remove_network(dir);
    dir.remove_if_unused();
    return names;
}

}  // namespace provisioner::providers::local
