#include "provisioner/contents/s3_contents.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "provisioner/contents/sources.hpp"
#include "provisioner/http_client/transfers.hpp"

namespace provisioner::contents {

namespace {

constexpr int most_tries = 4;
/// For files: no limit in all, but a minute without a byte ends the transfer.
constexpr std::chrono::milliseconds as_long_as_bytes_flow{0};
constexpr std::chrono::seconds removal_limit{10};
/// Signed as the hash of the body by requests without one.
constexpr auto sha256_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// Signed in place of the hash when the body is not known in advance.
constexpr auto unsigned_payload = "UNSIGNED-PAYLOAD";
/// How much of an upload is remembered, so that it can begin again. Beyond that a refused upload
/// fails.
constexpr std::size_t replay_size = 4UL << 20;
/// Bytes per request of a download.
constexpr std::uint64_t longest_range = 8ULL << 20;

bool only_of(std::string_view text, std::string_view more) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return plain || more.find(c) != std::string_view::npos;
    });
}

/// "host[:port]" of "scheme://host[:port]".
std::string host_of(const std::string& endpoint) {
    const auto begin = endpoint.find("://");
    return begin == std::string::npos ? "" : endpoint.substr(begin + 3);
}

/// No answer, or one after which another try may succeed.
bool may_pass(const http_client::Reply& reply) {
    if (reply.status == 0) return !reply.is_too_long;
    return reply.status == 429 || reply.status == 500 || reply.status == 502 ||
           reply.status == 503 || reply.status == 504;
}

/// The text of an element in an XML error of S3, at most 300 bytes; "" when there is none.
std::string element(const std::string& xml, const std::string& name) {
    const auto begin = xml.find("<" + name + ">");
    const auto end = xml.find("</" + name + ">");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
    const auto text = begin + name.size() + 2;
    return xml.substr(text, std::min<std::size_t>(end - text, 300));
}

std::string reason_of(const http_client::Reply& reply) {
    if (reply.status == 0) return reply.error;
    std::string reason = "answered " + std::to_string(reply.status);
    if (const auto code = element(reply.body, "Code"); !code.empty()) reason += " " + code;
    if (const auto text = element(reply.body, "Message"); !text.empty()) reason += ": " + text;
    return reason;
}

[[noreturn]] void fail_on_bucket(const S3Settings& settings, const std::string& what,
                                 const http_client::Reply& reply) {
    const std::string text = "cannot " + what + " the bucket " + settings.bucket + " at " +
                             settings.endpoint + ": " + reason_of(reply);
    // A 404 without this code may mean the bucket, or come from a proxy.
    if (reply.status == 404 && element(reply.body, "Code") == "NoSuchKey") throw NotThere(text);
    throw PlaceError(text);
}

http_client::Request request_for(const S3Settings& settings, const char* method,
                                 const std::string& name) {
    http_client::Request request;
    request.limit = as_long_as_bytes_flow;
    request.method = method;
    request.url = settings.endpoint + "/" + settings.bucket + "/" + settings.prefix + name;
    // libcurl 7.88 signs the host without its port unless the header is given, and hashes no
    // bodies.
    request.headers = {{"Host", host_of(settings.endpoint)},
                       {"x-amz-content-sha256", sha256_of_nothing}};
    request.signing = http_client::Signing{.region = settings.region,
                                           .service = "s3",
                                           .access_key = settings.access_key,
                                           .secret_key = settings.secret_key};
    return request;
}

void pause_before(int tries, const S3Settings& settings) {
    if (tries > 0) std::this_thread::sleep_for(settings.first_pause * (1 << (tries - 1)));
}

/// Repeats a request that may be repeated, up to the limit of tries.
http_client::Reply send_patiently(http_client::Transfers& transfers,
                                  const http_client::Request& request, const S3Settings& settings) {
    http_client::Reply reply;
    for (int tries = 0; tries < most_tries; ++tries) {
        pause_before(tries, settings);
        reply = transfers.send(request);
        if (!may_pass(reply)) break;
    }
    return reply;
}

/// A source whose first `replay_size` bytes can be read again.
class Replay {
 public:
    explicit Replay(Source& from) : from_(from) {}

    std::size_t read(char* into, std::size_t size) {
        if (at_ < seen_.size()) {
            const std::size_t count = std::min(size, seen_.size() - at_);
            std::memcpy(into, seen_.data() + at_, count);
            at_ += count;
            return count;
        }
        const std::size_t got = from_.read(into, size);
        overrun_ = overrun_ || seen_.size() + got > replay_size;
        if (!overrun_) seen_.append(into, got);
        at_ += got;
        return got;
    }

    /// False when more was read than is remembered.
    [[nodiscard]] bool begin_again() {
        at_ = 0;
        return !overrun_;
    }

    std::uint64_t given() const { return at_; }

 private:
    Source& from_;
    std::string seen_;
    std::uint64_t at_ = 0;
    bool overrun_ = false;
};

