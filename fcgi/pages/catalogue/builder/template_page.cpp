#include "fcgi/pages/catalogue/builder/template_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/builder/parts_in_words.hpp"
#include "fcgi/pages/catalogue/builder/template_controls.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using namespace builder;
using ServiceSet = std::set<std::string>;

namespace {

std::vector<FormField> general_fields(const TemplateForm& form) {
    auto name = text_control(
        "name", translated("Name"), form.name,
        translated("Letters, digits, dots, hyphens and underscores. It cannot be changed "
                   "later."));
    name.required = true;
    auto description = text_control("description", translated("Description"), form.description);
    description.control = FormField::Control::textarea;
    std::vector<FormField> fields;
    if (form.was.empty()) fields.push_back(name);
    fields.push_back(text_control("label", translated("Label"), form.label,
                                  translated("Shown instead of the name.")));
    fields.push_back(
        text_control("icon", translated("Icon"), form.icon,
                     translated("Address of a picture, for programs that use the API.")));
    fields.push_back(description);
    return fields;
}

std::vector<FormField> default_fields(const TemplateForm& form, const TemplateOffer& offer) {
    const auto types = [&](CatalogueKind kind, const Names& compatible, const Names& offered) {
        return select_options(offer.around.labels, kind, fitting(compatible, offered));
    };
    auto config = text_control(
        "defaults.config", translated("Configuration"), form.config,
        translated(
            "A JSON object that services read. Macros such as %host.service.db% are expanded."));
    config.control = FormField::Control::textarea;
    config.code = true;
    config.rows = 8;
    return {
        select_control(
            "defaults.provider", translated("Provider"), form.provider,
            select_options(offer.around.labels, CatalogueKind::provider, offer.providers),
            translated("None: users choose")),
        select_control(
            "defaults.hardwaretype", translated("Hardware type"), form.hardware_type,
            types(CatalogueKind::hardware_type, form.fit_hardware_types, offer.hardware_types),
            translated("Any compatible")),
        select_control("defaults.imagetype", translated("Image type"), form.image_type,
                       types(CatalogueKind::image_type, form.fit_image_types, offer.image_types),
                       translated("Any compatible")),
        text_control("defaults.dnsSuffix", translated("DNS suffix"), form.dns_suffix,
                     translated("Host names end with it, for example example.com.")),
        config};
}

std::vector<FormField> size_fields(const TemplateForm& form) {
    return {number_control("constraints.size.min", translated("Minimum machines"), form.size_min),
            number_control("constraints.size.max", translated("Maximum machines"), form.size_max,
                           translated("Empty: no maximum."))};
}

std::vector<FormField> parent_fields(const TemplateForm& form, const TemplateOffer& offer) {
    if (form.is_partial()) return {};
    return {select_control(
        "extends", translated("Extends"), form.extends, select_options(offer.templates),
        translated("Nothing"),
        translated("The template inherits from its parent. What is set here takes precedence."))};
}

FormField note_field(const TemplateForm& form) {
    return text_control("note", translated("Why"), form.note,
                        translated("A note for the history of versions."));
}

FormField json_field(const TemplateForm& form) {
    auto json = text_control("json", translated("Template as JSON"), form.json,
                             translated("The format of the API. Do not change the name."));
    json.control = FormField::Control::textarea;
    json.code = true;
    json.rows = 30;
    json.required = true;
    return json;
}

Json fields_json(const std::vector<FormField>& fields, const Problems& problems) {
    Json list = Json::array();
    for (const FormField& field : fields) list.push_back(to_json(field, problems));
    return list;
}

/// Boxes with the names of entries of a kind.
struct CheckGroup {
    std::string name{};
    std::string legend{};
    std::string hint{};
    CatalogueKind kind{};
    Names offered{};
    Names chosen{};
};

Json check_group(const TemplatePage& page, const CheckGroup& checks) {
    const std::string id = "t-" + checks.name;
    const auto problem = messages_for(checks.name, page.problems);
    auto choices =
        choices_json(page.offer.around.labels, checks.kind, checks.offered, checks.chosen);
    Json group;
    group["id"] = id;
    group["name"] = checks.name;
    group["legend"] = checks.legend;
    group["hint"] = checks.hint;
    group["problem"] = problem;
    group["described_by"] = id + "-hint" + (problem.empty() ? "" : " " + id + "-problem");
    group["has_choices"] = !choices.empty();
    group["filter"] = filter_json(id + "-list", translated("Filter {0}", plural_words(checks.kind)),
                                  choices.size());
    group["choices"] = std::move(choices);
    return group;
}

Json compatibility_json(const TemplatePage& page) {
    const auto& form = page.form;
    const auto& offer = page.offer;
    const std::string all = translated("Choose none to allow all.");
    return {
        check_group(page, {"compatibility.services", translated("Services"), all,
                           CatalogueKind::service, offer.services, form.fit_services}),
        check_group(page,
                    {"compatibility.hardwaretypes", translated("Hardware types"), all,
                     CatalogueKind::hardware_type, offer.hardware_types, form.fit_hardware_types}),
        check_group(page, {"compatibility.imagetypes", translated("Image types"), all,
                           CatalogueKind::image_type, offer.image_types, form.fit_image_types})};
}

Json lease_json(const TemplatePage& page) {
    const auto& form = page.form;
    struct Row {
        const char* name;
        std::string legend;
        std::string hint;
        const DurationForm& value;
    };
    const std::array rows{
        Row{"initial", translated("Lease"),
            translated("From the creation of a cluster. All zero: it has no expiry."),
            form.lease_initial},
        Row{"max", translated("Longest lease"),
            translated("From the creation, with all extensions. All zero: no limit."),
            form.lease_max},
        Row{"step", translated("Longest extension"),
            translated(
                "The most by which a user can extend the lease at a time. All zero: no limit."),
            form.lease_step}};
    Json list = Json::array();
    for (const Row& row : rows) {
        const std::string name = std::string("administration.leaseduration.") + row.name;
        const auto problem = messages_for(name, page.problems);
        const std::string id = std::string("lease-") + row.name;
        const std::string input = std::string("lease.") + row.name;
        const auto part = [&](const char* suffix, const std::string& label,
                              const std::string& value) {
            return Json{{"part_id", id + "-" + suffix},
                        {"part_name", input + "." + suffix},
                        {"part_label", label},
                        {"part_value", value}};
        };
        Json json;
        json["id"] = id;
        json["legend"] = row.legend;
        json["hint"] = row.hint;
        json["problem"] = problem;
        json["rest_name"] = input + ".rest";
        json["rest"] = row.value.rest;
        json["parts"] = {part("days", translated("Days"), row.value.days),
                         part("hours", translated("Hours"), row.value.hours),
                         part("minutes", translated("Minutes"), row.value.minutes)};
        list.push_back(std::move(json));
    }
    return list;
}

/// The button that adds what the services require.
std::string button_that_adds(const TemplatePage& page) {
    auto services = page.form.services;
    services.insert(services.end(), page.lacking.to_add.begin(), page.lacking.to_add.end());
    return button_for({{.kind = provisioner::solver::TemplatePart::Kind::services,
                        .services = std::move(services)}});
}

/// Ids of controls by the fields of problems, in the order of the form.
std::vector<NamedControl> named_controls(const TemplatePage& page) {
    const auto& form = page.form;
    const NamedControl checked = control_of_checked();
    if (form.is_json) {
        return {{"json", "t-json", "JSON"}, {"note", "t-note", translated("Why")}, checked};
    }
    std::vector<NamedControl> controls{
        {"name", "t-name", translated("Name")},
        {"label", "t-label", translated("Label")},
        {"icon", "t-icon", translated("Icon")},
        {"description", "t-description", translated("Description")},
        {"defaults.services", "t-defaults.services", translated("Default services")},
        {"defaults.provider", "t-defaults.provider", translated("Provider")},
        {"defaults.hardwaretype", "t-defaults.hardwaretype", translated("Hardware type")},
        {"defaults.imagetype", "t-defaults.imagetype", translated("Image type")},
        {"defaults.dnsSuffix", "t-defaults.dnsSuffix", translated("DNS suffix")},
        {"defaults.config", "t-defaults.config", translated("Configuration")},
        {"constraints.size.min", "t-constraints.size.min", translated("Minimum machines")},
        {"constraints.size.max", "t-constraints.size.max", translated("Maximum machines")},
        {"constraints.layout.mustcoexist", "sharing", translated("Sharing machines")},
        {"constraints.layout.cantcoexist", "sharing", translated("Sharing machines")}};
    for (std::size_t i = 0; i < form.groups.size(); ++i) {
        const std::string number = std::to_string(i);
        controls.push_back(
            {"group." + number + ".services", "group-" + number, translated("Rule {0}", i + 1)});
    }
    for (std::size_t i = 0; i < form.limits.size(); ++i) {
        const std::string number = std::to_string(i);
        for (const auto& [suffix, label] : {std::pair{"service", translated("Service")},
                                            std::pair{"min", translated("Minimum machines")},
                                            std::pair{"max", translated("Maximum machines")}}) {
            controls.push_back(
                {"limit." + number + "." + suffix, "limit-" + number + "-" + suffix, label});
        }
    }
    for (std::size_t i = 0; i < form.links.size(); ++i) {
        const std::string number = std::to_string(i);
        controls.push_back({"link." + number + ".label", "link-" + number + "-label",
                            translated("Label of link {0}", i + 1)});
        controls.push_back({"link." + number + ".url", "link-" + number + "-url",
                            translated("Address of link {0}", i + 1)});
    }
    const std::vector<NamedControl> behind{
        {"compatibility.services", "t-compatibility.services", translated("Services")},
        {"compatibility.hardwaretypes", "t-compatibility.hardwaretypes",
         translated("Hardware types")},
        {"compatibility.imagetypes", "t-compatibility.imagetypes", translated("Image types")},
        {"administration.leaseduration.initial", "lease-initial", translated("Lease")},
        {"administration.leaseduration.max", "lease-max", translated("Longest lease")},
        {"administration.leaseduration.step", "lease-step", translated("Longest extension")},
        {"extends", form.is_partial() ? "t-name" : "t-extends", translated("Extends")},
        {"links", "links-title", translated("Links")},
        {"note", "t-note", translated("Why")},
        checked};
    controls.insert(controls.end(), behind.begin(), behind.end());
    // The name is no control of an entry that exists.
    if (!form.was.empty()) controls.erase(controls.begin());
    return controls;
}

/// What a part of the form says beside its controls: what the template has from others.
Json taken_json(const TemplatePage& page, const std::string& part) {
    Json list = Json::array();
    const auto found = page.taken.find(part);
    if (found != page.taken.end()) {
        for (const auto& words : found->second) list.push_back(Json{{"taken", words}});
    }
    Json json;
    json["taken_id"] = "taken-" + part;
    json["has_taken"] = !list.empty();
    json["taken_list"] = std::move(list);
    return json;
}

std::string title_of_problems(const TemplatePage& page) {
    if (page.is_redrawn) return translated("Solve this to switch between form and JSON");
    if (!page.form.draft.empty() && !page.is_preview) return translated("Couldn't keep the draft");
    const std::string kind = singular_title(page.form.kind);
    return page.is_preview ? translated("The {0} has problems", kind)
                           : translated("Couldn't save the {0}", kind);
}

/// What becomes of what others saved, where both changed the same; empty where they did not.
std::string words_on_replacing(const TemplatePage& page) {
    if (page.newer.empty() && !page.is_draft_newer) return "";
    const std::string theirs =
        page.is_draft_newer ? translated("the draft") : translated("version {0}", page.newer);
    if (page.clashing.empty()) return translated("Saving it now replaces {0}.", theirs);
    const auto words = translated("Saving it now replaces what {0} says of these:", theirs);
    if (page.taken_over.empty()) return words;
    return translated("What else {0} changed stays: {1}.", theirs, listed(page.taken_over)) + ' ' +
           words;
}

/// The control of a member, "#t-label": its own, or that of what it is part of. Empty for none.
std::string control_of_member(const TemplatePage& page, const std::string& path) {
    if (page.form.is_json) return "";
    auto controls = named_controls(page);
    controls.push_back({"constraints.services", "limits", ""});
    controls.push_back({"includes", "includes-title", ""});
    for (const auto& control : controls) {
        const bool is_of_it = path == control.name || path.starts_with(control.name + '.');
        if (is_of_it) return '#' + control.id;
    }
    return "";
}

Json clashes_json(const TemplatePage& page) {
    const auto value = [](const std::string& words) {
        return words.empty() ? translated("empty") : words;
    };
    Json list = Json::array();
    for (const auto& clash : page.clashing) {
        const auto values =
            page.is_draft_newer
                ? translated("{0} below, {1} in the draft", value(clash.ours), value(clash.theirs))
                : translated("{0} below, {1} in version {2}", value(clash.ours),
                             value(clash.theirs), page.newer);
        list.push_back({{"clash_href", control_of_member(page, clash.path)},
                        {"clashing", clash.member},
                        {"clash", values}});
    }
    return list;
}

/// What saving the form changes in what somebody else has saved; null unless it is told of.
Json difference_to_newer(const TemplatePage& page) {
    const auto document = template_document(page.form);
    const bool is_told = !page.newer.empty() && document && !page.in_force.is_null();
    return is_told ? difference_json(page.in_force, *document) : Json();
}

std::string words_on_taken_over(const TemplatePage& page) {
    if (page.taken_over.empty() || !page.newer.empty() || page.is_draft_newer) return "";
    if (!page.form.draft.empty()) {
        return translated("This is in the draft beside what you changed, and stays: {0}.",
                          listed(page.taken_over));
    }
    return translated("Somebody else saved this template meanwhile. What that changed stays: {0}.",
                      listed(page.taken_over));
}

}  // namespace

