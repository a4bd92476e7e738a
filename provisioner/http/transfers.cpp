#include "provisioner/http/transfers.hpp"

#include <array>
#include <exception>
#include <string>

#include "provisioner/http/curl_handle.hpp"

namespace provisioner::http {

namespace {

constexpr long connect_millis = 10'000;
constexpr long stall_seconds = 60;

/// What the callbacks of libcurl reach while a transfer is under way.
struct UnderWay {
    const Transfer& transfer;
    Reply reply{};
    std::exception_ptr broken{};
};

std::size_t give(char* into, std::size_t, std::size_t size, void* to) {
    auto& under_way = *static_cast<UnderWay*>(to);
    try {
        return under_way.transfer.upload->read(into, size);
    } catch (...) {
        // No exception may cross libcurl.
        under_way.broken = std::current_exception();
        return CURL_READFUNC_ABORT;
    }
}

std::size_t keep_or_refuse(char* data, std::size_t, std::size_t size, void* to) {
    auto& under_way = *static_cast<UnderWay*>(to);
    if (under_way.reply.body.size() + size > under_way.transfer.longest_reply) return 0;
    under_way.reply.body.append(data, size);
    return size;
}

HeaderLines header_lines(const Transfer& transfer) {
    HeaderLines lines;
    for (const auto& [name, value] : transfer.headers) {
        std::string line = name;
        lines.add(line.append(": ").append(value));
    }
    return lines;
}

void set_signing(CURL* curl, const Signing& signing) {
    const std::string scope = "aws:amz:" + signing.region + ":" + signing.service;
    const std::string keys = signing.access_key + ":" + signing.secret_key.reveal();
    curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, scope.c_str());
    curl_easy_setopt(curl, CURLOPT_USERPWD, keys.c_str());
}

void set_upload(CURL* curl, const Upload& upload, UnderWay& under_way) {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(upload.size));
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(curl, CURLOPT_READDATA, &under_way);
    curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024L);
}

void set_up(CURL* curl, UnderWay& under_way) {
    const Transfer& transfer = under_way.transfer;
    curl_easy_setopt(curl, CURLOPT_URL, transfer.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "cooperage");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_millis);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(transfer.limit.count()));
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, stall_seconds);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_or_refuse);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &under_way);
    if (transfer.signing) set_signing(curl, *transfer.signing);
    if (transfer.upload) set_upload(curl, *transfer.upload, under_way);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, transfer.method.c_str());
}

}  // namespace

struct Transfers::Connection {
    /// libcurl writes to it for as long as there is the handle, when a connection is closed too.
    std::array<char, CURL_ERROR_SIZE> error{};
    std::unique_ptr<CURL, EasyDeleter> handle = make_easy_handle();
};

Transfers::Transfers() : connection_(std::make_unique<Connection>()) {}
Transfers::~Transfers() = default;

Reply Transfers::send(const Transfer& transfer) {
    CURL* curl = connection_->handle.get();
    // Forgets options, not the connection.
    curl_easy_reset(curl);
    UnderWay under_way{.transfer = transfer};
    const HeaderLines lines = header_lines(transfer);
    set_up(curl, under_way);
    auto& error = connection_->error;
    error.front() = '\0';
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error.data());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines.lines());
    const CURLcode code = curl_easy_perform(curl);
    if (under_way.broken) std::rethrow_exception(under_way.broken);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK) {
        under_way.reply.status = static_cast<int>(status);
    } else {
        under_way.reply.error = error.front() == '\0' ? curl_easy_strerror(code) : error.data();
    }
    return std::move(under_way.reply);
}

}  // namespace provisioner::http
