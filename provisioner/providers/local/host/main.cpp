#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "provisioner/providers/local/helper/carry_out.hpp"
#include "provisioner/providers/local/helper/manual.hpp"

// The program has one thread only, because start_machine() clones it. Answers are lines of JSON on
// standard output; text for people goes to standard error. Exit codes: 0 done, 1 failed, 2 not
// understood, 3 refused.
int main(int count, char** words) {
    using namespace provisioner::providers::local;
    // Not PR_SET_DUMPABLE as other programs do: between the clone and its first program a host
    // would have no right to its own files in /proc. The hard limit stays: sudo in hosts complains
    // of it.
    rlimit core{};
    getrlimit(RLIMIT_CORE, &core);
    core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &core);
    // A reload of services sends it to the helper, too, which reads its settings only at start.
    signal(SIGHUP, SIG_IGN);
    umask(022);
    // A host must not keep a descriptor of the caller open for its whole life.
    close_range(3, ~0U, 0);
    const auto command = parse_command_line({words + 1, words + count});
    if (command) return carry_out(*command);
    std::cerr << manual_text(false) << "\n";
    return answer_misunderstood(command.error());
}
