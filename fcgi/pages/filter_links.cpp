#include "fcgi/pages/filter_links.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::grouped;
using provisioner::messages::translated;

std::string address_with(const std::string& path,
                         const std::vector<std::pair<std::string, std::string>>& parameters) {
    std::string query;
    for (const auto& [name, value] : parameters) {
        if (value.empty()) continue;
        query += query.empty() ? '?' : '&';
        query += name + '=' + http::percent_encode(value);
    }
    return path + query;
}

bool has_text(const std::string& text, const std::string& searched) {
    using provisioner::base::in_small_letters;
    return in_small_letters(text).find(in_small_letters(searched)) != std::string::npos;
}

Json filter_link(const std::string& label, const std::string& href, bool current) {
    Json json;
    json["label"] = label;
    json["href"] = href;
    json["current"] = current;
    return json;
}

std::string unknown_value(const std::string& what, const std::string& value,
                          const std::string& instead) {
    constexpr std::size_t longest = 60;
    const std::string text = provisioner::base::to_utf8(value);
    const std::string shown(provisioner::base::utf8_prefix(text, longest));
    return translated("Unknown {0} “{1}”; {2}.", what,
                      shown.size() < text.size() ? shown + "…" : shown, instead);
}

void forget_unknown(std::string& value, const std::string& what, std::vector<std::string>& notes) {
    if (value.empty()) return;
    notes.push_back(unknown_value(what, value, translated("showing all")));
    value.clear();
}

Json scope_links(const std::string& tenant, const std::string& of_tenant, const std::string& of_all,
                 bool is_of_all) {
    return {filter_link(tenant, of_tenant, !is_of_all),
            filter_link(translated("All tenants"), of_all, is_of_all)};
}

Json sorted_column_json(const std::string& label, const std::string& order,
                        const ColumnOrder& column, const std::string& path,
                        std::vector<std::pair<std::string, std::string>> parameters) {
    const bool is_first = order == column.word;
    const bool is_second = order == column.then;
    for (auto& [name, value] : parameters) {
        if (name == "order") value = is_first ? column.then : column.word;
    }
    const bool is_down = is_first == column.is_descending;
    const bool is_unordered = !is_first && !is_second;
    return {{"sort_href", address_with(path, parameters)},
            {"sort_label", label},
            {"direction", is_unordered ? "none"
                          : is_down    ? "descending"
                                       : "ascending"},
            {"arrow", is_unordered ? ""
                      : is_down    ? "↓"
                                   : "↑"}};
}

std::size_t Portion::end() const {
    return std::min(begin() + per_page, total);
}

std::size_t Portion::pages() const {
    return std::max<std::size_t>((total + per_page - 1) / per_page, 1);
}

Portion portion_of(std::size_t total, std::size_t per_page, std::size_t page) {
    Portion portion{.total = total, .per_page = per_page};
    portion.page = std::clamp<std::size_t>(page, 1, portion.pages());
    return portion;
}

std::size_t page_in(const http::Request& request, std::string_view name) {
    constexpr std::int64_t last = 1'000'000;
    const auto number = provisioner::base::parse_number(request.query_value(name).value_or(""));
    return number && *number >= 1 && *number <= last ? static_cast<std::size_t>(*number) : 1;
}

Json pager_json(std::size_t page, std::size_t pages, const std::string& words, const PagesOf& of) {
    if (pages <= 1) return nullptr;
    const auto link = [&](std::size_t number) {
        auto all = of.parameters;
        all.emplace_back(of.name, number == 1 ? std::string() : std::to_string(number));
        return address_with(of.path, all) + of.anchor;
    };
    const bool has_one_before = page > 1;
    const bool has_one_after = page < pages;
    Json json;
    json["pages_label"] = of.label.empty() ? translated("Pages") : of.label;
    json["words"] = words;
    json["at"] = translated("Page {0} of {1}", grouped(page), grouped(pages));
    json["first"] = page > 2 ? link(1) : std::string();
    json["previous"] = has_one_before ? link(page - 1) : std::string();
    json["next"] = has_one_after ? link(page + 1) : std::string();
    json["last"] = page + 1 < pages ? link(pages) : std::string();
    json["jump"] = nullptr;
    if (pages <= 3) return json;
    Json kept = Json::array();
    for (const auto& [name, value] : of.parameters) {
        if (!value.empty()) kept.push_back({{"name", name}, {"value", value}});
    }
    json["jump"] = {{"action", of.path + of.anchor},
                    {"kept", std::move(kept)},
                    {"name", of.name},
                    {"pages", pages}};
    return json;
}

Json pager_json(const Portion& portion, const std::string& path,
                const std::vector<std::pair<std::string, std::string>>& parameters,
                const std::string& name, const std::string& anchor, const std::string& label) {
    const std::string words = translated("{0} to {1} of {2}", grouped(portion.begin() + 1),
                                         grouped(portion.end()), grouped(portion.total));
    return pager_json(
        portion.page, portion.pages(), words,
        {.path = path, .parameters = parameters, .name = name, .anchor = anchor, .label = label});
}

}  // namespace fcgi::pages
