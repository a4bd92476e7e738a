#include "fcgi/pages/catalogue/builder/template_controls.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages::builder {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;

namespace {

using ServiceSet = std::set<std::string>;

/// The services of each rule.
std::vector<ServiceSet> sets_of_groups(const TemplateForm& form) {
    std::vector<ServiceSet> sets;
    for (const auto& group : form.groups)
        sets.emplace_back(group.services.begin(), group.services.end());
    return sets;
}

/// What is said beside a rule that keeps services apart and another one puts on one machine; empty
/// if none does. Rules that contradict only together are for the preview: that depends on which
/// services a cluster has.
std::string contradiction_of(const TemplateForm& form, const std::vector<ServiceSet>& sets,
                             std::size_t rule) {
    if (form.groups[rule].is_together || sets[rule].size() < 2) return "";
    for (std::size_t other = 0; other < sets.size(); ++other) {
        if (form.groups[other].is_together && std::ranges::includes(sets[other], sets[rule])) {
            return translated("Contradicts rule {0}.", other + 1);
        }
    }
    return "";
}

/// What is read beside a label: the name, unless it is in it.
std::string beside(const std::string& text, const std::string& name) {
    return text == name || text.ends_with('(' + name + ')') ? "" : name;
}

Json limit_types_json(const TemplatePage& page, CatalogueKind kind, const std::string& legend,
                      const std::string& name, const Names& offered, const Names& chosen) {
    Json json;
    json["legend"] = legend;
    json["types_name"] = name;
    json["choices"] = choices_json(page.offer.around.labels, kind, offered, chosen);
    json["filter"] =
        filter_json(name, translated("Filter {0}", plural_words(kind)), json["choices"].size());
    json["list"] = name;
    return json;
}

}  // namespace

bool has(const Names& names, const std::string& name) {
    return std::ranges::count(names, name) > 0;
}

Names with_chosen(Names names, const Names& chosen) {
    for (const auto& name : chosen) {
        if (!name.empty() && !has(names, name)) names.push_back(name);
    }
    return names;
}

Names fitting(const Names& compatible, const Names& offered) {
    if (compatible.empty()) return offered;
    Names names;
    std::ranges::copy_if(offered, std::back_inserter(names),
                         [&](const std::string& name) { return has(compatible, name); });
    return with_chosen(std::move(names), compatible);
}

FormField text_control(const std::string& name, const std::string& label, const std::string& value,
                       const std::string& hint) {
    return {.id = "t-" + name, .name = name, .label = label, .value = value, .hint = hint};
}

FormField number_control(const std::string& name, const std::string& label,
                         const std::string& value, const std::string& hint) {
    auto field = text_control(name, label, value, hint);
    // No input of type number: a browser would send nothing of what it cannot read.
    field.inputmode = "numeric";
    return field;
}

Json choices_json(const Labels& labels, CatalogueKind kind, const Names& offered,
                  const Names& chosen) {
    Json choices = Json::array();
    for (const auto& name : with_chosen(offered, chosen)) {
        const std::string text = labels.of(kind, name);
        Json choice;
        choice["value"] = name;
        choice["text"] = text;
        choice["beside"] = beside(text, name);
        choice["checked"] = has(chosen, name);
        choices.push_back(std::move(choice));
    }
    return choices;
}

NamedTexts select_options(const Labels& labels, CatalogueKind kind, const Names& names) {
    NamedTexts options;
    for (const auto& name : names) {
        const std::string text = labels.of(kind, name);
        options.emplace_back(name, beside(text, name).empty() ? text : label_and_name(text, name));
    }
    return options;
}

NamedTexts select_options(const Names& names) {
    NamedTexts options;
    for (const auto& name : names) options.emplace_back(name, name);
    return options;
}

FormField select_control(const std::string& name, const std::string& label,
                         const std::string& value, NamedTexts options, const std::string& none,
                         const std::string& hint) {
    auto field = text_control(name, label, value, hint);
    field.control = FormField::Control::select;
    field.options = {{"", none}};
    for (auto& option : options) field.options.push_back(std::move(option));
    const bool is_there = std::ranges::any_of(
        field.options, [&](const auto& option) { return option.first == value; });
    if (!is_there) field.options.emplace_back(value, value);
    return field;
}

Names usable_services(const TemplatePage& page) {
    return with_chosen(fitting(page.form.fit_services, page.offer.services), page.form.services);
}

