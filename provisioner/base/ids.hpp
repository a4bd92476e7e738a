#pragma once

#include <charconv>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::base {

/// Key of a database row. `Tag` is an incomplete type that separates the tables, so that a TaskId
/// cannot be passed as a JobId. Declared as `using TaskId = Id<struct TaskTag>;`. Usable as key of
/// std::map and std::unordered_map.
template <class Tag>
struct Id {
    /// The AUTO_INCREMENT column. 0 means "not stored yet", or "none" where a member says so.
    std::int64_t value = 0;

    // clang-tidy 14 mistakes the operand that is compared with 0 here for a pointer.
    auto operator<=>(const Id&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// `value` in decimal, padded with leading zeros to `width` characters; never truncated. The sign
/// of a negative value comes after the zeros, so callers pass values >= 0.
std::string padded(std::int64_t value, int width);

/// The number, if the whole of `text` is decimal digits and fits 63 bits; otherwise nothing.
/// Refuses signs, blanks and an empty text; accepts leading zeros. Safe for text from outside.
std::optional<std::int64_t> parse_number(std::string_view text);

/// A random UUID (version 4, RFC 9562), lower case with hyphens, 36 characters. Throws as
/// random_hex.
std::string random_uuid();

/// `bytes` random bytes from the kernel (getrandom), as 2 * `bytes` lower-case hexadecimal digits.
/// Good enough for keys and tokens. Callers ask for at most 256 bytes: the kernel may return less
/// beyond that. Throws std::runtime_error when the kernel returns fewer bytes.
std::string random_hex(std::size_t bytes);

}  // namespace provisioner::base

/// Hash of an Id for unordered containers: the hash of its number.
template <class Tag>
struct std::hash<provisioner::base::Id<Tag>> {
    std::size_t operator()(const provisioner::base::Id<Tag>& id) const noexcept {
        return std::hash<std::int64_t>{}(id.value);
    }
};
