#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::identity {

/// Passwords that an operator refuses besides the built-in list, for example those of known
/// breaches: one a line, the case of letters does not count.
class PasswordList {
 public:
    /// Files are not larger than this.
    static constexpr std::size_t most_bytes = 64UL * 1024 * 1024;

    PasswordList() = default;
    /// Empty lines and those that are longer than a password can be are left out.
    explicit PasswordList(std::string text);

    /// Reads a file. Throws std::runtime_error that names it when it cannot be read, is too large
    /// or has no password.
    static PasswordList of_file(const std::string& path);

    [[nodiscard]] bool contains(std::string_view password) const;
    std::size_t size() const { return words_.size(); }

 private:
    /// Moved as a whole, so that the words stay where they are.
    std::vector<char> text_{};
    std::vector<std::string_view> words_{};
};

/// The list of this process, which is_common_password() asks, too. Call it before threads start.
void use_password_list(PasswordList list);

/// That list; empty by default.
const PasswordList& password_list();

}  // namespace provisioner::identity
