#include "fcgi/pages/filter_links.hpp"

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
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

}  // namespace fcgi::pages
