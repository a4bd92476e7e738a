#include "provisioner/http_client/exchange.hpp"

#include <netinet/in.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <boost/asio/ip/tcp.hpp>

#include "provisioner/base/words.hpp"
#include "provisioner/http_client/allowed_servers.hpp"
#include "provisioner/http_client/own_addresses.hpp"
#include "provisioner/http_client/proxy.hpp"
#include "provisioner/http_client/url_parts.hpp"

namespace provisioner::http_client {

namespace {

constexpr long stall_seconds = 60;
constexpr std::size_t most_header_bytes = 65'536;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Such bytes would end the header, and begin another one or a request.
void check_no_break(const std::string& name, std::string_view text) {
    constexpr std::string_view breaks("\r\n\0", 3);
    if (text.find_first_of(breaks) == std::string_view::npos) return;
    throw std::runtime_error("the header " + name + " has a line break");
}

boost::asio::ip::tcp::endpoint endpoint_of(const curl_sockaddr& address) {
    boost::asio::ip::tcp::endpoint endpoint;
    const std::size_t size =
        address.family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    std::memcpy(endpoint.data(), &address.addr, size);
    return endpoint;
}

/// Whether the contexts of libcurl's TLS are those of OpenSSL.
bool is_with_openssl() {
    const char* version = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return version != nullptr && std::string_view(version).starts_with("OpenSSL/");
}

}  // namespace

Exchange::Exchange(CURL* handle, const Request& request, const Upload* upload)
    : handle_(handle), request_(request), upload_(upload) {
    curl_easy_reset(handle_);
    curl_easy_setopt(handle_, CURLOPT_URL, request_.url.c_str());
    curl_easy_setopt(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
    // Whatever the host's settings of OpenSSL allow.
    curl_easy_setopt(handle_, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(handle_, CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    // On HTTP/2, requests to one host share a connection, and one that hangs would delay the
    // others.
    curl_easy_setopt(handle_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    // Otherwise cancelling a request would wait for a name server that does not answer.
    curl_easy_setopt(handle_, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle_, CURLOPT_USERAGENT, "cooperage");
    set_headers();
    set_reach();
    set_limits();
    set_trust();
    set_signing();
    set_body();
    set_answer();
}

Exchange::~Exchange() {
    curl_easy_reset(handle_);
}

void Exchange::set_headers() {
    for (const auto& [name, value] : request_.headers) {
        check_no_break("of a request", name);
        check_no_break(name, value);
        std::string line = name;
        lines_.add(line.append(": ").append(value));
    }
}

void Exchange::set_reach() {
    const AllowedServers& allowed = allowed_servers();
    if (!request_.forbids_own_network && allowed.is_empty()) return;
    is_host_allowed_ = allowed.is_empty() || allowed.has_host(parts_of(request_.url).host);
    curl_easy_setopt(handle_, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(handle_, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(handle_, CURLOPT_PREREQFUNCTION, look_at_peer);
    curl_easy_setopt(handle_, CURLOPT_PREREQDATA, this);
}

void Exchange::set_limits() {
    const auto millis = [](std::chrono::milliseconds time) {
        return static_cast<long>(time.count());
    };
    curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT_MS, millis(request_.connect_limit));
    curl_easy_setopt(handle_, CURLOPT_TIMEOUT_MS, millis(request_.limit));
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, stall_seconds);
    if (request_.at_most_once) curl_easy_setopt(handle_, CURLOPT_FRESH_CONNECT, 1L);
}

// libcurl checks certificates and host names by default, and no option here turns that off.
void Exchange::set_trust() {
    if (request_.keeps_certificate && is_with_openssl()) {
        curl_easy_setopt(handle_, CURLOPT_SSL_CTX_FUNCTION, watch_certificate);
        curl_easy_setopt(handle_, CURLOPT_SSL_CTX_DATA, this);
    }
    if (request_.authorities.empty()) return;
    curl_blob blob{};
    blob.data = const_cast<char*>(request_.authorities.data());
    blob.len = request_.authorities.size();
    blob.flags = CURL_BLOB_NOCOPY;
    // Only the given authorities count, so those of the system are removed.
    curl_easy_setopt(handle_, CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(handle_, CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(handle_, CURLOPT_CAINFO_BLOB, &blob);
}

// The callback verifies as OpenSSL does without one, and keeps the certificate.
CURLcode Exchange::watch_certificate(CURL*, void* context, void* self) {
    const auto verify = [](X509_STORE_CTX* chain, void* exchange) {
        const int result = X509_verify_cert(chain);
        X509* certificate = X509_STORE_CTX_get0_cert(chain);
        unsigned char* der = nullptr;
        const int size = certificate == nullptr ? 0 : i2d_X509(certificate, &der);
        if (size > 0) {
            static_cast<Exchange*>(exchange)->certificate_.assign(
                reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
            OPENSSL_free(der);
        }
        return result;
    };
    auto* of_handshake = static_cast<SSL_CTX*>(context);
    // A later handshake of a kept connection would find the exchange gone.
    SSL_CTX_set_options(of_handshake, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_cert_verify_callback(of_handshake, verify, self);
    return CURLE_OK;
}

void Exchange::set_signing() {
    if (!request_.signing) return;
    const Signing& signing = *request_.signing;
    // libcurl makes a header of these.
    for (const auto& part : {signing.region, signing.service, signing.access_key}) {
        check_no_break("Authorization", part);
    }
    const std::string scope = "aws:amz:" + signing.region + ":" + signing.service;
    const std::string keys = signing.access_key + ":" + signing.secret_key.reveal();
    curl_easy_setopt(handle_, CURLOPT_AWS_SIGV4, scope.c_str());
    curl_easy_setopt(handle_, CURLOPT_USERPWD, keys.c_str());
}

void Exchange::set_body() {
    if (upload_ != nullptr) {
        curl_easy_setopt(handle_, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle_, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(upload_->size));
        curl_easy_setopt(handle_, CURLOPT_READFUNCTION, give);
        curl_easy_setopt(handle_, CURLOPT_READDATA, this);
        curl_easy_setopt(handle_, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024L);
    } else if (!request_.body.empty() || request_.method == "POST" || request_.method == "PUT") {
        // Removes the Expect header: bodies are small, and waiting for "100 Continue" costs a
        // second. libcurl 7.88 would sign the header that it does not send; it adds none of its own
        // to bodies of up to 1 MiB.
        if (!request_.signing) lines_.add("Expect:");
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request_.body.size()));
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, request_.body.data());
    } else if (request_.method == "HEAD") {
        curl_easy_setopt(handle_, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, lines_.lines());
}

void Exchange::set_answer() {
    curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, error_.data());
    curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle_, CURLOPT_HEADERDATA, this);
}

bool Exchange::may_reach(const boost::asio::ip::address& address, int port) {
    const bool is_by_proxy = is_proxy(address, port);
    if (!is_host_allowed_ && (is_by_proxy || !allowed_servers().has_address(address))) {
        out_of_reach_ =
            parts_of(request_.url).host + " is not among the servers of the setting http.allowed";
        return false;
    }
    if (!request_.forbids_own_network || !leads_to_own_network(address) || is_by_proxy) return true;
    out_of_reach_ = address.to_string() +
                    " belongs to this host, its local hosts or its link, where providers may not "
                    "lead (setting "
                    "http.own_network)";
    return false;
}

curl_socket_t Exchange::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    const bool is_ip = address->family == AF_INET || address->family == AF_INET6;
    if (!is_ip) return CURL_SOCKET_BAD;
    const auto endpoint = endpoint_of(*address);
    auto& exchange = *static_cast<Exchange*>(self);
    if (!exchange.may_reach(endpoint.address(), endpoint.port())) return CURL_SOCKET_BAD;
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int Exchange::look_at_peer(void* self, char* peer, char*, int peer_port, int) {
    boost::system::error_code is_none;
    const auto address = boost::asio::ip::make_address(peer, is_none);
    auto& exchange = *static_cast<Exchange*>(self);
    const bool is_fine = !is_none && exchange.may_reach(address, peer_port);
    return is_fine ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

std::size_t Exchange::give(char* into, std::size_t, std::size_t size, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    try {
        return exchange.upload_->read(into, size);
    } catch (...) {
        // An exception must not pass through libcurl, which is C.
        exchange.broken_ = std::current_exception();
        return CURL_READFUNC_ABORT;
    }
}

std::size_t Exchange::take(char* data, std::size_t, std::size_t size, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    std::string& body = exchange.reply_.body;
    const std::size_t room = exchange.request_.longest_reply - body.size();
    if (size > room && !exchange.request_.cuts_reply) {
        return exchange.refuse("the answer", exchange.request_.longest_reply);
    }
    body.append(data, std::min(size, room));
    return size;
}

std::size_t Exchange::take_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const std::string_view line(data, size);
    exchange.header_bytes_ += size;
    if (exchange.header_bytes_ > most_header_bytes) {
        return exchange.refuse("the head of the answer", most_header_bytes);
    }
    // Each answer begins with a status line. Headers before it belong to an interim answer, such as
    // "100 Continue".
    if (line.starts_with("HTTP/")) exchange.reply_.headers.clear();
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return size;
    exchange.reply_.headers.emplace_back(base::in_small_letters(trimmed(line.substr(0, colon))),
                                         trimmed(line.substr(colon + 1)));
    return size;
}

std::size_t Exchange::refuse(const char* what, std::size_t most) {
    excess_ = std::string(what) + " is longer than " + std::to_string(most) + " bytes";
    return 0;
}

std::string Exchange::reason_of(CURLcode code) const {
    if (!excess_.empty()) return excess_;
    if (!out_of_reach_.empty()) return out_of_reach_;
    return error_.front() == '\0' ? curl_easy_strerror(code) : error_.data();
}

Reply Exchange::end(CURLcode code) {
    if (broken_) std::rethrow_exception(broken_);
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK) {
        reply_.status = static_cast<int>(status);
    } else {
        reply_.error = reason_of(code);
        reply_.is_too_long = !excess_.empty();
        if (code == CURLE_PEER_FAILED_VERIFICATION) {
            long result = 0;
            curl_easy_getinfo(handle_, CURLINFO_SSL_VERIFYRESULT, &result);
            reply_.certificate_result = result;
            reply_.certificate = std::move(certificate_);
        }
    }
    return std::move(reply_);
}

}  // namespace provisioner::http_client
