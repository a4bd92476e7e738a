#include "fcgi/pages/clusters/create_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/choices/provider_field.hpp"
#include "fcgi/pages/clusters/description.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Problems;
using Options = NamedTexts;

namespace {

std::vector<NamedControl> fixed_controls() {
    return {
        {"clusterTemplate", "inputClusterTemplate", translated("Template")},
        {"name", "inputClusterName", translated("Name")},
        {"numMachines", "inputClusterNumMachines", translated("Number of machines")},
        {"description", "inputClusterDescription", translated("Description")},
        {"services", "services", translated("Services")},
        {"provider", "inputClusterProvider", translated("Provider")},
        {"hardwaretype", "inputClusterHardwareType", translated("Hardware type")},
        {"imagetype", "inputClusterImageType", translated("Image type")},
        {"dnsSuffix", "inputClusterDnsSuffix", translated("DNS suffix")},
        {"config", "inputClusterConfig", translated("Configuration")},
        {"initialLeaseDuration", "inputLeaseDays", translated("Lease")},
    };
}

/// The first of fixed_controls() stand outside the part "Advanced".
constexpr std::size_t plain_controls = 4;

std::vector<NamedControl> controls_of(const NewClusterPage& page) {
    auto controls = fixed_controls();
    auto after_provider = std::ranges::find(controls, "provider", &NamedControl::name) + 1;
    for (const PluginField& field : page.offer.provider_fields) {
        if (field.is_secret()) continue;
        const FormField control = provider_field(field, page.form);
        after_provider = controls.insert(after_provider, {control.name, control.id, control.label});
        ++after_provider;
    }
    return controls;
}

/// What a list of choices calls the entry; its name if it is not offered.
std::string words_of_choice(const Options& offered, const std::string& name) {
    const auto found =
        std::ranges::find(offered, name, [](const auto& choice) { return choice.first; });
    return found == offered.end() ? name : found->second;
}

/// What may be chosen: what the template lists, or all if it lists none.
Options allowed(const std::vector<std::string>& compatible, const Options& all) {
    if (compatible.empty()) return all;
    Options options;
    for (const auto& name : compatible) options.emplace_back(name, words_of_choice(all, name));
    return options;
}

Options choices_or(const std::string& none, const Options& choices) {
    Options options{{"", none}};
    options.insert(options.end(), choices.begin(), choices.end());
    return options;
}

FormField choice(const NamedControl& control, const std::string& value, Options options) {
    FormField field{.id = control.id, .name = control.name, .label = control.label, .value = value};
    field.control = FormField::Control::select;
    field.options = std::move(options);
    return field;
}

NamedControl fixed(const std::string& name) {
    const auto controls = fixed_controls();
    return *std::ranges::find(controls, name, &NamedControl::name);
}

FormField text_input(const NamedControl& control, const std::string& value,
                     const std::string& hint) {
    return {.id = control.id,
            .name = control.name,
            .label = control.label,
            .value = value,
            .hint = hint};
}

bool is_lease_of_zero(const ClusterForm& form) {
    return (form.lease_days + form.lease_hours + form.lease_minutes).find_first_not_of("0 ") ==
           std::string::npos;
}

/// Whether the provider that the template names was deleted, or is not for the viewer.
bool lacks_its_provider(const Offer& offer, const ClusterTemplate& cluster_template) {
    const auto& wanted = cluster_template.defaults.provider;
    return wanted && std::ranges::none_of(offer.providers, [&](const auto& choice) {
               return choice.first == *wanted;
           });
}

/// Whether the template leaves the choice of a provider: then it stands outside the part
/// "Advanced".
bool asks_for_provider(const Offer& offer, const ClusterTemplate& cluster_template) {
    return !cluster_template.defaults.provider || lacks_its_provider(offer, cluster_template);
}

/// The provider that the cluster would get; empty if that is not known or it is not offered.
std::string used_provider(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    const std::string& chosen = page.form.provider;
    const auto used = chosen.empty() ? cluster_template.defaults.provider.value_or("") : chosen;
    const bool is_offered = std::ranges::any_of(
        page.offer.providers, [&](const auto& choice) { return choice.first == used; });
    return is_offered ? used : "";
}

TypeQuestion hardware_question(const NewClusterPage& page,
                               const ClusterTemplate& cluster_template) {
    return {.kind = CatalogueKind::hardware_type,
            .all = page.offer.hardware_types,
            .compatible = cluster_template.compatibility.hardware_types,
            .usual = cluster_template.defaults.hardware_type.value_or(""),
            .asked = page.form.hardware_type,
            .provider = used_provider(page, cluster_template)};
}

TypeQuestion image_question(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    return {.kind = CatalogueKind::image_type,
            .all = page.offer.image_types,
            .compatible = cluster_template.compatibility.image_types,
            .usual = cluster_template.defaults.image_type.value_or(""),
            .asked = page.form.image_type,
            .provider = used_provider(page, cluster_template)};
}

FormField type_choice(const NamedControl& control, const TypeQuestion& question) {
    auto types = fitting_types(question);
    auto field = choice(control, types.chosen, std::move(types.options));
    field.hint = types.note;
    return field;
}

/// The hint of a control, and what it does not have from the cluster that the form is like.
std::string hint_with(const NewClusterPage& page, const std::string& control, std::string hint) {
    const auto found = page.not_copied.find(control);
    if (found == page.not_copied.end()) return hint;
    return hint + (hint.empty() ? "" : " ") + found->second;
}

FormField provider_choice(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    const std::string used = used_provider(page, cluster_template);
    const std::vector<TypeQuestion> questions{hardware_question(page, cluster_template),
                                              image_question(page, cluster_template)};
    auto providers = page.offer.providers;
    for (auto& [name, words] : providers) {
        if (!can_work_at(name, questions)) words = translated("{0} (cannot work)", words);
    }
    auto field =
        choice(fixed("provider"), used,
               used.empty() ? choices_or(translated("Choose a provider"), providers) : providers);
    if (lacks_its_provider(page.offer, cluster_template)) {
        field.hint = translated("The template's provider, {0}, is not offered. Choose another.",
                                *cluster_template.defaults.provider);
    }
    field.redraw = "/clusters/new#" + field.id;
    field.redraw_label = translated("Show its types");
    field.hint = hint_with(page, field.name, std::move(field.hint));
    return field;
}

std::string wrong_size_words(const PossibleSizes& sizes) {
    return sizes.is_single()
               ? translated("Only {0} can be had: that is set now.", size_words(sizes))
               : translated("Enter a whole number: {0}.", size_words(sizes));
}

/// Why the chosen services leave no size. Said of the template's own only when they were refused.
std::optional<WithoutSize> without_size(const NewClusterPage& page) {
    const auto* chosen = page.offer.find(page.form.cluster_template);
    const auto& services = page.form.services;
    if (!chosen || services.empty()) return std::nullopt;
    const auto& usual = chosen->defaults.services;
    const std::set<std::string> own(usual.begin(), usual.end());
    const bool is_own = std::set<std::string>(services.begin(), services.end()) == own;
    if (is_own && !page.is_refused) return std::nullopt;
    return services_without_size(chosen->constraints, services, usual);
}

/// What is wrong with the chosen services, in a sentence of which the form has the buttons.
std::string why_not_only_these(const NewClusterPage& page) {
    const Labels labels = page.offer.labels();
    std::string words;
    for (const MissingService& missing : page.missing) {
        words += (words.empty() ? "" : " ") + words_of_missing(missing, labels);
        if (missing.offered.size() == 1) {
            words += ' ' + translated("Add {0}.", labels.service(missing.offered.front()));
        }
    }
    const auto none = without_size(page);
    return words.empty() && none ? none->sentence : words;
}

/// Problems of secrets say what they are about: they have no control here. A lease that is too long
/// says how long it may be.
Problems shown_problems(const NewClusterPage& page) {
    Problems problems = page.problems;
    if (const auto* chosen = page.offer.find(page.form.cluster_template)) {
        // The note on what is missing says the same, and what helps: no choice of a type does.
        std::erase_if(problems, [&](const auto& problem) {
            return (problem.field == "hardwaretype" &&
                    fitting_types(hardware_question(page, *chosen)).nothing_fits) ||
                   (problem.field == "imagetype" &&
                    fitting_types(image_question(page, *chosen)).nothing_fits);
        });
    }
    for (auto& problem : problems) {
        if (problem.field == "provider" && page.form.provider.empty()) {
            problem.message = translated("Choose a provider.");
        }
    }
    if (const auto* chosen = page.offer.find(page.form.cluster_template)) {
        const auto longest = chosen->lease.initial;
        for (auto& problem : problems) {
            if (problem.field != "initialLeaseDuration" || longest.count() == 0 ||
                !problem.message.ends_with("duration specified in template"))
                continue;
            problem.message = is_lease_of_zero(page.form)
                                  ? translated(
                                        "All zero would be a cluster without expiry; the template "
                                        "allows at most {0}.",
                                        spoken(longest))
                                  : translated("The template allows at most {0}.", spoken(longest));
        }
    }
    const auto sizes = page.offer.sizes_of(page.form);
    const auto machines = provisioner::base::parse_number(page.form.machines);
    for (auto& problem : problems) {
        const bool is_wrong = !sizes.is_none && !(machines && sizes.has(*machines));
        if (!is_wrong || problem.field != "numMachines") continue;
        problem.message = wrong_size_words(sizes);
    }
    if (page.is_refused && has_wrong_services(page)) {
        // No number would do.
        if (without_size(page)) {
            std::erase_if(problems, [](const auto& one) { return one.field == "numMachines"; });
        }
        problems.push_back({"services", why_not_only_these(page)});
    }
    for (const PluginField& field : page.offer.provider_fields) {
        if (!field.is_secret()) continue;
        for (auto& problem : problems) {
            if (problem.field != "providerFields." + field.name) continue;
            problem = {"", translated("{0}: {1}", field.label,
                                      joined_sentences(problem.message,
                                                       translated("The next page asks for it.")))};
        }
    }
    return problems;
}

Json plain_fields(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    const auto sizes = page.offer.sizes_of(page.form);
    auto name = text_input(
        fixed("name"), page.form.name,
        translated(
            "Letters, digits, dots, hyphens and underscores. Host names begin with it: from "
            "its first letter on, in small letters, with hyphens for dots and underscores."));
    name.required = true;
    name.longest = static_cast<int>(provisioner::model::longest_valid_name);
    auto machines = text_input(fixed("numMachines"), page.form.machines, size_words(sizes));
    machines.type = "number";
    machines.required = true;
    if (sizes.is_single()) {
        machines.control = FormField::Control::fixed;
        machines.value = std::to_string(sizes.least);
        machines.hint = translated("No other number is possible.");
    } else if (!sizes.is_none) {
        machines.min = sizes.least;
        if (sizes.most != no_maximum) machines.max = sizes.most;
    }
    auto description = text_input(fixed("description"), page.form.description, "");
    description.control = FormField::Control::textarea;
    description.longest = longest_typed_description;
    const Problems problems = shown_problems(page);
    Json fields{to_json(name, problems), to_json(machines, problems),
                to_json(description, problems)};
    if (asks_for_provider(page.offer, cluster_template)) {
        fields.push_back(to_json(provider_choice(page, cluster_template), problems));
    }
    return fields;
}

/// What cannot work at the provider, whatever is chosen; and whether something else than the
/// template's default was chosen.
Json fit_json(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    const std::vector<TypeQuestion> questions{hardware_question(page, cluster_template),
                                              image_question(page, cluster_template)};
    const auto others = other_providers(questions, page.offer.providers);
    Json json{{"missing", Json::array()}, {"is_changed", false}};
    json["missing_remedy"] =
        others.empty() ? "" : translated("Another provider can be chosen: {0}.", listed(others));
    for (const TypeQuestion& question : questions) {
        const auto types = fitting_types(question);
        if (types.nothing_fits) {
            json["missing"].push_back(missing_json(
                question, words_of_choice(page.offer.providers, question.provider), page.is_admin));
        }
        if (!types.note.empty()) json["is_changed"] = true;
    }
    return json;
}

Json advanced_fields(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    const auto& form = page.form;
    auto config = text_input(
        fixed("config"), form.config,
        translated(
            "A JSON object that services read. Macros such as %host.service.db% are expanded."));
    if (form.config.find(secret_mask) != std::string::npos) {
        config.hint +=
            form.like.empty()
                ? translated(" Passwords that read {0} are those of the template.", secret_mask)
                : translated(" Passwords that read {0} are those of the other cluster.",
                             secret_mask);
    }
    config.control = FormField::Control::textarea;
    config.code = true;
    config.rows = 10;
    const Problems problems = shown_problems(page);
    Json fields = Json::array();
    const auto add = [&](FormField field) {
        field.hint = hint_with(page, field.name, std::move(field.hint));
        fields.push_back(to_json(field, problems));
    };
    if (!asks_for_provider(page.offer, cluster_template)) {
        fields.push_back(to_json(provider_choice(page, cluster_template), problems));
    }
    for (const PluginField& field : page.offer.provider_fields) {
        if (!field.is_secret()) add(provider_field(field, form));
    }
    add(type_choice(fixed("hardwaretype"), hardware_question(page, cluster_template)));
    add(type_choice(fixed("imagetype"), image_question(page, cluster_template)));
    add(text_input(fixed("dnsSuffix"), form.dns_suffix,
                   translated("Host names end with it, for example example.com.")));
    add(config);
    return fields;
}

/// What is wrong with the services, and which can be added with a button each.
std::pair<std::string, std::vector<std::string>> services_in_words(const NewClusterPage& page) {
    const Labels labels = page.offer.labels();
    std::string words = messages_for("services", page.problems);
    std::vector<std::string> to_add;
    const auto add = [&](const std::string& sentence, const std::vector<std::string>& offered) {
        words += (words.empty() ? "" : " ") + sentence;
        for (const std::string& name : offered) {
            // Beside none that are chosen it would take the place of the template's services.
            const bool is_there =
                page.form.services.empty() || std::ranges::count(to_add, name) > 0;
            if (!is_there) to_add.push_back(name);
        }
    };
    for (const MissingService& missing : page.missing) {
        add(words_of_missing(missing, labels), missing.offered);
    }
    // With what is missing there may be a size.
    if (!page.missing.empty()) return {words, to_add};
    if (const auto none = without_size(page)) add(none->sentence, none->offered);
    return {words, to_add};
}

Json services_group(const NewClusterPage& page, const ClusterTemplate& cluster_template) {
    Json choices = Json::array();
    for (const auto& [name, words] :
         allowed(cluster_template.compatibility.services, page.offer.services)) {
        const auto& chosen = page.form.services;
        Json item;
        item["value"] = name;
        item["label"] = words;
        item["checked"] = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
        choices.push_back(std::move(item));
    }
    const auto [problem, to_add] = services_in_words(page);
    Json group;
    group["hint"] =
        cluster_template.defaults.services.empty()
            ? translated("The template names no services: the cluster gets those that you choose.")
            : translated("If you choose none, the cluster gets the template's services.");
    group["problem"] = problem;
    group["note"] =
        page.is_none_chosen && problem.empty()
            ? translated("None is chosen: the cluster gets {0}.",
                         listed(page.offer.labels().services(cluster_template.defaults.services)))
            : "";
    group["described_by"] = problem.empty() ? "services-hint" : "services-hint services-problem";
    group["choices"] = std::move(choices);
    group["offered"] = Json::array();
    const Labels labels = page.offer.labels();
    for (const std::string& name : to_add) {
        group["offered"].push_back(
            {{"value", name}, {"label", translated("Add {0}", labels.service(name))}});
    }
    return group;
}

Json lease_part(const std::string& label, const std::string& value) {
    Json part;
    part["id"] = "inputLease" + label;
    part["name"] = "lease" + label;
    part["label"] = label;
    part["value"] = value;
    return part;
}

Json lease_group(const NewClusterPage& page, const LeaseDuration& lease) {
    std::string longest = lease.initial.count() == 0
                              ? translated("If all are zero, the cluster has no expiry.")
                              : translated(
                                    "The cluster and its data are deleted at the end of the lease, "
                                    "at most {0} after creation.",
                                    spoken(lease.initial));
    if (lease.initial.count() > 0 && lease.max > lease.initial) {
        longest += ' ' + translated("You can extend it later, up to {0} after creation.",
                                    spoken(lease.max));
    }
    const auto problem = messages_for("initialLeaseDuration", shown_problems(page));
    Json group;
    group["hint"] = hint_with(page, "initialLeaseDuration", longest);
    group["problem"] = problem;
    group["described_by"] = problem.empty() ? "lease-hint" : "lease-hint lease-problem";
    group["parts"] = {lease_part(translated("Days"), page.form.lease_days),
                      lease_part(translated("Hours"), page.form.lease_hours),
                      lease_part(translated("Minutes"), page.form.lease_minutes)};
    return group;
}

Json template_json(const ClusterTemplate& cluster_template, const NewClusterPage& page) {
    const Offer& offer = page.offer;
    Json services = Json::array();
    for (const auto& name : cluster_template.defaults.services) {
        services.push_back(Json{{"service", words_of_choice(offer.services, name)}});
    }
    Json json;
    json["name"] = cluster_template.header.name;
    json["title"] = title_of(cluster_template.header);
    json["description"] = cluster_template.header.description.value_or("");
    json["size"] = size_words(sizes_of_template(page.offer.size_troubles, cluster_template));
    json["lease"] = lease_words(cluster_template.lease);
    const std::string provider = used_provider(page, cluster_template);
    json["provider"] =
        provider.empty() ? translated("your choice") : words_of_choice(offer.providers, provider);
    json["services"] = std::move(services);
    return json;
}

Json template_choices(const NewClusterPage& page) {
    NamedTexts labels;
    for (const ClusterTemplate& candidate : page.offer.templates) {
        labels.emplace_back(candidate.header.name, candidate.header.label.value_or(""));
    }
    Json choices = Json::array();
    for (const auto& [name, text] : told_apart(std::move(labels))) {
        choices.push_back(
            {{"value", name}, {"label", text}, {"selected", name == page.form.cluster_template}});
    }
    return choices;
}

/// The solver's remedies, and the providers at which a type can be used that was refused.
std::vector<provisioner::solver::Remedy> all_remedies(const NewClusterPage& page,
                                                      const ClusterTemplate& cluster_template) {
    // Those of wrong services are buttons beside them.
    if (has_wrong_services(page)) return {};
    auto remedies = page.remedies;
    for (const auto& [field, question] :
         {std::pair("hardwaretype", hardware_question(page, cluster_template)),
          std::pair("imagetype", image_question(page, cluster_template))}) {
        if (std::ranges::count(page.problems, field, &provisioner::base::Problem::field) == 0)
            continue;
        const auto providers = providers_with_what_is_asked(question, page.offer.providers);
        if (providers.empty() || fitting_types(question).note.empty()) continue;
        remedies.push_back({true, translated("Choose a provider that has {0}: {1}.",
                                             question.asked_or_usual(), listed(providers))});
    }
    return remedies;
}

// Remedies for the user and remedies for the template's author are separate lists.
Json remedies_json(const std::vector<provisioner::solver::Remedy>& remedies, const Labels& labels) {
    Json json{{"remedies", Json::array()}, {"template_remedies", Json::array()}};
    for (const auto& [is_in_request, sentence, changes] : remedies) {
        json[is_in_request ? "remedies" : "template_remedies"].push_back(
            {{"sentence", labels.in(sentence)}});
    }
    json["has_remedies"] = !json["remedies"].empty();
    json["has_template_remedies"] = !json["template_remedies"].empty();
    return json;
}

// What is typed here is kept as a draft on the way to the preview, and a secret never is. So
// secrets are asked for there, and only announced here.
std::string words_about_secrets(const std::vector<PluginField>& fields) {
    std::vector<std::string> labels;
    for (const PluginField& field : fields) {
        if (field.is_secret()) labels.push_back(field.label);
    }
    if (labels.empty()) return "";
    return translated(
        "The next page has a field for: {0}. It is not here, because no page keeps secrets.",
        listed(labels));
}

/// Whether a field of the provider that is shown has a value.
bool has_provider_values(const NewClusterPage& page) {
    return std::ranges::any_of(page.offer.provider_fields, [&](const PluginField& field) {
        return !provider_field(field, page.form).value.empty();
    });
}

bool advanced_is_to_blame(const Problems& problems, bool has_provider) {
    auto plain = fixed_controls();
    plain.resize(plain_controls);
    return std::ranges::any_of(problems, [&](const auto& problem) {
        return !problem.field.empty() && (has_provider || problem.field != "provider") &&
               std::ranges::count(plain, problem.field, &NamedControl::name) == 0;
    });
}

}  // namespace

