#pragma once

#include <charconv>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::base {

/// A row's key that cannot be mistaken for another table's. 0 means "not stored yet".
template <class Tag>
struct Id {
    std::int64_t value = 0;

    // clang-tidy 14 takes what is compared with 0 here for a pointer.
    auto operator<=>(const Id&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// `value` in decimal, filled with zeros to `width` digits and longer when it needs more.
std::string padded(std::int64_t value, int width);

/// The whole of `text` as a non-negative decimal number; nothing for anything else or beyond 64
/// bits.
std::optional<std::int64_t> parse_number(std::string_view text);

/// A random UUID (version 4, RFC 9562), lower case with hyphens.
std::string random_uuid();

/// `bytes` random bytes from the kernel, as lower-case hexadecimal text of twice that length.
std::string random_hex(std::size_t bytes);

}  // namespace provisioner::base

template <class Tag>
struct std::hash<provisioner::base::Id<Tag>> {
    std::size_t operator()(const provisioner::base::Id<Tag>& id) const noexcept {
        return std::hash<std::int64_t>{}(id.value);
    }
};
