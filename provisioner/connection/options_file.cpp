#include "provisioner/connection/options_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace provisioner::connection {

std::string options_text(const Settings& settings, const Address& address) {
    std::string text = "[" + std::string(options_group) + "]\n";
    // MYSQL_PROTOCOL_TCP: the library takes "localhost" for the server's default socket otherwise.
    if (!address.is_socket()) text += "protocol=1\n";
    if (address.tls == Tls::off) return text;
    // OpenSSL's own least version is a setting of the host.
    text += "ssl-enforce=1\ntls-version=TLSv1.2,TLSv1.3\n";
    if (address.tls == Tls::verify) text += "ssl-verify-server-cert=1\n";
    const auto add = [&](const char* name, const std::string& path) {
        if (!path.empty()) text += std::string(name) + "=" + path + "\n";
    };
    // The library would verify against `ca` even where only encryption is asked for.
    if (address.tls == Tls::verify) add("ssl-ca", settings.ca);
    add("ssl-cert", settings.cert);
    add("ssl-key", settings.key);
    return text;
}

OptionsFile::OptionsFile(const std::string& text)
    : descriptor_(::memfd_create("database-options", MFD_CLOEXEC)) {
    // The tools of the server ignore a file that everybody may write.
    const bool is_written =
        descriptor_ >= 0 && ::fchmod(descriptor_, 0600) == 0 &&
        ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (is_written) return;
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw std::system_error(error, std::generic_category(), "no file in memory");
}

OptionsFile::~OptionsFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

OptionsFile::OptionsFile(OptionsFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace provisioner::connection
