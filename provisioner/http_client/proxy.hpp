#pragma once

#include <string>

#include <boost/asio/ip/address.hpp>

namespace provisioner::http_client {

/// Sends all later requests of this process by a proxy, "http://proxy.example.org:3128", except
/// those to hosts in `exceptions`: names and networks with commas,
/// "localhost,.example.org,10.0.0.0/8". With an empty proxy the environment decides (`https_proxy`,
/// `http_proxy`, `no_proxy`). Call it before any thread starts: it changes the environment. Source:
/// https://curl.se/libcurl/c/libcurl-env.html.
void use_proxy(const std::string& proxy, const std::string& exceptions);

/// Whether a proxy of the environment is at that address of this host: one that is named by an
/// address, by "localhost" or by this host's name. Looks no name up.
bool is_proxy(const boost::asio::ip::address& address, int port);

}  // namespace provisioner::http_client
