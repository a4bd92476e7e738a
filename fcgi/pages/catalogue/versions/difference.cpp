#include "fcgi/pages/catalogue/versions/difference.hpp"

#include "fcgi/pages/catalogue/entries.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

std::string text_of(const Json& document) {
    if (document.is_null()) return "";
    auto shown = entry_for_people(document);
    shown.erase("version");
    return shown.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json difference_json(const Json& before, const Json& after) {
    return text_difference_json(text_of(before), text_of(after));
}

}  // namespace fcgi::pages
