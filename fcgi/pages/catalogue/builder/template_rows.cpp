#include <algorithm>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "provisioner/base/ids.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::solver::TemplatePart;
using PartKind = TemplatePart::Kind;

namespace {

constexpr std::array part_words{std::pair{PartKind::together, "together"},
                                std::pair{PartKind::apart, "apart"},
                                std::pair{PartKind::hardware, "hardware"},
                                std::pair{PartKind::image, "image"},
                                std::pair{PartKind::at_most, "at-most"},
                                std::pair{PartKind::at_least, "at-least"},
                                std::pair{PartKind::services, "services"},
                                std::pair{PartKind::machines_at_least, "machines-at-least"},
                                std::pair{PartKind::machines_at_most, "machines-at-most"}};

std::string word_of_part(PartKind kind) {
    for (const auto& [candidate, word] : part_words) {
        if (candidate == kind) return word;
    }
    return "";
}

std::optional<TemplatePart> part_in(const Json& json) {
    const auto word = provisioner::base::text_at(json, "kind");
    const auto found = std::ranges::find_if(
        part_words, [&](const auto& candidate) { return candidate.second == word; });
    if (found == part_words.end()) return std::nullopt;
    TemplatePart part{.kind = found->first};
    part.services = provisioner::base::strings_of(provisioner::base::member(json, "services"));
    part.type = provisioner::base::text_at(json, "type");
    const auto* bound = provisioner::base::member(json, "bound");
    if (bound != nullptr && bound->is_number_integer()) part.bound = bound->get<int>();
    return part;
}

bool is_group(PartKind kind) {
    return kind == PartKind::together || kind == PartKind::apart;
}

bool is_size(PartKind kind) {
    return kind == PartKind::machines_at_least || kind == PartKind::machines_at_most;
}

/// Whether a row can be added for a minimum: where there are parents it would replace their limits
/// of the service.
bool can_add_minimum(const TemplateForm& form, const TemplatePart& part) {
    return part.kind == PartKind::at_least && part.bound.value_or(0) > 0 &&
           part.services.size() == 1 && form.extends.empty() && form.includes.empty() &&
           form.limits.size() < most_rows_of_a_form;
}

void apply(TemplateForm& form, const TemplatePart& part) {
    if (part.kind == PartKind::services) {
        form.services.clear();
        add_services(form, part.services);
        return;
    }
    const std::string bound = part.bound.value_or(0) > 0 ? std::to_string(*part.bound) : "";
    if (part.kind == PartKind::machines_at_least) form.size_min = bound;
    if (part.kind == PartKind::machines_at_most) form.size_max = bound;
    const int row = is_size(part.kind) ? -1 : row_of(form, part);
    if (row < 0 && can_add_minimum(form, part)) {
        form.limits.push_back({.service = part.services.front(), .min = bound});
    }
    if (row < 0) return;
    if (is_group(part.kind)) {
        form.groups.erase(form.groups.begin() + row);
        return;
    }
    auto& limit = form.limits[static_cast<std::size_t>(row)];
    const auto change_types = [&](std::vector<std::string>& types) {
        part.type.empty() ? types.clear() : types.push_back(part.type);
    };
    if (part.kind == PartKind::hardware) change_types(limit.hardware_types);
    if (part.kind == PartKind::image) change_types(limit.image_types);
    if (part.kind == PartKind::at_most) limit.max = bound;
    if (part.kind == PartKind::at_least) limit.min = bound;
}

void apply_all(TemplateForm& form, const std::string& text) {
    const auto changes = provisioner::base::parse_json(text);
    if (!changes || !changes->is_array()) return;
    for (const Json& change : *changes) {
        if (const auto part = part_in(change)) apply(form, *part);
    }
}

/// A button of a row: "remove-group.2".
struct RowButton {
    std::string verb;
    std::size_t row = 0;
};

RowButton row_button(const std::string& button) {
    const auto dot = button.find('.');
    if (dot == std::string::npos) return {button};
    const auto row = provisioner::base::parse_number(button.substr(dot + 1));
    return {button.substr(0, dot),
            row && *row >= 0 ? static_cast<std::size_t>(*row) : most_rows_of_a_form};
}

template <class Row>
void add_row(std::vector<Row>& rows) {
    if (rows.size() < most_rows_of_a_form) rows.emplace_back();
}

template <class Row>
void remove_row(std::vector<Row>& rows, std::size_t row) {
    if (row < rows.size()) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(row));
}

