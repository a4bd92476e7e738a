#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace provisioner::http_client {

/// Prepares libcurl for this process; does so once, however often it is called.
void initialise_curl();

/// What frees handles of libcurl.
struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

/// A handle, or std::runtime_error when libcurl gives none.
std::unique_ptr<CURL, EasyDeleter> make_easy_handle();

/// Header lines as libcurl takes them.
class HeaderLines {
 public:
    /// Adds one, for example "Expect:".
    void add(const std::string& line);

    /// Valid until the next is added.
    curl_slist* lines() const { return lines_.get(); }

 private:
    struct Deleter {
        void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    };

    std::unique_ptr<curl_slist, Deleter> lines_;
};

}  // namespace provisioner::http_client
