#include "provisioner/automators/resource_files.hpp"

#include "provisioner/automators/node_files.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using remote::quote;

/// Bytes of an archive that the slowest supported node unpacks in a second.
constexpr std::uint64_t unpacked_per_second = 2'000'000;

std::string counted(std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// unpack <name> <tar> <checksum> <directory>. The file <tar>.unpacked is written last and holds
/// the version that is unpacked completely; a step that was killed half-way unpacks again.
constexpr auto unpack_function = R"sh(set -e
umask 022
unpack() {
    if [ -e "$4/$1" ] && [ "$(cat "$2.unpacked" 2>/dev/null)" = "$3" ]; then return; fi
    echo "unpacking $1"
    rm -rf "$2.unpacked" "$4/$1"
    cd "$4"
    tar --no-same-owner --no-same-permissions -xzf "$2"
    echo "$3" >"$2.unpacked"
}
)sh";

}  // namespace

void ResourceFiles::add_file(const Resource& resource, const std::string& path, int mode) {
    files_.push_back(
        {.path = path, .mode = mode, .sha256 = resource.sha256, .size = resource.size});
    paths_.push_back(path);
}

void ResourceFiles::add_archive(const Resource& resource, const std::string& directory,
                                const std::string& kept_in) {
    const std::string file = kept_in + "/" + resource.name + ".tar.gz";
    add_file(resource, file, readable);
    archives_.push_back({.name = resource.name,
                         .file = file,
                         .sha256 = resource.sha256,
                         .size = resource.size,
                         .directory = directory});
    paths_.push_back(file + ".unpacked");
    // The slash at the end distinguishes the directory from a file of the same name.
    paths_.push_back(directory + "/" + resource.name + "/");
}

std::string ResourceFiles::recall() const {
    std::string lines;
    for (const std::string& path : paths_) lines += path + "\n";
    return "brought=" + quote(home_ + "/brought") + "\nbringing=" + quote(lines) +
           R"sh(
printf %s "$bringing" >$brought.new
if [ -f $brought ]; then
    # With nothing to bring, nothing is kept; 1 is: everything is.
    recalled=$(grep -v -x -F -f $brought.new $brought) || [ $? -eq 1 ]
    printf %s "$recalled" | while read -r path || [ -n "$path" ]; do
        echo "taking away $path, which was recalled"
        rm -rf "$path"
    done
fi
mv -f $brought.new $brought
)sh";
}

void ResourceFiles::add_to(remote::Steps& steps) const {
    if (files_.empty()) return;
    steps.push_back(
        remote::Delivery{.label = "bring " + counted(files_.size(), "file"), .files = files_});
    if (archives_.empty()) return;
    steps.push_back(remote::Run{.label = "unpack " + counted(archives_.size(), "archive"),
                                .script = unpacking(),
                                .limit = file_work + time_to_unpack(),
                                .script_is_fixed = true});
}

std::chrono::seconds ResourceFiles::time_to_unpack() const {
    std::chrono::seconds time{0};
    for (const Archive& archive : archives_) {
        time += std::chrono::seconds(archive.size / unpacked_per_second);
    }
    return time;
}

std::string ResourceFiles::unpacking() const {
    std::string script = unpack_function;
    for (const Archive& archive : archives_) {
        script += "unpack " + quote(archive.name) + " " + quote(archive.file) + " " +
                  archive.sha256 + " " + quote(archive.directory) + "\n";
    }
    return script;
}

}  // namespace provisioner::automators
