#include "fcgi/pages/catalogue/versions/difference.hpp"

#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/differences/member_words.hpp"
#include "fcgi/pages/differences/value_difference.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

/// More changed values than these are only in the lines.
constexpr std::size_t most_values_shown = 100;

Json shown_document(const Json& document) {
    if (document.is_null()) return document;
    auto shown = entry_for_people(document);
    shown.erase("version");
    return shown;
}

std::string text_of(const Json& shown) {
    return shown.is_null() ? "" : shown.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json difference_json(const Json& before, const Json& after) {
    const Json old = shown_document(before);
    const Json fresh = shown_document(after);
    auto json = text_difference_json(text_of(old), text_of(fresh));
    // An entry that is only on one side has nothing but new, or old, values.
    if (old.is_null() || fresh.is_null()) return json;
    auto values = in_words(value_differences(old, fresh));
    if (values.size() > most_values_shown) return json;
    json["has_values"] = !values.empty();
    json["values"] = std::move(values);
    return json;
}

}  // namespace fcgi::pages
