#include "provisioner/daemon/tasks/own_host_key.hpp"

#include "provisioner/daemon/tasks/host_key_facts.hpp"

namespace provisioner::daemon {

namespace {

constexpr const char* next_fact = "ssh_host_key_next";

constexpr const char* origin_fact = "ssh_host_key_origin";

constexpr const char* make_next = R"sh(set -e
key=/etc/ssh/ssh_host_ed25519_key.next
if [ ! -s "$key.pub" ]; then
    rm -f "$key" "$key.pub"
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$key" </dev/null
fi
read -r type public rest <"$key.pub"
printf 'cooperage-fact ssh_host_key_next "%s %s"\n' "$type" "$public"
)sh";

// The public half moves last: while it lies there, the switch is not over.
constexpr const char* switch_to_next = R"sh(set -e
key=/etc/ssh/ssh_host_ed25519_key
[ ! -s "$key.next" ] || mv -f "$key.next" "$key"
[ ! -s "$key.next.pub" ] || mv -f "$key.next.pub" "$key.pub"
sync
reload() {
    if command -v systemctl >/dev/null && [ -d /run/systemd/system ]; then
        systemctl reload ssh 2>/dev/null || systemctl reload sshd 2>/dev/null ||
            systemctl is-active -q ssh.socket sshd.socket
    else
        service ssh reload 2>/dev/null || service sshd reload 2>/dev/null
    fi
}
reload >&2 </dev/null || kill -HUP "$(cat /run/sshd.pid /var/run/sshd.pid 2>/dev/null | head -n 1)"
)sh";

}  // namespace

remote::Run next_host_key_step() {
    return {.label = "make a host key of its own",
            .script = make_next,
            .limit = std::chrono::minutes{2},
            .facts = {next_fact},
            .script_is_fixed = true};
}

remote::Run switch_host_key_step() {
    return {.label = "replace the host key that travelled",
            .script = switch_to_next,
            .limit = std::chrono::minutes{2},
            .script_is_fixed = true};
}

std::string next_host_key(const base::Json& results) {
    const std::string key = base::text_at(results, next_fact);
    // The node reports it: nothing but one key of one line may become a trusted one.
    const bool is_one = key.starts_with("ssh-ed25519 ") && key.find('\n') == std::string::npos;
    return is_one ? key : "";
}

base::Json host_key_origin(const providers::Reachable& reachable) {
    if (reachable.host_key.empty()) return {{origin_fact, "pinned at the first contact"}};
    const bool carried = reachable.host_key_travelled;
    return {{origin_fact, carried ? "carried in user data" : "told by the provider"}};
}

base::Json switched_facts(const std::string& host_key) {
    base::Json facts = host_key_facts(host_key);
    facts[next_fact] = "";
    facts[origin_fact] = "the machine's own";
    return facts;
}

}  // namespace provisioner::daemon
