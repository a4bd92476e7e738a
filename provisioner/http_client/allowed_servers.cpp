#include "provisioner/http_client/allowed_servers.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "provisioner/base/words.hpp"

namespace provisioner::http_client {
namespace ip = boost::asio::ip;

namespace {

AllowedServers& kept() {
    static AllowedServers servers;
    return servers;
}

/// An entry, or a host that ends with the dot of a whole name, as it is compared.
std::string plain(std::string name) {
    const auto first = name.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    name = name.substr(first, name.find_last_not_of(" \t") - first + 1);
    if (name.size() > 1 && name.ends_with('.')) name.pop_back();
    return base::in_small_letters(name);
}

bool is_name(std::string_view name) {
    if (name.starts_with('.')) name.remove_prefix(1);
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
    const bool has_letter = name.find_first_of("abcdefghijklmnopqrstuvwxyz") != name.npos;
    return has_letter && name.find_first_not_of(letters) == name.npos &&
           name.find("..") == name.npos && name.front() != '.';
}

}  // namespace

AllowedServers::AllowedServers(const std::string& list) {
    std::string wrong;
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ',');) {
        entry = plain(entry);
        if (entry.empty() || add(entry)) continue;
        wrong += (wrong.empty() ? "" : ", ") + entry;
    }
    if (!wrong.empty()) {
        throw std::runtime_error(
            "http.allowed: neither the name of a host, an address nor a network without bits "
            "behind its length: " +
            wrong);
    }
}

bool AllowedServers::add(const std::string& entry) {
    boost::system::error_code error;
    const bool is_network = entry.find('/') != std::string::npos;
    if (const auto v4 = ip::make_network_v4(is_network ? entry : entry + "/32", error); !error) {
        if (v4.canonical() != v4) return false;
        v4_.push_back(v4);
        return true;
    }
    if (const auto v6 = ip::make_network_v6(is_network ? entry : entry + "/128", error); !error) {
        if (v6.canonical() != v6) return false;
        v6_.push_back(v6);
        return true;
    }
    if (is_network || !is_name(entry)) return false;
    names_.push_back(entry);
    return true;
}

bool AllowedServers::has_host(const std::string& host) const {
    std::string name = plain(host);
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    const auto address = ip::make_address(name, error);
    if (!error) return has_address(address);
    return std::ranges::any_of(names_, [&](const std::string& one) {
        return one.starts_with('.') ? name == one.substr(1) || name.ends_with(one) : name == one;
    });
}

bool AllowedServers::has_address(const ip::address& address) const {
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return has_address(ip::make_address_v4(ip::v4_mapped, address.to_v6()));
    }
    if (address.is_v4()) {
        return std::ranges::any_of(v4_, [&](const ip::network_v4& network) {
            return ip::network_v4(address.to_v4(), network.prefix_length()).canonical() == network;
        });
    }
    return std::ranges::any_of(v6_, [&](const ip::network_v6& network) {
        return ip::network_v6(address.to_v6(), network.prefix_length()).canonical() == network;
    });
}

void allow_only(AllowedServers servers) {
    kept() = std::move(servers);
}

const AllowedServers& allowed_servers() {
    return kept();
}

}  // namespace provisioner::http_client
