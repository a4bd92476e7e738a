#include "provisioner/providers/google/guest.hpp"

#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::google {

namespace {

constexpr auto key_type = "ssh-ed25519";

std::string device_of(const Disk& disk) {
    return "/dev/disk/by-id/google-" + disk.device;
}

/// In single quotes for the shell. Hostnames have none themselves: they are checked elsewhere, and
/// this keeps it true.
std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

bool is_key_text(const std::string& text) {
    return !text.empty() && text.find_first_not_of(
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789+/=") == std::string::npos;
}

}  // namespace

base::Json disk_config(const std::vector<Disk>& disks) {
    base::Json config = base::Json::object();
    for (const Disk& disk : disks) {
        if (disk.is_boot()) continue;
        config["fs_setup"].push_back({{"device", device_of(disk)},
                                      {"filesystem", "ext4"},
                                      {"partition", "none"},
                                      {"overwrite", false}});
        config["mounts"].push_back(base::Json::array(
            {device_of(disk), disk.mounted_at, "ext4", "defaults,nofail,discard", "0", "2"}));
    }
    return config;
}

std::string startup_script(const std::vector<Disk>& disks, const std::string& hostname) {
    std::string script = "#!/bin/sh\n";
    if (!hostname.empty()) {
        const std::string name = quoted(hostname);
        script += "hostname " + name + "\necho " + name + " > /etc/hostname\n" + "grep -qw " +
                  name + " /etc/hosts || echo 127.0.1.1 " + name + " >> /etc/hosts\n";
    }
    for (const Disk& disk : disks) {
        if (disk.is_boot()) continue;
        const std::string device = device_of(disk);
        const std::string place = disk.mounted_at;
        script += "if [ -e " + device + " ]; then\n" + "    blkid " + device +
                  " > /dev/null || mkfs.ext4 -q -F " + device + "\n" + "    mkdir -p " + place +
                  "\n" + "    grep -q ' " + place + " ' /etc/fstab || echo '" + device + " " +
                  place + " ext4 defaults,nofail,discard 0 2' >> /etc/fstab\n" +
                  "    mountpoint -q " + place + " || mount " + place + "\nfi\n";
    }
    return script;
}

std::string host_key_in(const base::Json& guest_attributes) {
    const base::Json* values = base::member(guest_attributes, "queryValue");
    const base::Json* items = values == nullptr ? nullptr : base::member(*values, "items");
    if (items == nullptr || !items->is_array()) return "";
    for (const base::Json& item : *items) {
        const std::string value = base::text_at(item, "value");
        const bool is_wanted = base::text_at(item, "namespace") == "hostkeys" &&
                               base::text_at(item, "key") == key_type;
        if (is_wanted && is_key_text(value)) return std::string(key_type) + " " + value;
    }
    return "";
}

}  // namespace provisioner::providers::google
