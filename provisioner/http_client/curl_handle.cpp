#include "provisioner/http_client/curl_handle.hpp"

#include <mutex>
#include <new>
#include <stdexcept>

namespace provisioner::http_client {

void initialise_curl() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

std::unique_ptr<CURL, EasyDeleter> make_easy_handle() {
    initialise_curl();
    std::unique_ptr<CURL, EasyDeleter> handle(curl_easy_init());
    if (!handle) throw std::runtime_error("libcurl gives no handle");
    return handle;
}

void HeaderLines::add(const std::string& line) {
    curl_slist* longer = curl_slist_append(lines_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(lines_.release());
    lines_.reset(longer);
}

}  // namespace provisioner::http_client
