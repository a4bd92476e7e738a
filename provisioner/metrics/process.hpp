#pragma once

#include <string_view>

#include "provisioner/metrics/family.hpp"

namespace provisioner::metrics {

/// Resident memory in bytes, from the text of /proc/self/statm; 0 when it has another form.
std::int64_t resident_bytes(std::string_view statm, std::int64_t page_size);

/// Resident memory of this process in bytes; 0 where /proc does not tell.
std::int64_t resident_bytes();

/// What Prometheus expects of every process, under the names that its own libraries use: memory,
/// processor time, open files and their limit. Reads /proc; a value that cannot be read is left
/// out.
Families process_families();

}  // namespace provisioner::metrics
