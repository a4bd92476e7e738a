#include "provisioner/automators/resource_files.hpp"

#include "provisioner/automators/node_files.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using remote::quote;

std::string counted(std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// unpack <name> <tar> <checksum> <directory>. The stamp says which version lies there whole.
constexpr auto unpack_function = R"sh(set -e
umask 022
unpack() {
    if [ -e "$4/$1" ] && [ "$(cat "$2.unpacked" 2>/dev/null)" = "$3" ]; then return; fi
    echo "unpacking $1"
    rm -rf "$2.unpacked" "$4/$1"
    cd "$4"
    tar -xzf "$2"
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
    archives_.push_back(
        {.name = resource.name, .file = file, .sha256 = resource.sha256, .directory = directory});
    paths_.push_back(file + ".unpacked");
    paths_.push_back(directory + "/" + resource.name);
}

std::string ResourceFiles::recall() const {
    std::string lines;
    for (const std::string& path : paths_) lines += path + "\n";
    return "brought=" + quote(home_ + "/brought") + "\nbringing=" + quote(lines) +
           R"sh(
if [ -f $brought ]; then
    printf %s "$bringing" | grep -v -x -F -f - $brought | while read -r path; do
        echo "taking away $path, which was recalled"
        rm -rf "$path"
    done
fi
printf %s "$bringing" >$brought
)sh";
}

void ResourceFiles::add_to(remote::Steps& steps) const {
    if (files_.empty()) return;
    steps.push_back(
        remote::Delivery{.label = "bring " + counted(files_.size(), "file"), .files = files_});
    if (archives_.empty()) return;
    steps.push_back(remote::Run{.label = "unpack " + counted(archives_.size(), "archive"),
                                .script = unpacking(),
                                .limit = file_work * static_cast<int>(archives_.size())});
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
