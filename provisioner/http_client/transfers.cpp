#include "provisioner/http_client/transfers.hpp"

#include "provisioner/http_client/exchange.hpp"

namespace provisioner::http_client {

struct Transfers::Connection {
    std::unique_ptr<CURL, EasyDeleter> handle = make_easy_handle();
};

Transfers::Transfers() : connection_(std::make_unique<Connection>()) {}
Transfers::~Transfers() = default;

Reply Transfers::send(const Request& request, const Upload* upload) {
    CURL* handle = connection_->handle.get();
    Exchange exchange(handle, request, upload);
    const CURLcode code = curl_easy_perform(handle);
    return exchange.end(code);
}

}  // namespace provisioner::http_client
