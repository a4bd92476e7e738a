#include "provisioner/macros/expand.hpp"

#include "provisioner/macros/evaluate.hpp"

namespace provisioner::macros {

namespace {

using base::Json;
using base::unexpected;

/// Where the next single '%' is at or after `from`; a pair of them is no delimiter.
std::size_t delimiter(std::string_view text, std::size_t from) {
    for (std::size_t i = text.find('%', from); i != std::string_view::npos;
         i = text.find('%', i + 2)) {
        if (!text.substr(i).starts_with("%%")) return i;
    }
    return std::string_view::npos;
}

struct Expansion {
    std::string text;
    int expanded = 0;
    int without_value = 0;
};

MacroError about(std::string_view macro, MacroError error) {
    error.macro = macro;
    return error;
}

base::expected<Expansion, MacroError> expansion(std::string_view text,
                                                const MacroContext& context) {
    Expansion result;
    std::size_t copied = 0;
    while (true) {
        const std::size_t begin = delimiter(text, copied);
        if (begin == std::string_view::npos) break;
        const std::size_t end = delimiter(text, begin + 1);
        if (end == std::string_view::npos) break;
        const std::string_view between = text.substr(begin + 1, end - begin - 1);
        const auto macro = parse(between);
        if (!macro) return unexpected(about(between, macro.error()));
        const auto value = evaluate(*macro, context);
        if (!value) return unexpected(about(between, value.error()));
        result.text += text.substr(copied, begin - copied);
        result.text += value->value_or("");
        ++(*value ? result.expanded : result.without_value);
        copied = end + 1;
    }
    result.text += text.substr(copied);
    return result;
}

/// Expands what is a string; nothing when all went well.
std::optional<MacroError> expand_in_place(Json& json, const MacroContext& context) {
    if (json.is_string()) {
        auto text = expand(json.get_ref<const std::string&>(), context);
        if (!text) return text.error();
        json = std::move(*text);
    }
    if (!json.is_structured()) return std::nullopt;
    for (const auto& [key, member] : json.items()) {
        auto error = expand_in_place(member, context);
        if (!error) continue;
        error->place = error->place.empty() ? key : key + "." + error->place;
        return error;
    }
    return std::nullopt;
}

}  // namespace

std::string to_text(const MacroError& error) {
    if (error.macro.empty() && error.place.empty()) return error.message;
    const std::string place = error.place.empty() ? "" : " in " + error.place;
    return error.message + " (%" + error.macro + "%" + place + ")";
}

base::expected<std::string, MacroError> expand(std::string_view text, const MacroContext& context) {
    auto result = expansion(text, context);
    if (!result) return unexpected(result.error());
    if (result->expanded == 0) return std::string(text);
    return std::move(result->text);
}

base::expected<Json, MacroError> expand_all(const Json& config, const MacroContext& context) {
    Json copy = config;
    if (auto error = expand_in_place(copy, context)) return unexpected(std::move(*error));
    return copy;
}

std::string expand_link(const std::string& url, const MacroContext& context) {
    const auto result = expansion(url, context);
    return !result || result->without_value > 0 ? url : result->text;
}

}  // namespace provisioner::macros
