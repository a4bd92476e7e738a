#include "fcgi/monitoring/access.hpp"

#include <boost/asio/ip/address.hpp>
#include <stdexcept>

#include "provisioner/identity/constant_time.hpp"
#include "provisioner/identity/private_file.hpp"

namespace fcgi::monitoring {

namespace {

constexpr std::string_view scheme = "Bearer ";
constexpr std::size_t shortest_token = 16;

bool is_loopback(std::string_view address) {
    namespace ip = boost::asio::ip;
    boost::system::error_code is_none;
    const auto parsed = ip::make_address(std::string(address), is_none);
    if (is_none) return false;
    const bool is_mapped = parsed.is_v6() && parsed.to_v6().is_v4_mapped();
    if (is_mapped) return ip::make_address_v4(ip::v4_mapped, parsed.to_v6()).is_loopback();
    return parsed.is_loopback();
}

/// Whether the client asked for this host by a name that only this host has. Else a page of another
/// site could read the answer in a browser here: its own name may lead to 127.0.0.1 for a while.
bool asks_this_host(std::string_view host) {
    const auto end = host.starts_with('[') ? host.find(']') : host.find(':');
    if (host.starts_with('[') && end != std::string_view::npos) {
        return is_loopback(host.substr(1, end - 1));
    }
    host = host.substr(0, end);
    return host == "localhost" || is_loopback(host);
}

/// A server in front of ours on this host: then everybody seems to ask from here.
bool is_forwarded(const http::Request& request) {
    for (const char* header : {"x-forwarded-for", "forwarded", "x-real-ip"}) {
        if (!request.header(header).empty()) return true;
    }
    return false;
}

}  // namespace

bool Access::may_read(const http::Request& request) const {
    if (!token_) {
        return is_loopback(request.client) && asks_this_host(request.header("host")) &&
               !is_forwarded(request);
    }
    const std::string& given = request.header("authorization");
    return given.starts_with(scheme) &&
           provisioner::identity::are_equal_in_constant_time(
               std::string_view(given).substr(scheme.size()), token_->reveal());
}

Access access_from(const provisioner::base::Config& config) {
    const std::string path = config.get_or("metrics.token_file", "");
    if (path.empty()) return Access(std::nullopt);
    try {
        auto token = provisioner::identity::private_line(path);
        if (token.reveal().size() < shortest_token) {
            throw std::runtime_error("the token in " + path + " has less than 16 characters");
        }
        return Access(std::move(token));
    } catch (const std::exception& error) {
        throw std::runtime_error(std::string("metrics.token_file: ") + error.what());
    }
}

}  // namespace fcgi::monitoring
