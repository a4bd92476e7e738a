#include "provisioner/contents/sources.hpp"

#include <algorithm>
#include <cstring>

namespace provisioner::contents {

namespace {

constexpr std::size_t read_at_once = 256UL * 1024UL;
constexpr std::string_view gzip_begin = "\x1f\x8b";

class CheckedSource final : public Source {
 public:
    CheckedSource(std::unique_ptr<Source> from, const model::Content& expected)
        : from_(std::move(from)), hashed_(*from_), expected_(expected) {}

    std::size_t read(char* into, std::size_t size) override {
        if (at_end_) return 0;
        const std::size_t got = hashed_.read(into, size);
        if (got == 0 && size > 0) check();
        return got;
    }

 private:
    void check() {
        at_end_ = true;
        const model::Content found = hashed_.finish();
        if (found.size == expected_.size && found.sha256 == expected_.sha256) return;
        throw PlaceError("content " + expected_.name + " is damaged: " +
                         std::to_string(found.size) + " of " + std::to_string(expected_.size) +
                         " bytes, sha256 " + found.sha256 + " instead of " + expected_.sha256);
    }

    std::unique_ptr<Source> from_;
    HashedSource hashed_;
    model::Content expected_;
    bool at_end_ = false;
};

class WatchedSource final : public Source {
 public:
    WatchedSource(std::unique_ptr<Source> from, std::function<void()> watch)
        : from_(std::move(from)), watch_(std::move(watch)) {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t got = from_->read(into, size);
        watch_();
        return got;
    }

 private:
    std::unique_ptr<Source> from_;
    std::function<void()> watch_;
};

}  // namespace

std::size_t TextSource::read(char* into, std::size_t size) {
    const std::size_t count = std::min(size, text_.size() - at_);
    std::memcpy(into, text_.data() + at_, count);
    at_ += count;
    return count;
}

HashedSource::HashedSource(Source& from, Watch watch) : from_(from), watch_(std::move(watch)) {}

std::size_t HashedSource::read(char* into, std::size_t size) {
    const std::size_t got = from_.read(into, size);
    const std::string_view bytes(into, got);
    hash_.add(bytes);
    content_.size += got;
    if (begin_.size() < gzip_begin.size()) begin_ += bytes.substr(0, gzip_begin.size());
    if (watch_) watch_();
    return got;
}

model::Content HashedSource::finish() {
    content_.sha256 = hash_.finish();
    content_.is_gzip = begin_.starts_with(gzip_begin);
    return content_;
}

std::unique_ptr<Source> checked(std::unique_ptr<Source> from, const model::Content& expected) {
    return std::make_unique<CheckedSource>(std::move(from), expected);
}

std::unique_ptr<Source> watched(std::unique_ptr<Source> from, std::function<void()> watch) {
    return std::make_unique<WatchedSource>(std::move(from), std::move(watch));
}

std::size_t read_fully(Source& from, char* into, std::size_t size) {
    std::size_t all = 0;
    while (all < size) {
        const std::size_t got = from.read(into + all, size - all);
        if (got == 0) break;
        all += got;
    }
    return all;
}

void drain(Source& from) {
    std::string buffer(read_at_once, '\0');
    while (from.read(buffer.data(), buffer.size()) > 0) continue;
}

std::string text_of(Source& from) {
    std::string text;
    std::string buffer(read_at_once, '\0');
    while (const std::size_t got = from.read(buffer.data(), buffer.size())) {
        text.append(buffer, 0, got);
    }
    return text;
}

void expect_end(Source& from) {
    char more = 0;
    if (from.read(&more, 1) > 0) {
        throw std::runtime_error("there are more bytes than were announced");
    }
}

void throw_not_awaited(const std::string& name) {
    throw PlaceError("content " + name + " is no longer waited for");
}

void throw_wrong_size(std::uint64_t promised) {
    throw std::runtime_error("there are fewer bytes than the " + std::to_string(promised) +
                             " that were announced");
}

}  // namespace provisioner::contents
