#include "provisioner/http_client/proxy.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "provisioner/base/ids.hpp"

namespace provisioner::http_client {
namespace ip = boost::asio::ip;

namespace {

struct UrlDeleter {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string part_of(CURLU* url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, 0) != CURLUE_OK) return "";
    const std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
    return text;
}

bool is_this_host(const std::string& name) {
    std::array<char, 256> own{};
    const bool has_name = ::gethostname(own.data(), own.size() - 1) == 0;
    return name == "localhost" || (has_name && name == own.data());
}

/// Whether "http://10.0.0.1:3128" leads there; without a port libcurl takes 1080.
bool leads_to(const char* proxy, const ip::address& address, int port) {
    const std::unique_ptr<CURLU, UrlDeleter> url(curl_url());
    const unsigned int flags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;
    if (!url || curl_url_set(url.get(), CURLUPART_URL, proxy, flags) != CURLUE_OK) return false;
    const std::int64_t usual = part_of(url.get(), CURLUPART_SCHEME) == "https" ? 443 : 1080;
    if (base::parse_number(part_of(url.get(), CURLUPART_PORT)).value_or(usual) != port)
        return false;
    std::string host = part_of(url.get(), CURLUPART_HOST);
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