/// Requests one range after the other.
class RangesSource final : public Source {
 public:
    /// `range_size` is the number of bytes of each request.
    RangesSource(const S3Settings& settings, std::string name, std::uint64_t range_size)
        : settings_(settings), name_(std::move(name)), range_size_(range_size) {
        fetch();
    }

    std::size_t read(char* into, std::size_t size) override {
        if (at_ == range_.size() && !at_end_) fetch();
        const std::size_t count = std::min(size, range_.size() - at_);
        std::memcpy(into, range_.data() + at_, count);
        at_ += count;
        return count;
    }

 private:
    void fetch() {
        auto request = request_for(settings_, "GET", name_);
        std::string range = "bytes=" + std::to_string(offset_) + "-";
        range += std::to_string(offset_ + range_size_ - 1);
        request.headers.emplace_back("Range", std::move(range));
        request.longest_reply = longest_range;
        http_client::Reply reply = send_patiently(transfers_, request, settings_);
        if (reply.is_too_long) {
            reply.error = "it does not keep to the range of bytes it was asked for (" +
                          reply.error + "); a server of an S3 API has to know ranges";
        }
        // 416: the object ends before this range. 200: the server ignores ranges and sent the whole
        // object, which longest_reply limits to one range.
        const bool nothing_left = reply.status == 416;
        const bool whole = reply.status == 200 && offset_ == 0;
        if (!nothing_left && !whole && reply.status != 206) {
            fail_on_bucket(settings_, "read content " + name_ + " of", reply);
        }
        range_ = nothing_left ? "" : std::move(reply.body);
        at_ = 0;
        offset_ += range_.size();
        at_end_ = whole || range_.size() < range_size_;
    }

    S3Settings settings_;
    std::string name_;
    std::uint64_t range_size_;
    http_client::Transfers transfers_;
    std::string range_;
    std::size_t at_ = 0;
    std::uint64_t offset_ = 0;
    bool at_end_ = false;
};

}  // namespace

std::string problem_with(const S3Settings& settings) {
    const std::string& endpoint = settings.endpoint;
    const bool is_url = endpoint.starts_with("http://") || endpoint.starts_with("https://");
    const std::string host = host_of(endpoint);
    if (!is_url || host.empty() || !only_of(host, ".-:[]")) {
        return "resources.s3.endpoint has to be like https://s3.example.com, without a path";
    }
    if (settings.bucket.empty() || !only_of(settings.bucket, ".-_")) {
        return "resources.s3.bucket is no name of a bucket";
    }
    if (settings.region.empty() || !only_of(settings.region, "-_")) {
        return "resources.s3.region is no name of a region";
    }
    if (settings.prefix.starts_with('/') || !only_of(settings.prefix, "/._-")) {
        return "resources.s3.prefix may have letters, digits, . _ - and / that is not its first";
    }
    if (settings.access_key.empty() || settings.access_key.find(':') != std::string::npos) {
        return "resources.s3.access_key is no access key";
    }
    if (settings.secret_key.empty()) return "resources.s3.secret_key_file holds no key";
    return "";
}

S3Contents::S3Contents(S3Settings settings) : settings_(std::move(settings)) {
    if (const auto problem = problem_with(settings_); !problem.empty()) throw PlaceError(problem);
}

// The object may be stored although this throws: the reply was lost, or the source has more bytes.
// The caller removes it then.
void S3Contents::put(const std::string& name, Source& from, std::uint64_t size) {
    Replay replay(from);
    auto request = request_for(settings_, "PUT", name);
    request.headers.back().second = unsigned_payload;
    const http_client::Upload upload{
        .size = size, .read = [&](char* into, std::size_t wanted) {
            const std::size_t got =
                replay.read(into, std::min<std::uint64_t>(wanted, size - replay.given()));
            if (got == 0 && replay.given() < size) throw_wrong_size(size);
            return got;
        }};
    http_client::Transfers transfers;
    http_client::Reply reply;
    for (int tries = 0; tries < most_tries; ++tries) {
        if (!replay.begin_again()) break;
        pause_before(tries, settings_);
        reply = transfers.send(request, &upload);
        if (!may_pass(reply)) break;
    }
    if (reply.status / 100 != 2) fail_on_bucket(settings_, "write to", reply);
    expect_end(from);
}

std::unique_ptr<Source> S3Contents::open(const std::string& name) {
    return std::make_unique<RangesSource>(settings_, name, longest_range);
}

bool S3Contents::has_bytes(const std::string& name) {
    char first = 0;
    return RangesSource(settings_, name, 1).read(&first, 1) > 0;
}

void S3Contents::remove(const std::string& name) {
    http_client::Transfers transfers;
    auto request = request_for(settings_, "DELETE", name);
    request.limit = removal_limit;
    const http_client::Reply reply = send_patiently(transfers, request, settings_);
    const bool is_gone = reply.status / 100 == 2 || reply.status == 404;
    // A missing bucket does not prove that the object is gone: the setting may be wrong.
    if (!is_gone || element(reply.body, "Code") == "NoSuchBucket") {
        fail_on_bucket(settings_, "remove from", reply);
    }
}

}  // namespace provisioner::contents
