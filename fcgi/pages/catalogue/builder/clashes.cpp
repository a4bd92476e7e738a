#include "fcgi/pages/catalogue/builder/clashes.hpp"

#include <algorithm>
#include <optional>

#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::operations::relatives_of;
using provisioner::solver::TemplatePart;
using provisioner::solver::Unsatisfiable;

namespace {

using Texts = std::vector<std::string>;

std::string words_of_part(const TemplatePart& part, const Labels& labels) {
    using Kind = TemplatePart::Kind;
    const std::string names = listed(labels.services(part.services));
    switch (part.kind) {
        case Kind::together:
            return translated("{0} share a machine", names);
        case Kind::apart:
            return translated("{0} are never all on one machine", names);
        case Kind::hardware:
            return translated("Hardware types of {0}", names);
        case Kind::image:
            return translated("Image types of {0}", names);
        case Kind::at_most:
            return translated("Maximum of {0}", names);
        case Kind::at_least:
            return translated("Minimum of {0}", names);
        case Kind::services:
            return translated("Default services");
        case Kind::machines_at_least:
            return translated("Minimum machines");
        case Kind::machines_at_most:
            return translated("Maximum machines");
    }
    return "";
}

/// Id of the control of a rule; empty when the form has none.
std::string control_of_part(const TemplateForm& form, const TemplatePart& part) {
    using Kind = TemplatePart::Kind;
    const int row = row_of(form, part);
    if (row < 0) return "";
    const std::string number = std::to_string(row);
    if (part.kind == Kind::together || part.kind == Kind::apart) return "group-" + number;
    if (part.kind == Kind::at_most) return "limit-" + number + "-max";
    if (part.kind == Kind::at_least) return "limit-" + number + "-min";
    return "limit-" + number;
}

/// A template of the family, as a form.
struct Member {
    TemplateForm form{};
    /// Where its controls are; empty for the edited form.
    std::string page{};
    /// Empty for the edited template.
    std::string source{};
    bool has_controls = true;
};

/// What a template says of one thing: a default, and what is allowed.
struct Allowance {
    std::string default_words{};
    std::string default_control{};
    Texts (*defaults)(const TemplateForm&);
    /// Whether a default replaces those of parents; else it is added to them.
    bool is_replaced = true;
    std::string allowed_words{};
    std::string allowed_control{};
    Texts TemplateForm::*allowed;
};

Texts unless_empty(const std::string& text) {
    return text.empty() ? Texts{} : Texts{text};
}

std::optional<Allowance> allowance_about(const std::string& field) {
    if (field == "hardwaretype") {
        return Allowance{
            .default_words = translated("Default hardware type"),
            .default_control = "t-defaults.hardwaretype",
            .defaults = [](const TemplateForm& form) { return unless_empty(form.hardware_type); },
            .allowed_words = translated("Compatible hardware types"),
            .allowed_control = "t-compatibility.hardwaretypes",
            .allowed = &TemplateForm::fit_hardware_types};
    }
    if (field == "imagetype") {
        return Allowance{
            .default_words = translated("Default image type"),
            .default_control = "t-defaults.imagetype",
            .defaults = [](const TemplateForm& form) { return unless_empty(form.image_type); },
            .allowed_words = translated("Compatible image types"),
            .allowed_control = "t-compatibility.imagetypes",
            .allowed = &TemplateForm::fit_image_types};
    }
    if (field != "services") return std::nullopt;
    return Allowance{.default_words = translated("Default services"),
                     .default_control = "t-defaults.services",
                     .defaults = [](const TemplateForm& form) { return form.services; },
                     .is_replaced = false,
                     .allowed_words = translated("Compatible services"),
                     .allowed_control = "t-compatibility.services",
                     .allowed = &TemplateForm::fit_services};
}

class Family {
 public:
    Family(const TemplateForm& form, const TemplateSurroundings& around) : labels_(around.labels) {
        const auto made = template_in(form);
        // What cannot be read yet has relatives all the same.
        provisioner::model::ClusterTemplate own;
        own.header.name = form.name;
        if (!form.extends.empty()) own.extends = form.extends;
        own.includes = form.includes;
        for (auto& [kind, relative] : relatives_of(around.entries, made ? *made : own)) {
            const std::string name = relative.header.name;
            members_.push_back({.form = template_form_of(kind, relative),
                                .page = "/builder/" + collection_word(kind) + '/' + name,
                                .source = kind_and_name(kind, name)});
        }
        const bool is_read = form.is_json && made;
        members_.push_back({.form = is_read ? template_form_of(form.kind, *made) : form,
                            .has_controls = !form.is_json});
    }

    ClashingRule place_of(const TemplatePart& part) const {
        // Of two rules about one service the later one is in force.
        for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
            const auto id = control_of_part(member->form, part);
            if (!id.empty()) return rule_of(*member, words_of_part(part, labels_), id);
        }
        return {.words = words_of_part(part, labels_)};
    }

    std::vector<ClashingRule> rules_about(const Allowance& about) const {
        std::vector<ClashingRule> rules;
        Texts defaults;
        Texts allowed;
        for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
            const Texts own = about.defaults(member->form);
            const bool is_in_force = !own.empty() && (defaults.empty() || !about.is_replaced);
            if (is_in_force) {
                rules.push_back(rule_of(*member, about.default_words, about.default_control));
                defaults.insert(defaults.end(), own.begin(), own.end());
            }
            const auto& here = member->form.*about.allowed;
            allowed.insert(allowed.end(), here.begin(), here.end());
        }
        const bool leaves_out =
            defaults.empty() || !std::ranges::all_of(defaults, [&](const auto& name) {
                return std::ranges::count(allowed, name) > 0;
            });
        if (!leaves_out) return rules;
        for (const Member& member : members_) {
            if ((member.form.*about.allowed).empty()) continue;
            rules.push_back(rule_of(member, about.allowed_words, about.allowed_control));
        }
        return rules;
    }

 private:
    static ClashingRule rule_of(const Member& member, std::string words, const std::string& id) {
        return {.words = std::move(words),
                .href = member.has_controls ? member.page + '#' + id : "",
                .source = member.source};
    }

    const Labels& labels_;
    /// In the order in which they are merged; the edited template is the last.
    std::vector<Member> members_{};
};

}  // namespace

TemplateSurroundings surroundings_in(provisioner::operations::CatalogueEntries entries) {
    TemplateSurroundings around;
    for (const auto& [kind, of_kind] : entries) around.labels.add(kind, told_apart(of_kind));
    around.entries = std::move(entries);
    return around;
}

std::vector<ClashingRule> rules_that_clash(const Unsatisfiable& why, const TemplateForm& form,
                                           const TemplateSurroundings& around) {
    std::vector<ClashingRule> rules;
    const auto about = allowance_about(why.field);
    if (why.clash.empty() && !about) return rules;
    const Family family(form, around);
    if (why.clash.empty()) return family.rules_about(*about);
    for (const TemplatePart& part : why.clash) rules.push_back(family.place_of(part));
    return rules;
}

}  // namespace fcgi::pages
