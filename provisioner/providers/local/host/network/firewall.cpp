#include "provisioner/providers/local/host/network/firewall.hpp"

#include <arpa/inet.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>

#include "provisioner/providers/local/host/network/connections.hpp"
#include "provisioner/providers/local/host/network/rules.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

const fs::path kept_rules = "/run/cooperage/rules";

/// Between the parts of a kept text; no such line is in rules.
constexpr const char* divider = "\n----\n";

fs::path kept_of(int network) {
    return kept_rules / std::to_string(network);
}

/// What was loaded, and how the kernel lists it.
struct Kept {
    /// generation() at that time.
    std::string generation{};
    std::string rules{};
    std::string listing{};
};

std::optional<Kept> kept(int network) {
    const std::string text = read_file(kept_of(network)).value_or("");
    const auto first = text.find(divider);
    if (first == std::string::npos) return std::nullopt;
    const auto from = first + std::strlen(divider);
    const auto second = text.find(divider, from);
    if (second == std::string::npos) return std::nullopt;
    return Kept{.generation = text.substr(0, first),
                .rules = text.substr(from, second - from),
                .listing = text.substr(second + std::strlen(divider))};
}

void keep(int network, const Kept& what) {
    fs::create_directories(kept_rules);
    replace_file(kept_of(network), what.generation + divider + what.rules + divider + what.listing,
                 0600);
}

struct GenerationRequest {
    nlmsghdr header{};
    nfgenmsg family{};
};

/// The kernel's number of the last change of rules in this network namespace; nothing if it has no
/// nftables.
std::optional<std::uint32_t> number_of_change() {
    const Fd kernel(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER));
    if (kernel.get() < 0) return std::nullopt;
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    setsockopt(kernel.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    GenerationRequest request;
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETGEN;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    if (send(kernel.get(), &request, sizeof request, 0) < 0) return std::nullopt;
    std::array<char, 512> answer{};
    const ssize_t size = recv(kernel.get(), answer.data(), answer.size(), 0);
    constexpr std::size_t at = sizeof(nlmsghdr) + sizeof(nfgenmsg);
    nlmsghdr header{};
    nlattr attribute{};
    std::uint32_t number = 0;
    if (size < static_cast<ssize_t>(at + sizeof attribute + sizeof number)) return std::nullopt;
    std::memcpy(&header, answer.data(), sizeof header);
    std::memcpy(&attribute, answer.data() + at, sizeof attribute);
    std::memcpy(&number, answer.data() + at + sizeof attribute, sizeof number);
    const bool is_number = header.nlmsg_type == (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWGEN) &&
                           attribute.nla_type == NFTA_GEN_ID;
    return is_number ? std::optional(ntohl(number)) : std::nullopt;
}

/// Differs whenever somebody's rules have changed: the kernel's number, in this run of the machine
/// and this network namespace. Empty if the kernel does not say.
std::string generation() {
    const auto number = number_of_change();
    struct stat space {};
    if (!number || stat("/proc/self/ns/net", &space) != 0) return "";
    return this_boot() + " " + std::to_string(space.st_ino) + " " + std::to_string(*number);
}

/// Without what packets add to sets.
std::string listing_of(int network) {
    return run_tool({"nft", "--terse", "list", "table", "inet", table_of(network)});
}

bool is_listed_as(int network, const std::string& listing) {
    try {
        return !listing.empty() && listing_of(network) == listing;
    } catch (const Failure&) {
        return false;
    }
}

/// In front of rules: without what is there, whatever it is.
std::string removal_of(int network) {
    const std::string table = "table inet " + table_of(network) + "\n";
    return "add " + table + "delete " + table;
}

/// Who has how many connections is known only from then on. So what hosts have begun before is
/// forgotten: it would not count, and perhaps no rules were there when it began.
void load_anew(int network, const std::string& rules) {
    run_tool({"nft", "-f", "-"}, removal_of(network) + rules);
    forget_connections_from(network);
}

/// How the kernel lists the table; empty if there is none.
std::string listing_or_none(int network) {
    try {
        return listing_of(network);
    } catch (const Failure&) {
        return "";
    }
}

/// Puts the rules in the place of those that are there. Whether that could be done: there must be a
/// table with the same sets.
bool load_over(int network, const std::string& rules) {
    if (listing_or_none(network).empty()) return false;
    try {
        run_tool({"nft", "-f", "-"}, rules);
        return true;
    } catch (const Failure&) {
        return false;
    }
}

/// `listing` is how these rules were listed when they were loaded before; empty if they were not.
/// The generation is read before the listing: a change between them is then seen by the next call.
void load(int network, const std::string& rules, const std::string& listing) {
    // From here on drop_rules() knows that there can be a table.
    keep(network, {});
    const bool is_over = load_over(network, rules);
    const bool is_odd = is_over && !listing.empty() && !is_listed_as(network, listing);
    if (!is_over || is_odd) load_anew(network, rules);
    Kept now{.generation = generation(), .rules = rules, .listing = {}};
    now.listing = listing_of(network);
    keep(network, now);
}

}  // namespace

std::string hold_rules(int network, const std::string& rules) {
    try {
        const std::string now = generation();
        auto before = kept(network);
        const bool are_known = before && before->rules == rules;
        if (are_known && !now.empty() && before->generation == now) return "";
        if (are_known && is_listed_as(network, before->listing)) {
            before->generation = now;
            keep(network, *before);
            return "";
        }
        load(network, rules, are_known ? before->listing : "");
    } catch (const std::exception& error) {
        return "the rules that keep hosts in their network cannot be loaded (package nftables; "
               "CONFIG_NF_TABLES, CONFIG_NFT_FIB_INET, CONFIG_NF_CT_NETLINK and "
               "CONFIG_NF_CONNTRACK_TIMEOUT of the kernel): " +
               std::string(error.what());
    }
    return "";
}

bool has_rules(int network) {
    const auto last = kept(network);
    return last && !last->rules.empty();
}

std::string hold_last_rules(int network) {
    const auto last = kept(network);
    return !last || last->rules.empty() ? "" : hold_rules(network, last->rules);
}

void drop_rules(int network) {
    if (!fs::exists(kept_of(network))) return;
    try {
        run_tool({"nft", "-f", "-"}, removal_of(network));
    } catch (const Failure& failure) {
        std::cerr << "cooperage-local-host: " << failure.what() << "\n";
    }
    unlink(kept_of(network).c_str());
}

}  // namespace provisioner::providers::local
