#include "provisioner/providers/google/disks.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {

using cloud::setting;

namespace {

constexpr long long least_gb = 1;
constexpr long long most_gb = 65536;
/// Devices of a machine, the boot disk among them.
constexpr std::size_t most_disks = 128;

/// Numbers with commas, blanks or both between them.
std::vector<std::string> sizes_in(std::string text) {
    for (char& c : text) {
        if (c == ' ' || c == ';') c = ',';
    }
    return cloud::list_in(text);
}

/// Coopr's words, and names of the API as they are.
std::string disk_type(const std::string& word) {
    if (word.empty() || word == "standard") return "pd-standard";
    return word == "ssd" ? "pd-ssd" : word;
}

bool is_disk_type(const std::string& word) {
    const std::string type = disk_type(word);
    return type.starts_with("pd-") || type.starts_with("hyperdisk-");
}

void check_type(const Account& account, const MachineSpec& spec, const std::string& field,
                base::Problems& problems) {
    const std::string word = setting(account, spec, field);
    if (!is_disk_type(word)) {
        problems.push_back({field, "must be standard, ssd, or a type such as pd-balanced"});
    }
}

}  // namespace

std::vector<Disk> disks_of(const Account& account, const MachineSpec& spec,
                           const std::string& machine) {
    base::Problems unused;
    Disk boot;
    boot.name = machine;
    boot.device = "boot";
    boot.size_gb = cloud::number_in(setting(account, spec, "google_root_disk_size_gb"), "",
                                    least_gb, most_gb, 0, unused);
    boot.type = disk_type(setting(account, spec, "google_root_disk_type"));
    std::vector<Disk> disks{boot};
    for (const std::string& size : sizes_in(setting(account, spec, "google_data_disk_size_gb"))) {
        Disk disk;
        disk.device = "data" + (disks.size() > 1 ? std::to_string(disks.size()) : std::string());
        disk.name = machine + "-" + disk.device;
        disk.mounted_at = "/" + disk.device;
        disk.size_gb = base::parse_number(size).value_or(0);
        disk.type = disk_type(setting(account, spec, "google_data_disk_type"));
        disks.push_back(std::move(disk));
    }
    return disks;
}

base::Problems check_disks(const Account& account, const MachineSpec& spec) {
    base::Problems problems;
    cloud::number_in(setting(account, spec, "google_root_disk_size_gb"), "google_root_disk_size_gb",
                     least_gb, most_gb, 0, problems);
    const auto sizes = sizes_in(setting(account, spec, "google_data_disk_size_gb"));
    for (const std::string& size : sizes) {
        cloud::number_in(size, "google_data_disk_size_gb", least_gb, most_gb, 0, problems);
    }
    if (sizes.size() >= most_disks) {
        problems.push_back({"google_data_disk_size_gb", "a machine has at most 127 data disks"});
    }
    check_type(account, spec, "google_root_disk_type", problems);
    check_type(account, spec, "google_data_disk_type", problems);
    return problems;
}

bool is_same_disk(const Disk& wanted, const base::Json& existing, const std::string& image) {
    const auto size = base::parse_number(base::text_at(existing, "sizeGb"));
    if (wanted.size_gb != 0 && size != wanted.size_gb) return false;
    if (last_part(base::text_at(existing, "type")) != wanted.type) return false;
    const std::string from = base::text_at(existing, "sourceImage");
    return wanted.is_boot() ? from.ends_with("/" + image) : from.empty();
}

}  // namespace provisioner::providers::google
