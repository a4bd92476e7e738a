#include "provisioner/identity/private_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

namespace {

/// Refuses any right of others, not only reading: who may write the file could replace the keys.
void refuse_open_file(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0 && (found.st_mode & S_IRWXO) != 0) {
        throw VaultError("everybody may read the keys in " + path + ": chmod o= " + path);
    }
}

}  // namespace

std::string private_file(const std::string& path) {
    refuse_open_file(path);
    std::ifstream file(path);
    if (!file) throw VaultError("cannot read " + path + ": " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

base::Secret private_line(const std::string& path) {
    std::string text = private_file(path);
    text.erase(std::min(text.size(), text.find_first_of("\r\n")));
    text.erase(text.find_last_not_of(" \t") + 1);
    if (text.empty()) throw VaultError("the first line of " + path + " is empty");
    return base::Secret(std::move(text));
}

}  // namespace provisioner::identity
