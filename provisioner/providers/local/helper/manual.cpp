#include "provisioner/providers/local/helper/manual.hpp"

namespace provisioner::providers::local {

const programs::Manual& manual() {
    static const programs::Manual manual{
        .name = "cooperage-local-host",
        .summary = "makes real hosts on this machine for Cooperage",
        .synopsis = "COMMAND [ARGUMENT...]",
        .description =
            {"A host has its own file system over a root that all share, its own address, "
             "processes "
             "and sshd. All commands need root. Those that make or report hosts print lines of "
             "JSON."},
        .commands =
            {{"root DIR [--mirror URL] [--cache PACKAGE...] [--install PACKAGE...]",
              "Builds the Debian root that hosts share, with packages they can install without a "
              "network (--cache) and packages they have (--install); without both, those of the "
              "first catalogue can be installed."},
             {"serve --config FILE [--wait N]",
              "Carries out start, status, stop and list for the daemon, who asks on the unix "
              "socket "
              "local.socket, until SIGTERM. Stands by N seconds while another process serves."},
             {"serve --socket S --group G --user U --state DIR --roots DIR [--max N] "
              "[--max-processes N] [--memory-mb N] [--machine-ports LIST] [--wait N] "
              "[--mix-tenants on|off]",
              "The same without a settings file, for the user U."},
             {"start NAME --state DIR --root DIR --hostname NAME --cluster NAME --key KEY [--user "
              "NAME] "
              "[--memory-mb N] [--cpus N] [--processes N] [--open LIST] [--machine-ports LIST] "
              "[--max N] [--task N] [--tenant NAME] [--mix-tenants on|off]",
              "The host of that name, made if it does not run. Hosts of other clusters reach the "
              "ports of --open and no others (80/tcp,8000-8100/udp), and all hosts those of "
              "--machine-ports on this machine. Where hosts cannot be isolated, "
              "those of a second tenant are refused unless --mix-tenants is on."},
             {"status NAME --state DIR", "What is known of one host."},
             {"list --state DIR", "What is known of all, a line each."},
             {"stop NAME --state DIR [--task N]",
              "Takes a host away, unless it was made for a later task."},
             {"cleanup --state DIR",
              "Removes all hosts of that state directory, and their network."}},
        .files = {{programs::default_config(), "The settings, see cooperage.conf(5)."}},
        .exit_codes = {{"0", "Done."},
                       {"1", "Failed; something may have been made."},
                       {"2", "The command line is wrong."},
                       {"3", "Refused; nothing was made."}},
        .see_also = {"cooperage-provisioner(8)", "cooperage.conf(5)"}};
    return manual;
}

std::string manual_text(bool is_page) {
    const boost::program_options::options_description none;
    return is_page ? programs::manual_page(manual(), none) : programs::help_text(manual(), none);
}

}  // namespace provisioner::providers::local