Problems as_json(TemplateForm& form) {
    const auto document = template_document(form);
    if (!document) return document.error();
    form.json = typed_json(without_unlimited_size(*document));
    form.is_json = true;
    return {};
}

Problems as_form(TemplateForm& form) {
    const auto document = template_document(form);
    if (!document) return document.error();
    const auto read = form.is_partial() ? partial_template_from_json(*document)
                                        : cluster_template_from_json(*document);
    if (!read) return read.error();
    auto other = template_form_of(form.kind, *read);
    other.was = form.was;
    other.version = form.version;
    other.line = form.line;
    other.draft = form.draft;
    other.seen = form.seen;
    other.note = form.note;
    other.from = form.from;
    other.to = form.to;
    form = std::move(other);
    return {};
}

}  // namespace

Problems press(TemplateForm& form, const std::string& button) {
    constexpr std::string_view apply_word = "apply:";
    if (button.starts_with(apply_word)) {
        // The form has the rows that the changes are about.
        if (form.is_json) {
            if (auto problems = as_form(form); !problems.empty()) return problems;
        }
        apply_all(form, button.substr(apply_word.size()));
        return {};
    }
    if (button == "json" && !form.is_json) return as_json(form);
    if (button == "form" && form.is_json) return as_form(form);
    const auto [verb, row] = row_button(button);
    if (verb == "add-group") add_row(form.groups);
    if (verb == "add-limit") add_row(form.limits);
    if (verb == "add-include") add_row(form.includes);
    if (verb == "add-link") add_row(form.links);
    if (verb == "remove-group") remove_row(form.groups, row);
    if (verb == "remove-limit") remove_row(form.limits, row);
    if (verb == "remove-include") remove_row(form.includes, row);
    if (verb == "remove-link") remove_row(form.links, row);
    if (verb == "raise-include" && row > 0 && row < form.includes.size()) {
        std::swap(form.includes[row - 1], form.includes[row]);
    }
    return {};
}

int row_of(const TemplateForm& form, const TemplatePart& part) {
    const auto index = [](const auto& rows, const auto& is_it) {
        const auto found = std::ranges::find_if(rows, is_it);
        return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
    };
    if (is_group(part.kind)) {
        return index(form.groups, [&](const auto& group) {
            return group.is_together == (part.kind == PartKind::together) &&
                   std::ranges::is_permutation(group.services, part.services);
        });
    }
    if (part.services.empty()) return -1;
    return index(form.limits,
                 [&](const auto& limit) { return limit.service == part.services.front(); });
}

void add_services(TemplateForm& form, const std::vector<std::string>& services) {
    const auto add = [&](std::vector<std::string>& names) {
        for (const std::string& service : services) {
            if (std::ranges::count(names, service) == 0) names.push_back(service);
        }
    };
    add(form.services);
    if (!form.fit_services.empty()) add(form.fit_services);
}

bool can_apply(const TemplateForm& form, const std::vector<TemplatePart>& parts) {
    return !parts.empty() && std::ranges::all_of(parts, [&](const TemplatePart& part) {
        return part.kind == PartKind::services || is_size(part.kind) || row_of(form, part) >= 0 ||
               can_add_minimum(form, part);
    });
}

std::string button_for(const std::vector<TemplatePart>& parts) {
    Json list = Json::array();
    for (const TemplatePart& part : parts) {
        Json json{{"kind", word_of_part(part.kind)}, {"services", part.services}};
        if (!part.type.empty()) json["type"] = part.type;
        if (part.bound) json["bound"] = *part.bound;
        list.push_back(std::move(json));
    }
    return "apply:" + provisioner::base::to_text(list);
}

}  // namespace fcgi::pages
