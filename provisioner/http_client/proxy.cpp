#include "provisioner/http_client/proxy.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "provisioner/base/ids.hpp"
#include "provisioner/http_client/url_parts.hpp"

namespace provisioner::http_client {
namespace ip = boost::asio::ip;

namespace {

bool is_this_host(const std::string& name) {
    std::array<char, 256> own{};
    const bool has_name = ::gethostname(own.data(), own.size() - 1) == 0;
    return name == "localhost" || (has_name && name == own.data());
}

/// Whether "http://10.0.0.1:3128" leads there; without a port libcurl takes 1080.
bool leads_to(const char* proxy, const ip::address& address, int port) {
    UrlParts parts = parts_of(proxy);
    if (parts.host.empty()) return false;
    const std::int64_t usual = parts.scheme == "https" ? 443 : 1080;
    if (base::parse_number(parts.port).value_or(usual) != port) return false;
    std::string& host = parts.host;
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    boost::system::error_code is_name;
    const auto literal = ip::make_address(host, is_name);
    return is_name ? address.is_loopback() && is_this_host(host) : literal == address;
}

}  // namespace

void use_proxy(const std::string& proxy, const std::string& exceptions) {
    if (proxy.empty()) return;
    for (const char* scheme : {"https_proxy", "http_proxy"}) {
        ::setenv(scheme, proxy.c_str(), 1);
    }
    ::setenv("no_proxy", exceptions.c_str(), 1);
}

bool is_proxy(const ip::address& address, int port) {
    for (const char* name :
         {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"}) {
        const char* proxy = std::getenv(name);
        if (proxy != nullptr && leads_to(proxy, address, port)) return true;
    }
    return false;
}

}  // namespace provisioner::http_client