Json groups_rows_json(const TemplatePage& page) {
    const auto sets = sets_of_groups(page.form);
    const Names usable = usable_services(page);
    Json rows = Json::array();
    for (std::size_t i = 0; i < page.form.groups.size(); ++i) {
        const auto& group = page.form.groups[i];
        const std::string number = std::to_string(i);
        const std::string id = "group-" + number;
        const std::string name = "group." + number + ".services";
        const auto problem = messages_for(name, page.problems);
        Json row;
        row["id"] = id;
        row["number"] = i + 1;
        row["kind_name"] = "group." + number + ".kind";
        row["services_name"] = name;
        row["is_together"] = group.is_together;
        row["problem"] = problem;
        row["described_by"] = id + "-problem " + id + "-clash";
        row["contradiction"] = contradiction_of(page.form, sets, i);
        row["remove"] = "remove-group." + number;
        row["chosen"] = Json::array();
        for (const auto& service : group.services) {
            row["chosen"].push_back({{"chip", page.offer.around.labels.service(service)}});
        }
        row["has_chosen"] = !group.services.empty();
        row["is_open"] = group.services.empty() || !problem.empty();
        row["boxes"] =
            choices_json(page.offer.around.labels, CatalogueKind::service, usable, group.services);
        row["list"] = id + "-list";
        row["filter"] = filter_json(id + "-list",
                                    translated("Filter {0}", plural_words(CatalogueKind::service)),
                                    row["boxes"].size());
        rows.push_back(std::move(row));
    }
    return rows;
}

Json limit_rows_json(const TemplatePage& page) {
    const auto& form = page.form;
    const Labels& labels = page.offer.around.labels;
    const NamedTexts services =
        select_options(labels, CatalogueKind::service, usable_services(page));
    Json rows = Json::array();
    for (std::size_t i = 0; i < form.limits.size(); ++i) {
        const auto& limit = form.limits[i];
        const std::string number = std::to_string(i);
        const std::string name = "limit." + number;
        const std::string id = "limit-" + number;
        const auto control = [&](FormField field, const char* suffix) {
            field.id = id + "-" + suffix;
            field.name = name + "." + suffix;
            return to_json(field, page.problems);
        };
        Json row;
        row["id"] = id;
        row["title"] =
            limit.service.empty() ? translated("New limits") : labels.service(limit.service);
        row["service"] = control(select_control("", translated("Service"), limit.service, services,
                                                translated("Choose one")),
                                 "service");
        row["numbers"] = {
            control(number_control("", translated("Minimum machines"), limit.min), "min"),
            control(number_control("", translated("Maximum machines"), limit.max,
                                   translated("Empty: no maximum.")),
                    "max")};
        row["types"] = {
            limit_types_json(page, CatalogueKind::hardware_type,
                             translated("Hardware types it may run on"), name + ".hardwaretypes",
                             fitting(form.fit_hardware_types, page.offer.hardware_types),
                             limit.hardware_types),
            limit_types_json(page, CatalogueKind::image_type,
                             translated("Image types it may run on"), name + ".imagetypes",
                             fitting(form.fit_image_types, page.offer.image_types),
                             limit.image_types)};
        row["has_types"] = !limit.hardware_types.empty() || !limit.image_types.empty();
        row["remove"] = "remove-limit." + number;
        rows.push_back(std::move(row));
    }
    return rows;
}

Json include_rows_json(const TemplatePage& page) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < page.form.includes.size(); ++i) {
        const std::string number = std::to_string(i);
        auto select =
            select_control("", translated("Partial template {0}", i + 1), page.form.includes[i],
                           select_options(page.offer.partials), translated("Choose one"));
        select.id = "include-" + number;
        select.name = "include." + number + ".name";
        Json row;
        row["control"] = to_json(select, page.problems);
        row["number"] = i + 1;
        row["remove"] = "remove-include." + number;
        row["raise"] = i == 0 ? Json() : Json("raise-include." + number);
        row["raised"] = "include-" + std::to_string(i == 0 ? 0 : i - 1);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json link_rows_json(const TemplatePage& page) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < page.form.links.size(); ++i) {
        const std::string number = std::to_string(i);
        const auto& [label, url] = page.form.links[i];
        const auto control = [&](const char* suffix, const std::string& title,
                                 const std::string& value) {
            FormField field{.id = "link-" + number + "-" + suffix,
                            .name = "link." + number + "." + suffix,
                            .label = title,
                            .value = value};
            return to_json(field, page.problems);
        };
        Json row;
        row["controls"] = {control("label", translated("Label"), label),
                           control("url", translated("Address"), url)};
        row["number"] = i + 1;
        row["remove"] = "remove-link." + number;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace fcgi::pages::builder
