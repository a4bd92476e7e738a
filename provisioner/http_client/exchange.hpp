#pragma once

#include <array>
#include <exception>
#include <string>

#include <boost/asio/ip/address.hpp>

#include "provisioner/http_client/curl_handle.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::http_client {

/// One request on one easy handle: translates a Request into options and collects the Reply. Used
/// by CurlClient on event loops and by Transfers on blocking threads, so both behave alike.
///
/// libcurl keeps the address of this object until the transfer has ended. So it cannot be copied or
/// moved. Its callbacks run on the thread that drives the transfer.
class Exchange {
 public:
    /// Resets the handle and sets all options. The handle, the request and the upload must outlive
    /// this object. With an upload, the body of the request is not sent. Throws std::runtime_error
    /// for a header, or a part of the signature, with a line break or a zero byte.
    Exchange(CURL* handle, const Request& request, const Upload* upload = nullptr);
    /// Resets the handle, so that it holds no pointers to this object. Its connections stay open.
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// Returns the reply after the transfer ended with `code`. Rethrows what the upload threw. Call
    /// it once.
    Reply end(CURLcode code);

 private:
    /// Callbacks of libcurl: the next bytes of the upload, a piece of the body, one header line.
    /// `self` is the Exchange.
    static std::size_t give(char* into, std::size_t, std::size_t size, void* self);
    static std::size_t take(char* data, std::size_t, std::size_t size, void* self);
    static std::size_t take_header(char* data, std::size_t, std::size_t size, void* self);
    /// Callbacks for requests that may not go everywhere: before a connection is made, and before
    /// the request goes by a connection, which may be a kept one that another request has made.
    static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address);
    static int look_at_peer(void* self, char* peer, char*, int peer_port, int);
    /// Called before a handshake with the context of OpenSSL.
    static CURLcode watch_certificate(CURL*, void* context, void* self);
    /// Whether the request may go to that address of its host; otherwise notes why not.
    bool may_reach(const boost::asio::ip::address& address, int port);
    /// Parts of the constructor, in the order in which they run. set_body() passes the header lines
    /// to libcurl. No line may be added after it.
    void set_headers();
    void set_reach();
    void set_limits();
    void set_trust();
    void set_signing();
    void set_body();
    void set_answer();
    /// Notes that `what` exceeds `most` bytes. Returns the value that makes libcurl end the
    /// transfer.
    std::size_t refuse(const char* what, std::size_t most);
    /// Why the transfer failed: the excess, else libcurl's own text.
    std::string reason_of(CURLcode code) const;

    /// Borrowed, as are the request and the upload; `upload_` is null without one.
    CURL* handle_;
    const Request& request_;
    const Upload* upload_;
    /// libcurl reads this list and writes to `error_` until the transfer has ended.
    HeaderLines lines_;
    std::array<char, CURL_ERROR_SIZE> error_{};
    /// Filled by the callbacks; end() moves it out.
    Reply reply_;
    /// The server's certificate (DER), if it is wanted.
    std::string certificate_;
    /// Bytes of all header lines so far, those of interim answers included.
    std::size_t header_bytes_ = 0;
    /// The part of the reply that was too long, and its limit; empty when none was.
    std::string excess_;
    /// Whether the list of allowed servers has the host as it stands in the address.
    bool is_host_allowed_ = false;
    /// Why an address was refused; empty when none was.
    std::string out_of_reach_;
    /// What the upload threw inside a callback; exceptions must not pass through libcurl.
    std::exception_ptr broken_;
};

}  // namespace provisioner::http_client
