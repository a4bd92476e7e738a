#pragma once

#include <string>

#include "provisioner/connection/settings.hpp"

namespace provisioner::connection {

/// The group of options_text().
constexpr auto options_group = "cooperage";

/// An options file of the client library that protects connections to `address`: encryption,
/// verification and files of certificates. Without passwords. Pure.
std::string options_text(const Settings& settings, const Address& address);

/// A file in memory that only this process sees, and children that inherit it. Both libraries take
/// most options of TLS only from a file, and read it again for every connection.
class OptionsFile {
 public:
    /// Throws std::system_error when there is no memory for it.
    explicit OptionsFile(const std::string& text);
    ~OptionsFile();
    OptionsFile(OptionsFile&& other) noexcept;
    OptionsFile& operator=(OptionsFile&&) = delete;

    /// A path in /proc that this process can open as long as the object lives.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    /// The open file, which children do not inherit by themselves.
    int number() const { return descriptor_; }

 private:
    int descriptor_ = -1;
};

}  // namespace provisioner::connection
