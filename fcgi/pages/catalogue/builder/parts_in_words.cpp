#include "fcgi/pages/catalogue/builder/parts_in_words.hpp"

#include <string>
#include <utility>
#include <vector>

#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;

namespace {

using Parts = std::vector<std::string>;

/// "3 services, base": those that say something.
std::string joined_parts(const Parts& parts, const std::string& otherwise) {
    std::string text;
    for (const auto& part : parts) {
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    }
    return text.empty() ? otherwise : text;
}

/// "3 services"; empty for none.
std::string count_in_words(std::size_t count, CatalogueKind kind) {
    if (count == 0) return "";
    return std::to_string(count) + ' ' + (count == 1 ? singular_title(kind) : plural_words(kind));
}

std::string size_in_words(const TemplateForm& form) {
    const std::string least = form.size_min.empty() ? "1" : form.size_min;
    return form.size_max.empty() ? translated("{0} or more machines", least)
                                 : translated("{0} to {1} machines", least, form.size_max);
}

std::string lease_in_words(const DurationForm& lease) {
    const auto part = [](const std::string& number, const std::string& unit) {
        return number.empty() || number == "0" ? "" : number + ' ' + unit;
    };
    return joined_parts(
        {part(lease.days, translated("days")), part(lease.hours, translated("hours")),
         part(lease.minutes, translated("minutes"))},
        translated("No end"));
}

}  // namespace

Json parts_in_words(const TemplateForm& form) {
    const std::string none = translated("None");
    const std::size_t rules = form.groups.size() + form.limits.size();
    const std::size_t links = form.links.size();
    Json json;
    json["general_says"] = form.label.empty() ? form.name : form.label;
    json["defaults_says"] = joined_parts(
        {count_in_words(form.services.size(), CatalogueKind::service), form.provider}, none);
    json["constraints_says"] = joined_parts(
        {size_in_words(form),
         rules == 0 ? "" : std::string(translated_count(rules, "{0} rule", "{0} rules"))},
        none);
    json["compatibility_says"] =
        joined_parts({count_in_words(form.fit_services.size(), CatalogueKind::service),
                      count_in_words(form.fit_hardware_types.size(), CatalogueKind::hardware_type),
                      count_in_words(form.fit_image_types.size(), CatalogueKind::image_type)},
                     translated("Everything"));
    json["lease_says"] = lease_in_words(form.lease_initial);
    json["parents_says"] = joined_parts(
        {form.extends.empty() ? "" : std::string(translated("Extends {0}", form.extends)),
         count_in_words(form.includes.size(), CatalogueKind::partial_template)},
        none);
    json["links_says"] =
        links == 0 ? none : std::string(translated_count(links, "{0} link", "{0} links"));
    return json;
}

}  // namespace fcgi::pages
