#include "fcgi/pages/catalogue/builder/template_form.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/catalogue/edit.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::base::Problems;
using provisioner::base::unexpected;
using std::chrono::milliseconds;

namespace {

constexpr std::int64_t longest_time_part = 1'000'000;
constexpr std::int64_t a_minute = 60'000;

std::optional<std::string> text_or_nothing(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

DurationForm duration_form(milliseconds duration) {
    const auto minutes = duration.count() / a_minute;
    return {.days = std::to_string(minutes / 1440),
            .hours = std::to_string(minutes / 60 % 24),
            .minutes = std::to_string(minutes % 60),
            .rest = std::to_string(duration.count() % a_minute)};
}

milliseconds duration_in(const DurationForm& form, const std::string& name, Problems& problems) {
    const auto part = [](const std::string& text) { return text.empty() ? 0 : parse_number(text); };
    const auto days = part(form.days);
    const auto hours = part(form.hours);
    const auto minutes = part(form.minutes);
    const auto fits = [](const auto& number) {
        return number && *number >= 0 && *number <= longest_time_part;
    };
    if (fits(days) && fits(hours) && fits(minutes)) {
        const auto rest = part(form.rest);
        const bool has_rest = fits(rest) && *rest < a_minute;
        return milliseconds(((*days * 24 + *hours) * 60 + *minutes) * a_minute +
                            (has_rest ? *rest : 0));
    }
    problems.push_back({"administration.leaseduration." + name,
                        translated("Enter days, hours and minutes as whole numbers, 0 or more.")});
    return {};
}

DurationForm read_duration(const http::FormData& sent, const std::string& name) {
    return {.days = sent.trimmed(name + ".days"),
            .hours = sent.trimmed(name + ".hours"),
            .minutes = sent.trimmed(name + ".minutes"),
            .rest = sent.trimmed(name + ".rest")};
}

int bound_in(const std::string& text, int when_empty, int least, const std::string& field,
             Problems& problems) {
    if (text.empty()) return when_empty;
    const auto number = parse_number(text);
    if (number && *number >= least && *number <= no_maximum) return static_cast<int>(*number);
    problems.push_back({field, translated("Enter a whole number, at least {0}.", least)});
    return when_empty;
}

std::string bound_text(int bound, int when_empty) {
    return bound == when_empty ? "" : std::to_string(bound);
}

/// "group.3.services" is control "services" of the row with the key "3".
struct RowControl {
    std::string list;
    std::string key;
    std::string control;
};

std::optional<RowControl> row_control(const std::string& name) {
    const auto first = name.find('.');
    const auto second = first == std::string::npos ? first : name.find('.', first + 1);
    if (second == std::string::npos) return std::nullopt;
    return RowControl{name.substr(0, first), name.substr(first + 1, second - first - 1),
                      name.substr(second + 1)};
}

/// Rows in the order sent. Each begins with the control that it always has.
class RowReader {
 public:
    explicit RowReader(TemplateForm& form) : form_(form) {}

    void take(const RowControl& at, const std::string& value) {
        if (at.list == "group") take_group(at, value);
        if (at.list == "limit") take_limit(at, value);
        if (at.list == "include" && at.control == "name") form_.includes.push_back(value);
        if (at.list == "link") take_link(at, value);
    }

 private:
    template <class Row>
    Row& row(const RowControl& at, std::vector<Row>& rows) {
        const auto [found, is_new] = places_.try_emplace(at.list + '.' + at.key, rows.size());
        if (is_new) rows.emplace_back();
        return rows[found->second];
    }

    void take_group(const RowControl& at, const std::string& value) {
        auto& group = row(at, form_.groups);
        if (at.control == "kind") group.is_together = value == "together";
        if (at.control == "services") group.services.push_back(value);
    }

    void take_limit(const RowControl& at, const std::string& value) {
        auto& limit = row(at, form_.limits);
        if (at.control == "service") limit.service = value;
        if (at.control == "min") limit.min = http::trim(value);
        if (at.control == "max") limit.max = http::trim(value);
        if (at.control == "hardwaretypes") limit.hardware_types.push_back(value);
        if (at.control == "imagetypes") limit.image_types.push_back(value);
    }

    void take_link(const RowControl& at, const std::string& value) {
        auto& link = row(at, form_.links);
        (at.control == "label" ? link.first : link.second) = http::trim(value);
    }

    TemplateForm& form_;
    std::map<std::string, std::size_t> places_;
};

Constraints constraints_in(const TemplateForm& form, EmptyRows empty, Problems& problems) {
    Constraints rules;
    rules.size_min = bound_in(form.size_min, 1, 1, "constraints.size.min", problems);
    rules.size_max = bound_in(form.size_max, no_maximum, 1, "constraints.size.max", problems);
    for (std::size_t i = 0; i < form.groups.size(); ++i) {
        const auto& group = form.groups[i];
        if (group.services.empty()) {
            if (empty == EmptyRows::are_left_out) continue;
            problems.push_back({"group." + std::to_string(i) + ".services",
                                translated("Tick the services of this rule, or remove it.")});
            continue;
        }
        if (group.services.size() == 1) {
            problems.push_back({"group." + std::to_string(i) + ".services",
                                translated("A rule about one service has no effect: choose another "
                                           "one, or remove the rule.")});
        }
        (group.is_together ? rules.must_coexist : rules.cant_coexist).push_back(group.services);
    }
    for (std::size_t i = 0; i < form.limits.size(); ++i) {
        const auto& limit = form.limits[i];
        const std::string field = "limit." + std::to_string(i);
        if (empty == EmptyRows::are_left_out && limit == TemplateForm::Limit{}) continue;
        if (limit.service.empty()) {
            problems.push_back(
                {field + ".service", translated("Choose a service, or remove these limits.")});
            continue;
        }
        ServiceConstraint rule{.hardware_types = limit.hardware_types,
                               .image_types = limit.image_types};
        rule.min = bound_in(limit.min, 0, 0, field + ".min", problems);
        rule.max = bound_in(limit.max, no_maximum, 0, field + ".max", problems);
        if (rule.max < rule.min) {
            problems.push_back(
                {field + ".max", translated("The maximum must not be below the minimum.")});
        }
        if (constraint_on(rules, limit.service) != nullptr) {
            problems.push_back(
                {field + ".service", translated("{0} has limits already.", limit.service)});
            continue;
        }
        rules.services.emplace_back(limit.service, std::move(rule));
    }
    return rules;
}

Json config_in(const TemplateForm& form, Problems& problems) {
    if (http::trim(form.config).empty()) return Json::object();
    auto config = read_typed_json(form.config);
    if (config && config->is_object()) return *std::move(config);
    problems.push_back(
        {"defaults.config",
         config ? translated("The configuration must be an object: {...}.") : config.error()});
    return Json::object();
}

ClusterTemplate typed_template(const TemplateForm& form, EmptyRows empty, Problems& problems) {
    ClusterTemplate made;
    made.header = {.name = form.name,
                   .label = text_or_nothing(form.label),
                   .description = text_or_nothing(form.description),
                   .icon = text_or_nothing(form.icon)};
    made.lease = {.initial = duration_in(form.lease_initial, "initial", problems),
                  .max = duration_in(form.lease_max, "max", problems),
                  .step = duration_in(form.lease_step, "step", problems)};
    made.compatibility = {.hardware_types = form.fit_hardware_types,
                          .image_types = form.fit_image_types,
                          .services = form.fit_services};
    made.defaults = {.services = form.services,
                     .provider = text_or_nothing(form.provider),
                     .hardware_type = text_or_nothing(form.hardware_type),
                     .image_type = text_or_nothing(form.image_type),
                     .dns_suffix = text_or_nothing(form.dns_suffix),
                     .config = config_in(form, problems)};
    made.constraints = constraints_in(form, empty, problems);
    for (std::size_t i = 0; i < form.links.size(); ++i) {
        const auto& [label, url] = form.links[i];
        const std::string field = "link." + std::to_string(i);
        if (label.empty() && !url.empty()) {
            problems.push_back(
                {field + ".label", translated("Enter a label, or remove the link.")});
        }
        if (url.empty() && !label.empty()) {
            problems.push_back(
                {field + ".url", translated("Enter an address, or remove the link.")});
        }
        if (!label.empty() || !url.empty()) made.links.push_back({.label = label, .url = url});
    }
    if (form.is_partial()) {
        made.immutable = form.is_immutable;
        return made;
    }
    made.extends = text_or_nothing(form.extends);
    for (const auto& name : form.includes) {
        if (!name.empty()) made.includes.push_back(name);
    }
    made.includes = without_repetition(made.includes);
    return made;
}

Checked<Json> typed_document(const TemplateForm& form) {
    auto json = read_typed_json(form.json);
    if (!json) return unexpected(Problems{{"json", json.error()}});
    if (!json->is_object()) {
        return unexpected(Problems{{"json", translated("A template is an object: {...}.")}});
    }
    return *std::move(json);
}

void keep_order(std::vector<std::string>& names, const std::vector<std::string>& before) {
    std::map<std::string, std::size_t> places;
    for (const std::string& name : before) places.emplace(name, places.size());
    std::ranges::stable_sort(names, {}, [&](const std::string& name) {
        const auto found = places.find(name);
        return found == places.end() ? places.size() : found->second;
    });
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    return names;
}

}  // namespace

SeenVersion TemplateForm::version_seen() const {
    return {.version = static_cast<int>(parse_number(version).value_or(0)), .line = line};
}

TemplateForm template_form_of(CatalogueKind kind, const ClusterTemplate& stored) {
    const auto& [header, defaults, fit, rules, lease, links, extends, includes, immutable] = stored;
    TemplateForm form{.kind = kind,
                      .was = header.name,
                      .version = std::to_string(header.version),
                      .name = header.name,
                      .label = header.label.value_or(""),
                      .description = header.description.value_or(""),
                      .icon = header.icon.value_or(""),
                      .lease_initial = duration_form(lease.initial),
                      .lease_max = duration_form(lease.max),
                      .lease_step = duration_form(lease.step),
                      .fit_services = fit.services,
                      .fit_hardware_types = fit.hardware_types,
                      .fit_image_types = fit.image_types,
                      .services = defaults.services,
                      .provider = defaults.provider.value_or(""),
                      .hardware_type = defaults.hardware_type.value_or(""),
                      .image_type = defaults.image_type.value_or(""),
                      .dns_suffix = defaults.dns_suffix.value_or(""),
                      .config = defaults.config.empty() ? "" : typed_json(defaults.config),
                      .size_min = std::to_string(rules.size_min),
                      .size_max = bound_text(rules.size_max, no_maximum),
                      .extends = extends.value_or(""),
                      .includes = includes,
                      .is_immutable = immutable.value_or(false)};
    for (const auto& group : rules.must_coexist) form.groups.push_back({true, group});
    for (const auto& group : rules.cant_coexist) form.groups.push_back({false, group});
    for (const auto& [service, rule] : rules.services) {
        form.limits.push_back({.service = service,
                               .min = bound_text(rule.min, 0),
                               .max = bound_text(rule.max, no_maximum),
                               .hardware_types = rule.hardware_types,
                               .image_types = rule.image_types});
    }
    for (const Link& link : links) form.links.emplace_back(link.label, link.url);
    return form;
}

TemplateForm new_template_form(CatalogueKind kind) {
    TemplateForm form = template_form_of(kind, {});
    form.version.clear();
    return form;
}

TemplateForm read_template_form(CatalogueKind kind, const http::FormData& sent) {
    const auto seen = seen_version_in(sent.trimmed("version"));
    TemplateForm form{.kind = kind,
                      .was = sent.trimmed("was"),
                      .version = seen ? std::to_string(seen->version) : "",
                      .line = seen ? seen->line : std::nullopt,
                      .draft = sent.trimmed("draft"),
                      .seen = sent.trimmed("seen"),
                      .note = sent.trimmed("note"),
                      .name = sent.trimmed("name"),
                      .label = sent.trimmed("label"),
                      .description = sent.trimmed("description"),
                      .icon = sent.trimmed("icon"),
                      .lease_initial = read_duration(sent, "lease.initial"),
                      .lease_max = read_duration(sent, "lease.max"),
                      .lease_step = read_duration(sent, "lease.step"),
                      .fit_services = sent.all("compatibility.services"),
                      .fit_hardware_types = sent.all("compatibility.hardwaretypes"),
                      .fit_image_types = sent.all("compatibility.imagetypes"),
                      .services = sent.all("defaults.services"),
                      .provider = sent.trimmed("defaults.provider"),
                      .hardware_type = sent.trimmed("defaults.hardwaretype"),
                      .image_type = sent.trimmed("defaults.imagetype"),
                      .dns_suffix = sent.trimmed("defaults.dnsSuffix"),
                      .config = sent.first("defaults.config").value_or(""),
                      .size_min = sent.trimmed("constraints.size.min"),
                      .size_max = sent.trimmed("constraints.size.max"),
                      .extends = sent.trimmed("extends"),
                      .is_immutable = sent.has("immutable"),
                      .is_json = sent.has("json"),
                      .json = sent.first("json").value_or(""),
                      .from = sent.trimmed("from"),
                      .to = sent.trimmed("to")};
    // An entry that exists has no control for its name.
    if (!form.was.empty()) form.name = form.was;
    RowReader rows(form);
    for (const auto& [name, value] : sent.fields) {
        if (const auto at = row_control(name)) rows.take(*at, value);
    }
    return form;
}

void keep_order(TemplateForm& form, const TemplateForm& before) {
    keep_order(form.services, before.services);
    keep_order(form.fit_services, before.fit_services);
    keep_order(form.fit_hardware_types, before.fit_hardware_types);
    keep_order(form.fit_image_types, before.fit_image_types);
    // A rule has no name: it is the one of the same services.
    std::map<std::vector<std::string>, const std::vector<std::string>*> groups;
    for (const auto& group : before.groups) groups[sorted(group.services)] = &group.services;
    for (auto& group : form.groups) {
        const auto found = groups.find(sorted(group.services));
        if (found != groups.end()) group.services = *found->second;
    }
    std::map<std::string, const TemplateForm::Limit*> limits;
    for (const auto& limit : before.limits) limits[limit.service] = &limit;
    for (auto& limit : form.limits) {
        const auto found = limits.find(limit.service);
        if (found == limits.end()) continue;
        keep_order(limit.hardware_types, found->second->hardware_types);
        keep_order(limit.image_types, found->second->image_types);
    }
}

Checked<Json> template_document(const TemplateForm& form, EmptyRows empty) {
    if (form.is_json) {
        auto json = typed_document(form);
        if (!json) return json;
        auto unknown = unknown_in_text(form.kind, *json, form.json, "json");
        if (!unknown.empty()) return unexpected(std::move(unknown));
        return json;
    }
    Problems problems;
    const auto made = typed_template(form, empty, problems);
    auto json = to_json(made);
    json.erase("version");
    if (problems.empty()) return json;
    // What can be read may be wrong, too: everything is said at once.
    const auto whole =
        form.is_partial() ? partial_template_from_json(json) : cluster_template_from_json(json);
    if (!whole) problems.insert(problems.end(), whole.error().begin(), whole.error().end());
    return unexpected(std::move(problems));
}

Problems problems_with_form(const TemplateForm& form) {
    if (form.is_json) {
        const auto json = typed_document(form);
        if (!json) return json.error();
        auto problems = provisioner::operations::problems_with_entry(form.kind, *json);
        std::ranges::move(unknown_in_text(form.kind, *json, form.json, "json"),
                          std::back_inserter(problems));
        return problems;
    }
    Problems problems;
    auto json = to_json(typed_template(form, EmptyRows::are_problems, problems));
    for (auto& problem : provisioner::operations::problems_with_entry(form.kind, json)) {
        if (std::ranges::count(problems, problem) == 0) problems.push_back(std::move(problem));
    }
    return problems;
}

Checked<ClusterTemplate> template_in(const TemplateForm& form) {
    // A preview needs no name yet.
    TemplateForm named = form;
    if (named.name.empty()) named.name = "new";
    auto json = template_document(named, EmptyRows::are_left_out);
    if (!json) return unexpected(json.error());
    if (provisioner::base::text_at(*json, "name").empty()) (*json)["name"] = "new";
    return form.is_partial() ? partial_template_from_json(*json)
                             : cluster_template_from_json(*json);
}

}  // namespace fcgi::pages