std::string title_of(const TemplatePage& page) {
    if (!page.form.draft.empty()) return translated("Change the draft of {0}", page.form.was);
    return page.form.was.empty()
               ? translated("New {0}", singular_title(page.form.kind))
               : translated("Edit {0}", kind_and_name(page.form.kind, page.form.was));
}

bool fits_on_a_page(const TemplatePage& page) {
    const auto& form = page.form;
    const auto most =
        std::max({form.groups.size(), form.limits.size(), form.includes.size(), form.links.size()});
    if (most > most_rows_of_a_form) return false;
    const auto& offer = page.offer;
    const std::size_t named = form.fit_services.size() + form.services.size() +
                              form.fit_hardware_types.size() + form.fit_image_types.size();
    if (named > most_names_of_a_form) return false;
    ServiceSet usable(offer.services.begin(), offer.services.end());
    usable.insert(form.fit_services.begin(), form.fit_services.end());
    usable.insert(form.services.begin(), form.services.end());
    ServiceSet columns = usable;
    for (const auto& group : form.groups)
        columns.insert(group.services.begin(), group.services.end());
    const std::size_t types =
        std::max(offer.hardware_types.size(), form.fit_hardware_types.size()) +
        std::max(offer.image_types.size(), form.fit_image_types.size());
    std::size_t boxes = columns.size() * form.groups.size();
    boxes += (usable.size() + types) * form.limits.size();
    for (const auto& limit : form.limits)
        boxes += limit.hardware_types.size() + limit.image_types.size();
    boxes += offer.partials.size() * form.includes.size();
    return boxes <= most_cells_of_a_form;
}

