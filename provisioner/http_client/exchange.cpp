#include "provisioner/http_client/exchange.hpp"

#include <algorithm>
#include <cctype>

namespace provisioner::http_client {

namespace {

constexpr long stall_seconds = 60;
constexpr std::size_t most_header_bytes = 65'536;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

}  // namespace

Exchange::Exchange(CURL* handle, const Request& request, const Upload* upload)
    : handle_(handle), request_(request), upload_(upload) {
    curl_easy_reset(handle_);
    curl_easy_setopt(handle_, CURLOPT_URL, request_.url.c_str());
    curl_easy_setopt(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
    // On HTTP/2, requests to one host share a connection, and one that hangs would delay the
    // others.
    curl_easy_setopt(handle_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    // Otherwise cancelling a request would wait for a name server that does not answer.
    curl_easy_setopt(handle_, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle_, CURLOPT_USERAGENT, "cooperage");
    for (const auto& [name, value] : request_.headers) {
        std::string line = name;
        lines_.add(line.append(": ").append(value));
    }
    set_limits();
    set_trust();
    set_signing();
    set_body();
    set_answer();
}

Exchange::~Exchange() {
    curl_easy_reset(handle_);
}

void Exchange::set_limits() {
    const auto millis = [](std::chrono::milliseconds time) {
        return static_cast<long>(time.count());
    };
    curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT_MS, millis(request_.connect_limit));
    curl_easy_setopt(handle_, CURLOPT_TIMEOUT_MS, millis(request_.limit));
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, stall_seconds);
}

// libcurl checks certificates and host names by default, and no option here turns that off.
void Exchange::set_trust() {
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

void Exchange::set_signing() {
    if (!request_.signing) return;
    const Signing& signing = *request_.signing;
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
        // second.
        lines_.add("Expect:");
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
    exchange.reply_.headers.emplace_back(in_small_letters(trimmed(line.substr(0, colon))),
                                         trimmed(line.substr(colon + 1)));
    return size;
}

std::size_t Exchange::refuse(const char* what, std::size_t most) {
    excess_ = std::string(what) + " is longer than " + std::to_string(most) + " bytes";
    return 0;
}

std::string Exchange::reason_of(CURLcode code) const {
    if (!excess_.empty()) return excess_;
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
    }
    return std::move(reply_);
}

}  // namespace provisioner::http_client
