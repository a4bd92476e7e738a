#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace provisioner::http_client {

/// Initialises libcurl for this process. Only the first call has an effect; any thread may call it.
/// Without it libcurl would initialise itself at its first use, which is not safe with several
/// threads.
void initialise_curl();

/// Frees an easy handle of libcurl, with the connections it keeps.
struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

/// A new easy handle, after initialise_curl(). Throws std::runtime_error when libcurl cannot
/// allocate one. Only one thread at a time may use a handle.
std::unique_ptr<CURL, EasyDeleter> make_easy_handle();

/// Owns a list of header lines in libcurl's own format. It must outlive the transfer that uses it,
/// because libcurl does not copy the list.
class HeaderLines {
 public:
    /// Appends a line "Name: value". "Name:" alone removes a header that libcurl would add itself.
    /// Throws std::bad_alloc.
    void add(const std::string& line);

    /// The list; null while it is empty. Valid until the next line is added. Remains owned by this
    /// object.
    curl_slist* lines() const { return lines_.get(); }

 private:
    struct Deleter {
        void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    };

    std::unique_ptr<curl_slist, Deleter> lines_;
};

}  // namespace provisioner::http_client
