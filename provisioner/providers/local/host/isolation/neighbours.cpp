#include "provisioner/providers/local/host/isolation/neighbours.hpp"

#include <iostream>

namespace provisioner::providers::local {

namespace {

constexpr const char* how_to_allow =
    "local.mix_tenants = on (--mix-tenants on) allows it all the same";

void log_line(const std::string& text) {
    std::cerr << "cooperage-local-host: " << text << std::endl;
}

/// Whether its processes can be there, or will be in a moment.
bool may_run(const Record& record) {
    if (record.process.boot != this_boot()) return false;
    return !record.complete || is_running(record.process);
}

bool is_isolated(const Record& record) {
    return record.first_id != 0;
}

/// Why the record's host must not be here; empty if it may.
std::string trouble_among(const StateDir& dir, const Record& record, const Lacks& lacks) {
    for (const std::string& name : dir.names()) {
        const auto other = dir.load(name);
        if (!other || other->name == record.name || other->tenant == record.tenant) continue;
        if (!may_run(*other)) continue;
        if (!lacks.isolation.empty()) {
            return "hosts of another tenant are on this machine, and the root of a new host could "
                   "reach them: " +
                   lacks.isolation + "; " + how_to_allow;
        }
        if (!lacks.guard.empty()) {
            return "hosts of another tenant are on this machine, and the networks of hosts are not "
                   "guarded here: " +
                   lacks.guard + "; " + how_to_allow;
        }
        if (!is_isolated(*other)) {
            return "a host of another tenant is on this machine whose root could reach a new one, "
                   "because it was made without isolation; " +
                   std::string(how_to_allow);
        }
    }
    return "";
}

}  // namespace

void save_among_tenants(const StateDir& dir, const Record& record, const Lacks& lacks,
                        bool is_allowed) {
    const FileLock turn(dir.lock_of("tenants"), LockKind::exclusive);
    if (!lacks.isolation.empty()) {
        log_line(record.name + " is not isolated, so its root can become root of this machine: " +
                 lacks.isolation);
    }
    if (!lacks.guard.empty()) {
        log_line(record.name + " reaches every service of this machine: " + lacks.guard);
    }
    const std::string trouble = trouble_among(dir, record, lacks);
    if (!trouble.empty() && !is_allowed) throw Refusal("tenant", trouble);
    if (!trouble.empty()) log_line(record.name + ": " + trouble);
    dir.save(record);
}

}  // namespace provisioner::providers::local