bool has_wrong_services(const NewClusterPage& page) {
    return !page.missing.empty() || without_size(page).has_value();
}

const ClusterTemplate* Offer::find(const std::string& name) const {
    const auto found = std::find_if(templates.begin(), templates.end(), [&](const auto& candidate) {
        return candidate.header.name == name;
    });
    return found == templates.end() ? nullptr : &*found;
}

bool Offer::can_work(const ClusterTemplate& cluster_template) const {
    const std::string provider = cluster_template.defaults.provider.value_or("");
    if (provider.empty()) return true;
    const auto& compatible = cluster_template.compatibility;
    return can_work_at(provider, {{.kind = CatalogueKind::hardware_type,
                                   .all = hardware_types,
                                   .compatible = compatible.hardware_types},
                                  {.kind = CatalogueKind::image_type,
                                   .all = image_types,
                                   .compatible = compatible.image_types}});
}

PossibleSizes Offer::sizes_of(const ClusterForm& form) const {
    const ClusterTemplate nothing;
    const auto* found = find(form.cluster_template);
    const auto& chosen = found ? *found : nothing;
    if (has_own_machines(form, chosen)) return sizes_of_template(size_troubles, chosen);
    return possible_sizes(chosen.constraints,
                          form.services.empty() ? chosen.defaults.services : form.services, {});
}

