#include "provisioner/http/curl_client.hpp"

#include <map>
#include <stdexcept>

#include "provisioner/http/curl_handle.hpp"

namespace provisioner::http {

namespace {

constexpr std::size_t longest_body = 1 << 20;
constexpr int poll_millis = 1000;

struct MultiDeleter {
    void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};

std::size_t keep_what_fits(char* data, std::size_t, std::size_t size, void* to) {
    auto& body = *static_cast<std::string*>(to);
    body.append(data, std::min(size, longest_body - std::min(body.size(), longest_body)));
    return size;
}

/// A request under way. libcurl holds its address.
struct Exchange {
    std::unique_ptr<CURL, EasyDeleter> handle = make_easy_handle();
    HeaderLines headers;
    std::array<char, CURL_ERROR_SIZE> error{};
    Reply reply;

    void set_up(const Request& request) {
        CURL* curl = handle.get();
        // An empty Expect: bodies are small, and waiting for "100 Continue" costs a second.
        headers.add("Expect:");
        for (const auto& [name, value] : request.headers) {
            std::string line = name;
            headers.add(line.append(": ").append(value));
        }
        curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.lines());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request.body.size()));
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, request.body.data());
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.limit.count()));
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl, CURLOPT_USERAGENT, "cooperage");
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error.data());
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_what_fits);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
    }

    void end(CURLcode code) {
        long status = 0;
        curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
        if (code == CURLE_OK) {
            reply.status = static_cast<int>(status);
            return;
        }
        reply.error = error.front() == '\0' ? curl_easy_strerror(code) : error.data();
    }
};

class CurlClient final : public Client {
 public:
    CurlClient() {
        initialise_curl();
        multi_.reset(curl_multi_init());
        if (!multi_) throw std::runtime_error("libcurl gives no handle");
    }

    std::vector<Reply> send(std::span<const Request> requests) override {
        std::vector<Exchange> transfers(requests.size());
        std::map<CURL*, Exchange*> under_way;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            transfers[i].set_up(requests[i]);
            CURL* handle = transfers[i].handle.get();
            curl_multi_add_handle(multi_.get(), handle);
            under_way[handle] = &transfers[i];
        }
        while (!under_way.empty()) turn(under_way);
        std::vector<Reply> replies;
        replies.reserve(transfers.size());
        for (Exchange& transfer : transfers) replies.push_back(std::move(transfer.reply));
        return replies;
    }

 private:
    void turn(std::map<CURL*, Exchange*>& under_way) {
        int running = 0;
        curl_multi_perform(multi_.get(), &running);
        int left = 0;
        while (CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            // Removing the handle takes the message away.
            CURL* handle = message->easy_handle;
            const CURLcode code = message->data.result;
            under_way.at(handle)->end(code);
            curl_multi_remove_handle(multi_.get(), handle);
            under_way.erase(handle);
        }
        if (!under_way.empty()) curl_multi_poll(multi_.get(), nullptr, 0, poll_millis, nullptr);
    }

    std::unique_ptr<CURLM, MultiDeleter> multi_;
};

}  // namespace

std::unique_ptr<Client> make_curl_client() {
    return std::make_unique<CurlClient>();
}

}  // namespace provisioner::http
