#include "provisioner/macros/expand.hpp"

#include <algorithm>

#include "provisioner/macros/evaluate.hpp"

namespace provisioner::macros {

namespace {

using base::Json;
using base::unexpected;

/// Position of the next single '%' at or after `from`; npos when there is none. "%%" is skipped.
std::size_t delimiter(std::string_view text, std::size_t from) {
    for (std::size_t i = text.find('%', from); i != std::string_view::npos;
         i = text.find('%', i + 2)) {
        if (!text.substr(i).starts_with("%%")) return i;
    }
    return std::string_view::npos;
}

/// Result of expansion(): the text, and how many macros had a value and how many had none.
struct Expansion {
    std::string text;
    int expanded = 0;
    int without_value = 0;
};

/// Adds the macro to an error from parse() or evaluate().
MacroError about(std::string_view macro, MacroError error) {
    error.macro = macro;
    return error;
}

/// Value of the macro in the text `between`; from the memo when it is the same for all nodes.
Evaluated value_of(std::string_view between, const MacroContext& context) {
    const auto macro = parse(between);
    if (!macro) return unexpected(about(between, macro.error()));
    const auto evaluated = [&]() -> Evaluated {
        auto value = evaluate(*macro, context);
        if (!value) return unexpected(about(between, value.error()));
        return value;
    };
    if (speaks_of_self(*macro)) return evaluated();
    const std::string key = "value of at most " + std::to_string(context.longest) + " bytes of ";
    return *base::kept<Evaluated>(context.memo, key + std::string(between), evaluated);
}

/// Texts between each two delimiters. The views point into `text`.
std::vector<std::string_view> macros_in(std::string_view text) {
    std::vector<std::string_view> macros;
    std::size_t begin = delimiter(text, 0);
    while (begin != std::string_view::npos) {
        const std::size_t end = delimiter(text, begin + 1);
        if (end == std::string_view::npos) break;
        macros.push_back(text.substr(begin + 1, end - begin - 1));
        begin = delimiter(text, end + 1);
    }
    return macros;
}

base::expected<Expansion, MacroError> expansion(std::string_view text,
                                                const MacroContext& context) {
    Expansion result;
    const char* copied = text.data();
    for (const std::string_view between : macros_in(text)) {
        const Evaluated value = value_of(between, context);
        if (!value) return unexpected(value.error());
        result.text.append(copied, between.data() - 1);
        result.text += value->value_or("");
        if (result.text.size() > context.longest) {
            return unexpected(about(between, too_long(context.longest).value()));
        }
        ++(*value ? result.expanded : result.without_value);
        copied = between.data() + between.size() + 1;
    }
    result.text.append(copied, text.data() + text.size());
    return result;
}

/// Whether the text has macros, none of which depends on the node. A macro that does not parse
/// counts as independent: its error is the same on all nodes.
bool is_for_all_nodes(std::string_view text) {
    const auto macros = macros_in(text);
    return !macros.empty() &&
           std::none_of(macros.begin(), macros.end(), [](std::string_view between) {
               const auto macro = parse(between);
               return macro && speaks_of_self(*macro);
           });
}

using Expanded = base::expected<std::shared_ptr<const std::string>, MacroError>;

/// Requires a memo. The entry is separate from those of value_of(), so expand() may use the memo
/// while this entry is computed.
Expanded expanded_for_all(const std::string& text, const MacroContext& context) {
    return *context.memo->get<Expanded>("expansion of " + text, [&]() -> Expanded {
        auto expanded = expand(text, context);
        if (!expanded) return unexpected(expanded.error());
        return std::make_shared<const std::string>(std::move(*expanded));
    });
}

/// What a document may still have.
struct Budget {
    std::size_t bytes = longest_document;
    std::size_t macros = most_macros;

    std::optional<MacroError> take_macros(std::size_t count) {
        if (count > macros) {
            return MacroError{.message = "the configuration has more than " +
                                         std::to_string(most_macros) + " macros"};
        }
        macros -= count;
        return std::nullopt;
    }

    std::optional<MacroError> take_bytes(std::size_t count) {
        if (count > bytes) {
            return MacroError{.message = "the configuration expands to more than " +
                                         std::to_string(longest_document) + " bytes"};
        }
        bytes -= count;
        return std::nullopt;
    }
};

/// Expands `json`, a string, in place; returns the error, or nothing on success.
std::optional<MacroError> expand_string(Json& json, const MacroContext& context,
                                        const ForAllNodes& for_all_nodes, Budget& budget) {
    const std::string from = json.get<std::string>();
    const std::size_t macros = macros_in(from).size();
    // Nothing grows without macros.
    if (macros == 0) return std::nullopt;
    if (auto error = budget.take_macros(macros)) return error;
    if (context.memo != nullptr && for_all_nodes && is_for_all_nodes(from)) {
        const Expanded expanded = expanded_for_all(from, context);
        if (!expanded) return expanded.error();
        if (auto error = budget.take_bytes((*expanded)->size())) return error;
        json = for_all_nodes(from, *expanded);
        return std::nullopt;
    }
    auto expanded = expand(from, context);
    if (!expanded) return expanded.error();
    if (auto error = budget.take_bytes(expanded->size())) return error;
    json = std::move(*expanded);
    return std::nullopt;
}

/// Does `change` with each string in `json`, at any depth, until one gives an error, which is
/// returned. Each level of the recursion puts its key before the error's place.
template <class SomeJson, class Change>
std::optional<MacroError> for_each_string(SomeJson& json, const Change& change) {
    if (json.is_string()) return change(json);
    if (!json.is_structured()) return std::nullopt;
    for (const auto& [key, member] : json.items()) {
        auto error = for_each_string(member, change);
        if (!error) continue;
        error->place = error->place.empty() ? key : key + "." + error->place;
        return error;
    }
    return std::nullopt;
}

}  // namespace

std::string to_text(const MacroError& error) {
    if (error.macro.empty() && error.place.empty()) return error.message;
    if (error.macro.empty()) return error.message + " (" + error.place + ")";
    constexpr std::size_t most = 200;
    const std::string macro =
        error.macro.size() > most ? error.macro.substr(0, most) + "…" : error.macro;
    const std::string place = error.place.empty() ? "" : " in " + error.place;
    return error.message + " (%" + macro + "%" + place + ")";
}

base::expected<std::string, MacroError> expand(std::string_view text, const MacroContext& context) {
    auto result = expansion(text, context);
    if (!result) return unexpected(result.error());
    if (result->expanded == 0) return std::string(text);
    return std::move(result->text);
}

base::expected<Json, MacroError> expand_all(const Json& config, const MacroContext& context,
                                            const ForAllNodes& for_all_nodes) {
    Json copy = config;
    Budget budget;
    auto error = for_each_string(
        copy, [&](Json& text) { return expand_string(text, context, for_all_nodes, budget); });
    if (error) return unexpected(*std::move(error));
    return copy;
}

std::optional<MacroError> first_malformed(const Json& config) {
    return for_each_string(config, [](const Json& text) -> std::optional<MacroError> {
        for (const std::string_view between : macros_in(text.get_ref<const std::string&>())) {
            const auto macro = parse(between);
            if (!macro) return about(between, macro.error());
        }
        return std::nullopt;
    });
}

std::string expand_link(const std::string& url, const MacroContext& context) {
    if (url.size() > longest_link) return "";
    MacroContext short_one = context;
    short_one.longest = longest_link;
    const auto result = expansion(url, short_one);
    return !result || result->without_value > 0 ? url : result->text;
}

}  // namespace provisioner::macros
