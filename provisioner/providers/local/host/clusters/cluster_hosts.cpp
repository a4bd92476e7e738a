#include "provisioner/providers/local/host/clusters/cluster_hosts.hpp"

#include <iostream>

#include "provisioner/providers/local/host/clusters/write_inside.hpp"
#include "provisioner/providers/local/host/hosts_file.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

FileLock lock_cluster(const StateDir& dir, const Record& record) {
    return {dir.lock_of("cluster-" + record.cluster), LockKind::exclusive};
}

HostLine line_of(const Record& record) {
    return {record.address, record.hostname, record.name};
}

/// Complete machines of the record's cluster without its own.
std::vector<Record> others(const StateDir& dir, const Record& record) {
    std::vector<Record> found;
    for (const std::string& name : dir.names()) {
        const auto other = dir.load(name);
        const bool is_other = other && other->complete && other->name != record.name;
        if (is_other && other->cluster == record.cluster) found.push_back(*other);
    }
    return found;
}

/// The text so far. State directories of earlier versions lack the file; their records do not.
std::string text_so_far(const StateDir& dir, const Record& record) {
    const auto kept = read_file(dir.hosts_of(record.cluster));
    if (kept) return *kept;
    std::string text;
    for (const Record& other : others(dir, record)) text = with_host(text, line_of(other));
    return text;
}

void tell(const Record& record, const std::string& text) {
    if (write_inside(record.process, "/etc/hosts", text) != Written::prevented) return;
    std::cerr << "cooperage-local-host: " << record.name << " cannot be told of other hosts\n";
}

void tell_others(const StateDir& dir, const Record& record, const std::string& text) {
    for (const Record& other : others(dir, record)) tell(other, text);
}

}  // namespace

std::string join_cluster(const StateDir& dir, const Record& record) {
    const FileLock turn = lock_cluster(dir, record);
    const std::string text = with_host(text_so_far(dir, record), line_of(record));
    replace_file(dir.hosts_of(record.cluster), text);
    replace_file(dir.machine(record.name) / "upper/etc/hosts", text);
    tell_others(dir, record, text);
    return text;
}

void catch_up(const StateDir& dir, const Record& record, const std::string& known) {
    const FileLock turn = lock_cluster(dir, record);
    const std::string text = text_so_far(dir, record);
    if (text != known) tell(record, text);
}

void leave_cluster(const StateDir& dir, const Record& record) {
    FileLock turn = lock_cluster(dir, record);
    const std::string text = without_host(text_so_far(dir, record), record.name);
    // Under the cluster's lock a start cannot add a line between this look and the removal.
    if (!has_hosts(text)) {
        fs::remove(dir.hosts_of(record.cluster));
        return turn.remove();
    }
    replace_file(dir.hosts_of(record.cluster), text);
    tell_others(dir, record, text);
}

}  // namespace provisioner::providers::local
