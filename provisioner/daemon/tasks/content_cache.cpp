#include "provisioner/daemon/tasks/content_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/base/ids.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

/// Bytes of one read: large enough to make system calls cheap, small enough for thousands of
/// readers.
constexpr std::size_t piece_size = 256UL * 1024;
constexpr std::size_t fetches_at_once = 4;
/// Bytes of the disk that the cache leaves free.
constexpr std::uint64_t left_to_others = 256UL * 1024 * 1024;
/// A temporary file that has not grown for so long was left by a daemon that died.
constexpr std::chrono::hours longest_fetch{1};

[[noreturn]] void fail(const std::string& what, const std::string& path) {
    throw std::system_error(errno, std::generic_category(), what + " " + path);
}

class Descriptor {
 public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    int number() const { return number_; }

 private:
    int number_;
};

/// Reads through an open descriptor, so the file stays readable after the cache has deleted it.
class FileReader : public ContentReader {
 public:
    FileReader(Descriptor file, std::string path)
        : file_(std::move(file)), path_(std::move(path)) {}

    std::string_view next() override {
        if (piece_.empty()) piece_.resize(piece_size);
        const auto size = ::read(file_.number(), piece_.data(), piece_.size());
        if (size < 0) fail("cannot read", path_);
        return {piece_.data(), static_cast<std::size_t>(size)};
    }

 private:
    Descriptor file_;
    std::string path_;
    std::string piece_;
};

void write_all(const Descriptor& file, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const auto written = ::write(file.number(), bytes.data(), bytes.size());
        if (written < 0) fail("cannot write", path);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void copy(contents::Source& source, const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.number() < 0) fail("cannot make", path);
    std::string piece(piece_size, '\0');
    for (;;) {
        const std::size_t size = source.read(piece.data(), piece.size());
        if (size == 0) break;
        write_all(file, std::string_view(piece.data(), size), path);
    }
    if (::fdatasync(file.number()) != 0) fail("cannot write", path);
}

/// Null when the file is missing or incomplete, as after a loss of power; an incomplete one is
/// deleted.
std::unique_ptr<ContentReader> reader_of(const std::string& path, std::uint64_t size) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) return nullptr;
    struct stat found {};
    if (::fstat(file.number(), &found) != 0 || static_cast<std::uint64_t>(found.st_size) != size) {
        ::unlink(path.c_str());
        return nullptr;
    }
    // Marks the last use by the time of modification: file systems may not record reads (noatime).
    ::futimens(file.number(), nullptr);
    return std::make_unique<FileReader>(std::move(file), path);
}

}  // namespace

ContentCache::ContentCache(std::string folder, std::uint64_t limit, Fetch fetch)
    : folder_(std::move(folder)),
      limit_(limit),
      fetch_(std::move(fetch)),
      threads_(fetches_at_once) {}

ContentCache::~ContentCache() {
    threads_.join();
}

std::string ContentCache::path_of(const model::Content& content) const {
    return folder_ + "/" + content.sha256;
}

// After: a reader of a complete file, or an exception. The coroutine is resumed on its own
// executor, not on the cache's thread that calls back: the caller's state belongs to its loop.
// After a fetch the file may be gone again, evicted for another one; then the disk has no room for
// both.
asio::awaitable<std::unique_ptr<ContentReader>> ContentCache::open(model::Content content) {
    const std::string path = path_of(content);
    auto reader = reader_of(path, content.size);
    if (!reader) {
        auto executor = co_await asio::this_coro::executor;
        auto initiate = [this, &content, &executor](auto handler) {
            auto shared = std::make_shared<decltype(handler)>(std::move(handler));
            wait_for(content, [shared, executor](const std::exception_ptr& error) {
                asio::post(executor, [shared, error] { std::move (*shared)(error); });
            });
        };
        co_await asio::async_initiate<const asio::use_awaitable_t<>, void(std::exception_ptr)>(
            initiate, asio::use_awaitable);
        reader = reader_of(path, content.size);
    }
    if (!reader) throw std::runtime_error("no room in " + folder_ + " for a file");
    co_return std::move(reader);
}

// After: `told` will be called once. The first waiter of a checksum starts the fetch; the entry
// lives until fetch() extracts it under the same mutex. So a waiter joins the fetch under way or
// starts a new one. Two at once: never two fetches of one content in this process.
void ContentCache::wait_for(const model::Content& content, Told told) {
    const std::lock_guard lock(mutex_);
    auto& waiting = fetching_[content.sha256];
    waiting.push_back(std::move(told));
    if (waiting.size() == 1) asio::post(threads_, [this, content] { fetch(content); });
}

// Waiters are called without the mutex, because it must not be held while foreign code runs.
void ContentCache::fetch(const model::Content& content) {
    std::exception_ptr error;
    try {
        bring(content);
    } catch (...) {
        error = std::current_exception();
    }
    std::vector<Told> waiting;
    {
        const std::lock_guard lock(mutex_);
        waiting = std::move(fetching_.extract(content.sha256).mapped());
    }
    for (const Told& told : waiting) told(error);
}

// After: the file under the checksum is complete, or nothing is left. rename() is atomic, so a
// reader never sees a part of a file. Two at once (two daemons in one folder): each writes its own
// temporary file, and the second rename replaces equal bytes.
void ContentCache::bring(const model::Content& content) {
    fs::create_directories(folder_);
    const std::string path = path_of(content);
    // Another fetch may have written it between the caller's look and this one.
    if (fs::exists(path)) return;
    make_room(content.size);
    const std::string arriving = path + "." + base::random_hex(4);
    try {
        const auto source = fetch_(content);
        copy(*source, arriving);
        fs::rename(arriving, path);
    } catch (...) {
        std::error_code ignored;
        fs::remove(arriving, ignored);
        throw;
    }
}

void ContentCache::forget(const model::Content& content) {
    std::error_code ignored;
    fs::remove(path_of(content), ignored);
}

// Another daemon may use the same folder, so a file that is gone already is no error. Up to four
// threads run this at once, each without the size of the others' files: the limit may be exceeded
// by these. Temporary files of fetches under way are neither counted nor deleted.
void ContentCache::make_room(std::uint64_t size) {
    struct Used {
        fs::file_time_type at;
        std::uint64_t size;
        fs::path path;
    };
    std::vector<Used> files;
    std::uint64_t total = size;
    const auto recent = fs::file_time_type::clock::now() - longest_fetch;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code gone;
        const auto at = entry.last_write_time(gone);
        const auto bytes = gone ? 0 : entry.file_size(gone);
        if (gone) continue;
        const bool is_arriving = entry.path().has_extension();
        if (is_arriving && at < recent) fs::remove(entry.path(), gone);
        if (is_arriving) continue;
        total += bytes;
        files.push_back({at, bytes, entry.path()});
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    for (const Used& file : files) {
        if (total <= limit_ && fs::space(folder_).available >= size + left_to_others) return;
        std::error_code ignored;
        fs::remove(file.path, ignored);
        total -= file.size;
    }
}

}  // namespace provisioner::daemon
