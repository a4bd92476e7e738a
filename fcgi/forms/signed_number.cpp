#include "fcgi/forms/signed_number.hpp"

#include <charconv>
#include <utility>

namespace fcgi::forms {

std::optional<std::int64_t> signed_number(const provisioner::base::Json& json) {
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (!std::in_range<std::int64_t>(number)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (!json.is_string()) return std::nullopt;
    const auto& text = json.get_ref<const std::string&>();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

}  // namespace fcgi::forms
