#include "provisioner/daemon/tasks/node_names.hpp"

#include <algorithm>

#include "provisioner/identity/sha256.hpp"

namespace provisioner::daemon {

namespace {

constexpr const char* names_file = "/var/lib/cooperage/names";

// Written in place: in containers /etc/hosts may be a mount, which cannot be replaced.
constexpr const char* keep_names = R"sh(set -e
hosts=/etc/hosts
new=$(mktemp)
awk '/^# begin of the cluster$/ { inside = 1 } !inside { print } /^# end of the cluster$/ { inside = 0 }' "$hosts" >"$new"
{ echo '# begin of the cluster'; cat /var/lib/cooperage/names; echo '# end of the cluster'; } >>"$new"
cmp -s "$new" "$hosts" || cat "$new" >"$hosts"
rm -f "$new"
)sh";

/// Whether a text is nothing but a name or an address: providers told it.
bool is_plain(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-' || c == ':' || c == '_';
    });
}

std::string address_of(const model::Node& node) {
    for (const char* type : {"bind_v4", "access_v4"}) {
        const auto found = node.addresses.find(type);
        if (found != node.addresses.end()) return found->second;
    }
    return "";
}

std::string line_of(const model::Node& node) {
    const std::string address = address_of(node);
    if (!is_plain(address) || !is_plain(node.hostname)) return "";
    const std::string first = node.hostname.substr(0, node.hostname.find('.'));
    return address + " " + node.hostname + (first == node.hostname ? "" : " " + first) + "\n";
}

}  // namespace

remote::Run names_step(const std::vector<std::shared_ptr<const model::Node>>& nodes) {
    auto names = std::make_shared<std::string>();
    for (const auto& node : nodes) *names += line_of(*node);
    identity::Sha256 hash;
    hash.add(*names);
    remote::DeliveredFile file{.path = names_file, .mode = 0644, .sha256 = hash.finish()};
    file.size = names->size();
    file.content = std::move(names);
    remote::Run step{.label = "keep the names of the cluster's nodes", .script = keep_names};
    step.limit = std::chrono::minutes{2};
    step.script_is_fixed = true;
    step.needs = {std::move(file)};
    return step;
}

}  // namespace provisioner::daemon