void begin_anew(TemplatePage& page) {
    page.form.was.clear();
    page.form.version.clear();
    page.form.line.reset();
    page.problems.push_back(
        {"", translated("What you typed is below. Saving it now makes it a new template.")});
}

Json to_json(const TemplatePage& page) {
    const auto& form = page.form;
    const auto shown = beside_question(page.problems);
    const auto problems = form.is_json ? problems_in_text(shown, "json") : shown;
    const std::string kind = form.is_partial() ? "partialtemplates" : "clustertemplates";
    auto json = problems_json(title_of_problems(page), problems, named_controls(page));
    json["heading"] = title_of(page);
    json.update(parts_in_words(form));
    json["next_group"] = "group-" + std::to_string(form.groups.size());
    json["next_limit"] = "limit-" + std::to_string(form.limits.size()) + "-service";
    json["next_include"] = "include-" + std::to_string(form.includes.size());
    json["next_link"] = "link-" + std::to_string(form.links.size()) + "-label";
    json["kind"] = kind;
    json["kind_label"] = plural_title(form.kind);
    json["was"] = form.was;
    json["version"] = form.version.empty() ? "" : form_value(form.version_seen());
    json["replaces"] = words_on_replacing(page);
    json["clashes"] = clashes_json(page);
    json["has_clashes"] = !page.clashing.empty();
    json["taken_over"] = words_on_taken_over(page);
    json["last_change"] = to_json(page.last_change, page.now);
    json["difference"] = difference_to_newer(page);
    json["is_new"] = form.was.empty();
    json["may_be_draft"] = form.was.empty() && !form.is_partial();
    json["is_draft"] = page.is_draft;
    json["edits_change"] = !form.draft.empty();
    json["draft"] = form.draft;
    json["seen"] = form.seen;
    json["change"] = form.draft.empty() ? change_json(page.change, page.now) : Json();
    json["may_keep_change"] =
        form.draft.empty() && !form.was.empty() && !form.is_partial() && !page.is_draft;
    json["cancel_href"] = !form.draft.empty() ? page_of_draft(form.was)
                          : form.was.empty()  ? "/catalogue/" + kind
                                              : entry_page(form.kind, form.was);
    json["is_unsaved"] = page.is_unsaved;
    json["added"] = page.added.empty()
                        ? ""
                        : translated("Added to the default services, and not saved yet: {0}.",
                                     listed(page.offer.around.labels.services(page.added)));
    json.update(to_json(CheckBox{.title = translated("Not saved yet: please check"),
                                 .to_check = page.to_check,
                                 .notes = page.to_note,
                                 .act = translated("Save"),
                                 .target = "/builder/" + kind + "/save",
                                 .is_asked = is_question(page.problems)}));
    json["is_json"] = form.is_json;
    json["is_partial"] = form.is_partial();
    json["json_fields"] = form.is_json ? Json{to_json(json_field(form), problems)} : Json::array();
    json["general"] = fields_json(general_fields(form), page.problems);
    json["leases"] = lease_json(page);
    json["compatibility"] = compatibility_json(page);
    json["default_services"] =
        Json{check_group(page, {"defaults.services", translated("Services"),
                                translated("What clusters get by default."), CatalogueKind::service,
                                usable_services(page), form.services})};
    json["no_services"] = page.lacks_services ? words_on_lacking_services() : "";
    json["lacking"] = Json::array();
    for (const auto& sentence : page.lacking.sentences) {
        json["lacking"].push_back(Json{{"sentence", sentence}});
    }
    json["without_effect"] = Json::array();
    for (const auto& sentence : page.without_effect) {
        json["without_effect"].push_back(Json{{"sentence", sentence}});
    }
    for (const char* part : {"defaults", "constraints", "compatibility", "lease"}) {
        json[std::string("taken_") + part] = taken_json(page, part);
    }
    json["is_lacking"] = !page.lacking.sentences.empty();
    json["add_lacking"] = words_on_adding(page.lacking, page.offer.around.entries);
    json["add_button"] = page.lacking.to_add.empty() ? "" : button_that_adds(page);
    json["defaults"] = fields_json(default_fields(form, page.offer), page.problems);
    json["sizes"] = fields_json(size_fields(form), page.problems);
    json["groups"] = groups_rows_json(page);
    const auto sharing = messages_for("constraints.layout", page.problems);
    json["sharing_problem"] = sharing;
    json["limits"] = limit_rows_json(page);
    json["parents"] = fields_json(parent_fields(form, page.offer), page.problems);
    json["includes"] = include_rows_json(page);
    json["links"] = link_rows_json(page);
    json["is_immutable"] = form.is_immutable;
    json["note_fields"] = Json{to_json(note_field(form), page.problems)};
    json.update(sizes_json(page.preview, form, named_controls(page), page.offer.around));
    return json;
}

}  // namespace fcgi::pages
