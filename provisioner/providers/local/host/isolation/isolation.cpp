#include "provisioner/providers/local/host/isolation/isolation.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "provisioner/providers/local/host/isolation/file_system.hpp"
#include "provisioner/providers/local/host/isolation/furnish.hpp"
#include "provisioner/providers/local/host/isolation/user_namespace.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

Isolation none(const std::string& reason) {
    Isolation isolation;
    isolation.missing = reason;
    return isolation;
}

bool kernel_filters_calls() {
    const unsigned action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/// Without the ids' claim.
Isolation built_of(const IdRange& ids, const fs::path& root) {
    auto space = make_user_namespace(ids);
    if (!space) return none(space.error());
    auto files = shifted(root, *space);
    if (!files) return none(files.error());
    Isolation isolation;
    isolation.ids = ids;
    isolation.space = std::move(*space);
    isolation.shifted = std::move(*files);
    return isolation;
}

}  // namespace

Isolation isolate(const fs::path& machine, const fs::path& root) {
    if (!kernel_filters_calls()) return none("this kernel cannot filter calls (CONFIG_SECCOMP)");
    const std::string hidden = hidden_place(read_file("/proc/self/mountinfo").value_or(""));
    if (!hidden.empty()) {
        return none("this computer seems to be a container that hides " + hidden +
                    ", so the kernel gives its user namespaces no /proc");
    }
    const auto ids = claim_ids(machine);
    if (!ids) return none(ids.error());
    Isolation isolation = built_of(*ids, root);
    if (!isolation.is_complete()) release_ids(machine);
    return isolation;
}

}  // namespace provisioner::providers::local
