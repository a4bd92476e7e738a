#pragma once

#include <string>
#include <vector>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace provisioner::http_client {

/// The servers that requests of this process may go to (setting `http.allowed`). An empty list
/// allows all of them.
class AllowedServers {
 public:
    AllowedServers() = default;
    /// Reads a list with commas: names ("api.example.com"), names with all below them
    /// (".example.com"), addresses and networks ("10.0.0.0/8", "2001:db8::/32"). Throws
    /// std::runtime_error that names every entry which is none of these.
    explicit AllowedServers(const std::string& list);

    bool is_empty() const { return names_.empty() && v4_.empty() && v6_.empty(); }
    /// Whether the host of an address, as it stands there, is on the list: by its name, or as an
    /// address in one of the networks. "[2001:db8::1]" is an address.
    bool has_host(const std::string& host) const;
    /// Whether the address is in one of the networks. IPv4 addresses written as IPv6 ones count as
    /// what they are.
    bool has_address(const boost::asio::ip::address& address) const;

 private:
    /// Takes one entry, without blanks around it; returns whether it is one.
    bool add(const std::string& entry);

    /// In small letters; those with all below them begin with a dot.
    std::vector<std::string> names_;
    std::vector<boost::asio::ip::network_v4> v4_;
    std::vector<boost::asio::ip::network_v6> v6_;
};

/// Lets all later requests of this process go to these servers only. Call it before any thread
/// starts.
void allow_only(AllowedServers servers);

/// What allow_only() was given last; at first an empty list.
const AllowedServers& allowed_servers();

}  // namespace provisioner::http_client
