#include "provisioner/metrics/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "provisioner/base/ids.hpp"

namespace provisioner::metrics {

namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Without the one that listing them opens.
double open_files() {
    std::error_code error;
    const std::filesystem::directory_iterator list("/proc/self/fd", error);
    if (error) return 0;
    return static_cast<double>(std::distance(begin(list), end(list)) - 1);
}

}  // namespace

std::int64_t resident_bytes(std::string_view statm, std::int64_t page_size) {
    const auto first = statm.find(' ');
    if (first == std::string_view::npos) return 0;
    const auto second = statm.find(' ', first + 1);
    const auto pages = base::parse_number(statm.substr(first + 1, second - first - 1));
    return pages.value_or(0) * page_size;
}

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::string line;
    std::getline(file, line);
    return resident_bytes(line, ::sysconf(_SC_PAGESIZE));
}

Families process_families() {
    Families families;
    if (const auto bytes = resident_bytes(); bytes > 0) {
        families.push_back(gauge("process_resident_memory_bytes", "Resident memory of the process.",
                                 static_cast<double>(bytes)));
    }
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0) {
        families.push_back(counter("process_cpu_seconds_total",
                                   "Processor time of the process, user and system.",
                                   seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)));
    }
    if (const double files = open_files(); files > 0) {
        families.push_back(gauge("process_open_fds", "Open file descriptors.", files));
    }
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        families.push_back(gauge("process_max_fds", "Most file descriptors that may be open.",
                                 static_cast<double>(limit.rlim_cur)));
    }
    return families;
}

}  // namespace provisioner::metrics
