#include "provisioner/migrate/files.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace provisioner::migrate {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace provisioner::migrate
