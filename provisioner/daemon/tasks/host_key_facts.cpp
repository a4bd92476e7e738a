#include "provisioner/daemon/tasks/host_key_facts.hpp"

#include <array>
#include <string_view>

namespace provisioner::daemon {

namespace {

/// Key types that the wire contract writes without "ssh-", the preferred one first.
constexpr std::array<std::string_view, 3> short_types{"ed25519", "rsa", "dss"};
constexpr std::string_view ssh = "ssh-";

}  // namespace

base::Json host_key_facts(const std::string& host_key) {
    const auto blank = host_key.find(' ');
    if (blank == std::string::npos) return base::Json::object();
    std::string type = host_key.substr(0, blank);
    if (type.starts_with(ssh)) type.erase(0, ssh.size());
    return {{"ssh_host_keys", {{type, host_key.substr(blank + 1)}}}};
}

std::string known_host_key(const base::Json& results) {
    const base::Json* keys = base::member(results, "ssh_host_keys");
    if (keys == nullptr || !keys->is_object() || keys->empty()) return "";
    const bool preferred = keys->contains(short_types.front());
    const auto chosen = preferred ? keys->find(short_types.front()) : keys->begin();
    if (!chosen->is_string()) return "";
    std::string type = chosen.key();
    for (const std::string_view name : short_types) {
        if (type == name) type.insert(0, ssh);
    }
    return type + " " + chosen->get<std::string>();
}

}  // namespace provisioner::daemon
