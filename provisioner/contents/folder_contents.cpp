#include "provisioner/contents/folder_contents.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "provisioner/contents/sources.hpp"

namespace provisioner::contents {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t copied_at_once = 256UL * 1024UL;

[[noreturn]] void fail_on_path(const std::string& what, const fs::path& path) {
    throw PlaceError("cannot " + what + " " + path.string() + ": " + std::strerror(errno));
}

/// A descriptor that is closed at the end of its scope.
class Descriptor {
 public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

    /// Some file systems report only here that a write has failed.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
    int number_;
};

void sync_folder(const fs::path& folder) {
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.number() < 0 || ::fsync(descriptor.number()) != 0) fail_on_path("write", folder);
}

/// Independent of the umask: the daemon that removes files may be another user of the same group.
void share_folder_with_group(const fs::path& folder) {
    struct stat found {};
    if (::stat(folder.c_str(), &found) != 0) fail_on_path("make", folder);
    // Keeps the bits inherited from the folder above, so that new files belong to its group.
    const mode_t inherited = found.st_mode & (S_ISUID | S_ISGID | S_ISVTX);
    if (::chmod(folder.c_str(), inherited | 0770U) != 0) fail_on_path("make", folder);
}

void make_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0770) != 0) {
        if (errno != EEXIST) fail_on_path("make", folder);
        return;
    }
    share_folder_with_group(folder);
    sync_folder(folder.parent_path());
}

fs::path unfinished(const fs::path& path) {
    return path.string() + ".part";
}

void write_all(int descriptor, const char* bytes, std::size_t size, const fs::path& path) {
    while (size > 0) {
        const ssize_t written = ::write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_on_path("write", path);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

void write_file(const fs::path& path, Source& from, std::uint64_t size) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0660));
    if (file.number() < 0 || ::fchmod(file.number(), 0660) != 0) fail_on_path("write", path);
    std::string buffer(copied_at_once, '\0');
    for (std::uint64_t left = size; left > 0;) {
        const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), left);
        if (read_fully(from, buffer.data(), wanted) < wanted) throw_wrong_size(size);
        write_all(file.number(), buffer.data(), wanted, path);
        left -= wanted;
    }
    expect_end(from);
    if (::fsync(file.number()) != 0 || !file.close()) fail_on_path("write", path);
}

[[noreturn]] void fail_to_open(const fs::path& path) {
    const int cause = errno;
    // An unmounted folder has no subfolders either, and its contents are not gone. So NotThere
    // needs an existing subfolder.
    std::error_code ignored;
    const bool is_gone = cause == ENOENT && fs::is_directory(path.parent_path(), ignored);
    if (is_gone) throw NotThere("there is no file " + path.string());
    errno = cause;
    fail_on_path("read", path);
}

class FileSource final : public Source {
 public:
    explicit FileSource(fs::path path)
        : path_(std::move(path)), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
        if (file_.number() < 0) fail_to_open(path_);
    }

    std::size_t read(char* into, std::size_t size) override {
        for (;;) {
            const ssize_t got = ::read(file_.number(), into, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) fail_on_path("read", path_);
        }
    }

 private:
    fs::path path_;
    Descriptor file_;
};

void remove_file(const fs::path& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_on_path("remove", path);
}

}  // namespace

// Names come from the database, which the web may write. What the daemon sends to nodes and clouds
// must not be another file of this machine.
fs::path FolderContents::path_of(const std::string& name) const {
    const bool is_ours = !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (!is_ours) throw PlaceError("content \"" + name + "\" has no name of a content");
    return folder_ / name.substr(0, 2) / name;
}

void FolderContents::expect_folder() const {
    // An unmounted folder looks empty, but the rows of its contents must not be removed.
    std::error_code ignored;
    if (fs::is_directory(folder_, ignored)) return;
    throw PlaceError("resources.folder: there is no folder " + folder_.string());
}

// The rename makes the complete file visible at once. The folder is synced after it, so that the
// name survives a crash. A failure may leave either name behind; remove() removes both.
void FolderContents::put(const std::string& name, Source& from, std::uint64_t size) {
    expect_folder();
    const fs::path path = path_of(name);
    make_folder(path.parent_path());
    try {
        write_file(unfinished(path), from, size);
        if (::rename(unfinished(path).c_str(), path.c_str()) != 0) fail_on_path("write", path);
        sync_folder(path.parent_path());
    } catch (...) {
        ::unlink(unfinished(path).c_str());
        throw;
    }
}

std::unique_ptr<Source> FolderContents::open(const std::string& name) {
    return std::make_unique<FileSource>(path_of(name));
}

void FolderContents::remove(const std::string& name) {
    expect_folder();
    const fs::path path = path_of(name);
    remove_file(unfinished(path));
    remove_file(path);
}

}  // namespace provisioner::contents