Labels Offer::labels() const {
    const auto texts_of = [](const std::vector<TypeChoice>& types) {
        NamedTexts texts;
        for (const TypeChoice& type : types) texts.emplace_back(type.name, type.words);
        return texts;
    };
    Labels labels;
    labels.add(CatalogueKind::provider, providers);
    labels.add(CatalogueKind::hardware_type, texts_of(hardware_types));
    labels.add(CatalogueKind::image_type, texts_of(image_types));
    labels.add(CatalogueKind::service, services);
    return labels;
}

ClusterForm form_as_drawn(const NewClusterPage& page) {
    ClusterForm form = page.form;
    const auto* chosen = page.offer.find(form.cluster_template);
    if (chosen == nullptr) return form;
    form.hardware_type = fitting_types(hardware_question(page, *chosen)).chosen;
    form.image_type = fitting_types(image_question(page, *chosen)).chosen;
    return form;
}

Json to_json(const NewClusterPage& page) {
    const ClusterTemplate nothing;
    const auto* found = page.offer.find(page.form.cluster_template);
    const auto& cluster_template = found ? *found : nothing;
    const Problems problems = shown_problems(page);
    auto json = problems_json(translated("Please check the cluster"), problems, controls_of(page));
    json["secrets_later"] = words_about_secrets(page.offer.provider_fields);
    json.update(remedies_json(all_remedies(page, cluster_template), page.offer.labels()));
    json["template_remedies_title"] =
        page.is_admin ? translated("What would help in the template")
                      : translated("Ask an administrator to change the template");
    json["fields"] = plain_fields(page, cluster_template);
    json["template_problem"] = messages_for("clusterTemplate", page.problems);
    json["templates"] = template_choices(page);
    const Json fit = fit_json(page, cluster_template);
    const std::string provider = used_provider(page, cluster_template);
    json["has_missing"] = !fit.at("missing").empty();
    json["missing_title"] = translated("This cannot work at the provider {0}",
                                       words_of_choice(page.offer.providers, provider));
    json["missing"] = fit.at("missing");
    json["missing_remedy"] = fit.at("missing_remedy");
    // What is wrong with what was typed is said once.
    const bool has_doubts =
        !page.doubts.empty() && json["has_missing"] == false && problems.empty();
    json["has_doubts"] = has_doubts;
    json["doubts_title"] =
        page.is_impossible
            ? translated("No layout fits this template at the size {0}", page.form.machines)
            : translated("A cluster like this may not work");
    json["doubts"] = Json::array();
    for (const auto& words : page.doubts) json["doubts"].push_back({{"sentence", words}});
    json["doubts_way"] = page.is_admin ? "/builder/clustertemplates/" +
                                             http::percent_encode(page.form.cluster_template) +
                                             (page.form.of_draft ? "?of=draft" : "")
                                       : "";
    json["doubts_way_words"] =
        page.form.of_draft ? translated("Change the draft") : translated("Change the template");
    json["unpriced"] = page.unpriced;
    json["may_price"] = page.is_admin;
    json["provider_drawn"] = provider;
    json["like"] = page.form.like;
    json["of_draft"] = page.form.of_draft ? page.form.cluster_template : "";
    json["draft_href"] = entry_page(provisioner::model::CatalogueKind::cluster_template,
                                    page.form.cluster_template) +
                         "/draft";
    // What has to be chosen there is seen before the form is sent.
    json["advanced_open"] =
        advanced_is_to_blame(problems, !asks_for_provider(page.offer, cluster_template)) ||
        json["has_missing"] == true ||
        (found && is_changed_in_advanced(page.form, cluster_template)) ||
        has_provider_values(page) || fit.at("is_changed") == true || !page.not_copied.empty() ||
        (!page.drawn_provider.empty() && page.drawn_provider != provider);
    json["services_group"] = services_group(page, cluster_template);
    json["advanced"] = advanced_fields(page, cluster_template);
    json["lease_group"] = lease_group(page, cluster_template.lease);
    json["template"] = template_json(cluster_template, page);
    return json;
}

}  // namespace fcgi::pages
