#pragma once

#include <array>
#include <exception>
#include <string>

#include "provisioner/http_client/curl_handle.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::http_client {

/// One request on a handle of libcurl: everything that is said about it, and what comes back.
/// libcurl holds its address from the beginning to the end of the transfer.
class Exchange {
 public:
    /// Sets the handle up, whatever was there before. All of them must outlive the exchange; with
    /// an upload the request's own body is not sent.
    Exchange(CURL* handle, const Request& request, const Upload* upload = nullptr);
    /// Leaves the handle as if nothing had been set; its connections stay.
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// What came back, after the transfer ended with `code`. Throws what the upload threw.
    Reply end(CURLcode code);

 private:
    static std::size_t give(char* into, std::size_t, std::size_t size, void* self);
    static std::size_t take(char* data, std::size_t, std::size_t size, void* self);
    static std::size_t take_header(char* data, std::size_t, std::size_t size, void* self);
    void set_limits();
    void set_trust();
    void set_signing();
    void set_body();
    void set_answer();
    /// Ends the transfer because of `what`, in a callback.
    std::size_t refuse(const char* what, std::size_t most);
    std::string reason_of(CURLcode code) const;

    CURL* handle_;
    const Request& request_;
    const Upload* upload_;
    HeaderLines lines_;
    std::array<char, CURL_ERROR_SIZE> error_{};
    Reply reply_;
    std::size_t header_bytes_ = 0;
    /// What of the reply was too long; empty: nothing.
    std::string excess_;
    std::exception_ptr broken_;
};

}  // namespace provisioner::http_client
