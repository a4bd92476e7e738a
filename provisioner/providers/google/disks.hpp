#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::google {

/// A disk of a machine.
struct Disk {
    /// Unique in its zone: the machine's name, with "-data", "-data2" ... for data disks.
    std::string name{};
    /// What the guest knows it by: /dev/disk/by-id/google-<device>.
    std::string device{};
    /// Where a data disk is mounted: "/data", "/data2"; empty for the boot disk.
    std::string mounted_at{};
    /// 0: as large as its image.
    long long size_gb = 0;
    /// "pd-standard".
    std::string type{};

    bool is_boot() const { return mounted_at.empty(); }
};

/// The disks that the fields ask for, the boot disk first. Fields: google_root_disk_size_gb,
/// google_root_disk_type, google_data_disk_size_gb (numbers with commas or blanks between them;
/// none: no data disk), google_data_disk_type.
std::vector<Disk> disks_of(const Account& account, const MachineSpec& spec,
                           const std::string& machine);

/// Problems of these fields.
base::Problems check_disks(const Account& account, const MachineSpec& spec);

/// Whether a disk that exists is the wanted one: size, type and, for the boot disk, `image`, the
/// link of the image that is wanted now ("projects/.../global/images/...").
bool is_same_disk(const Disk& wanted, const base::Json& existing, const std::string& image);

}  // namespace provisioner::providers::google
