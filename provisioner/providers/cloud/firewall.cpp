#include "provisioner/providers/cloud/firewall.hpp"

#include <algorithm>
#include <iterator>

#include <boost/asio/ip/address.hpp>

#include "provisioner/base/ids.hpp"
#include "provisioner/model/catalogue/ports.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::cloud {

namespace {

/// A network with its length; a single address gets the full one. Nothing for other texts.
std::optional<std::string> range_in(const std::string& text) {
    const auto slash = text.find('/');
    boost::system::error_code wrong;
    const auto address = boost::asio::ip::make_address(text.substr(0, slash), wrong);
    if (wrong) return std::nullopt;
    const std::int64_t longest = address.is_v4() ? 32 : 128;
    const auto length =
        slash == std::string::npos ? longest : base::parse_number(text.substr(slash + 1));
    if (!length || *length > longest) return std::nullopt;
    return address.to_string() + "/" + std::to_string(*length);
}

std::vector<std::string> ranges_of(const Account& account, const MachineSpec& spec,
                                   std::string_view name) {
    std::vector<std::string> ranges;
    for (const std::string& text : list_in(setting(account, spec, name))) {
        if (auto range = range_in(text)) ranges.push_back(*std::move(range));
    }
    if (ranges.empty()) ranges = {"0.0.0.0/0", "::/0"};
    return ranges;
}

void check_ranges(const Account& account, const MachineSpec& spec, const std::string& name,
                  base::Problems& problems) {
    for (const std::string& text : list_in(setting(account, spec, name))) {
        if (!range_in(text))
            problems.push_back({name, "\"" + text + "\" is no network such as 192.0.2.0/24"});
    }
}

}  // namespace

std::vector<FirewallRule> wanted_rules(const Account& account, const MachineSpec& spec) {
    std::vector<FirewallRule> rules;
    for (const std::string& range : ranges_of(account, spec, "ssh_ranges")) {
        rules.push_back({.protocol = "tcp", .first_port = 22, .last_port = 22, .range = range});
    }
    const auto clients = ranges_of(account, spec, "client_ranges");
    for (const std::string& ports : spec.open_ports) {
        const auto open = model::port_range_in(ports);
        if (!open) continue;
        for (const std::string& range : clients) {
            rules.push_back({.protocol = open->protocol,
                             .first_port = open->first,
                             .last_port = open->last,
                             .range = range});
        }
    }
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
}

base::Problems check_rules(const Account& account, const MachineSpec& spec) {
    base::Problems problems;
    check_ranges(account, spec, "ssh_ranges", problems);
    check_ranges(account, spec, "client_ranges", problems);
    for (const std::string& ports : spec.open_ports) {
        if (!model::port_range_in(ports)) {
            problems.push_back(
                {"ports", "\"" + ports + "\" is not of the form 80/tcp or 8000-8100/udp"});
        }
    }
    return problems;
}

RuleChanges changes_of(const std::vector<FirewallRule>& there,
                       const std::vector<FirewallRule>& wanted) {
    RuleChanges changes;
    std::set_difference(wanted.begin(), wanted.end(), there.begin(), there.end(),
                        std::back_inserter(changes.missing));
    std::set_difference(there.begin(), there.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(changes.surplus));
    return changes;
}

}  // namespace provisioner::providers::cloud
