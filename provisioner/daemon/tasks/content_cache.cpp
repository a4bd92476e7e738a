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

/// Large enough that a call of the system costs little, small enough for thousands of nodes.
constexpr std::size_t piece_size = 256UL * 1024;
constexpr std::size_t fetches_at_once = 4;
/// Bytes of the disk that are not for the cache.
constexpr std::uint64_t left_to_others = 256UL * 1024 * 1024;
/// What has not grown for so long was left by a daemon that died.
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

/// A file that stays readable when it is taken out of the cache meanwhile.
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

/// Null when it is not there, or not whole, as after a loss of power.
std::unique_ptr<ContentReader> reader_of(const std::string& path, std::uint64_t size) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) return nullptr;
    struct stat found {};
    if (::fstat(file.number(), &found) != 0 || static_cast<std::uint64_t>(found.st_size) != size) {
        ::unlink(path.c_str());
        return nullptr;
    }
    // When it was used, whatever the file system says of reading.
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

void ContentCache::wait_for(const model::Content& content, Told told) {
    const std::lock_guard lock(mutex_);
    auto& waiting = fetching_[content.sha256];
    waiting.push_back(std::move(told));
    if (waiting.size() == 1) asio::post(threads_, [this, content] { fetch(content); });
}

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

void ContentCache::bring(const model::Content& content) {
    fs::create_directories(folder_);
    const std::string path = path_of(content);
    // It may have come in the moment before somebody asked for it.
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

// Another daemon may use the same folder: what is gone already is no error.
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
