#include "fcgi/pages/clusters/preview_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/clusters/choices/provider_field.hpp"
#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/differences/value_difference.hpp"
#include "fcgi/pages/layout_picture.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::DocumentKind;
using provisioner::model::hide_what_sounds_secret;
using provisioner::model::PluginField;
using provisioner::model::secret_mask;
using provisioner::operations::ClusterPreview;
using provisioner::operations::NodePreview;

namespace {

LayoutPicture picture_of_preview(const ClusterPreview& preview, const Labels& labels) {
    std::set<std::string> names;
    for (const NodePreview& node : preview.nodes) {
        names.insert(node.services.begin(), node.services.end());
    }
    LayoutPicture picture{.columns = {names.begin(), names.end()}, .rows = {}};
    for (const NodePreview& node : preview.nodes) {
        PictureRow row{.title = translated("Machine {0}", picture.rows.size() + 1),
                       .subtitle = node.hardware_type};
        for (const auto& service : picture.columns) {
            const bool here = std::count(node.services.begin(), node.services.end(), service) > 0;
            row.cells.push_back(here ? CellLook::planned : CellLook::none);
        }
        picture.rows.push_back(std::move(row));
    }
    use_labels(picture, labels);
    return picture;
}

Json reasons_json(const provisioner::solver::GroupReasons& reasons, const Labels& labels) {
    Json sentences = Json::array();
    for (const auto& reason : reasons.services)
        sentences.push_back({{"sentence", labels.in(reason.sentence)}});
    sentences.push_back({{"sentence", labels.in(reasons.machine)}});
    return sentences;
}

Json groups_json(const ClusterPreview& preview, const Labels& labels) {
    Json groups = Json::array();
    for (const auto& group : preview.layout.groups) {
        Json item;
        item["is_explained"] = !preview.reasons.empty();
        item["reasons"] = Json::array();
        if (!preview.reasons.empty())
            item["reasons"] = reasons_json(preview.reasons[groups.size()], labels);
        item["count"] = translated_count(group.count, "{0} machine", "{0} machines");
        item["services"] = group.services.empty() ? translated("no services")
                                                  : listed(labels.services(group.services));
        item["hardware_type"] = labels.hardware_type(group.hardware_type);
        item["image_type"] = labels.image_type(group.image_type);
        groups.push_back(std::move(item));
    }
    return groups;
}

// "1 × small with a and b; 3 × large with c".
std::string layout_words(const provisioner::solver::ClusterLayout& layout, const Labels& labels) {
    std::string words;
    for (const auto& group : layout.groups) {
        words += translated("{0}{1} \u00d7 {2} with {3}", (words.empty() ? "" : "; "),
                            grouped(group.count), labels.hardware_type(group.hardware_type),
                            listed(labels.services(group.services)));
    }
    return words;
}

/// "10 more small with a; 1 fewer large with c": what `other` has besides, or lacks.
std::string change_words(const provisioner::solver::ClusterLayout& layout,
                         const provisioner::solver::ClusterLayout& other, const Labels& labels) {
    std::string words;
    const auto add = [&](const provisioner::solver::NodeGroup& group, int more) {
        const auto count = grouped(static_cast<std::size_t>(std::abs(more)));
        const std::string hardware = labels.hardware_type(group.hardware_type);
        const std::string services = listed(labels.services(group.services));
        words += words.empty() ? "" : "; ";
        words += more > 0 ? translated("{0} more {1} with {2}", count, hardware, services)
                          : translated("{0} fewer {1} with {2}", count, hardware, services);
    };
    for (const auto& group : other.groups) {
        const int more = count_of(other, group) - count_of(layout, group);
        if (more != 0) add(group, more);
    }
    for (const auto& group : layout.groups) {
        if (count_of(other, group) == 0) add(group, -group.count);
    }
    return words;
}

Json sizes_json(const PreviewPage& page) {
    Json sizes = Json::array();
    for (const auto& size : page.sizes) {
        Json item;
        item["machines"] = translated_count(size.machines, "{0} machine", "{0} machines");
        item["number"] = size.machines;
        item["is_this"] = size.machines == page.wanted.machines;
        item["is_possible"] = size.problems.empty();
        item["layout"] = !size.problems.empty()
                             ? problem_words(page.labels.in(size.problems.front().message))
                         : size.machines == page.wanted.machines
                             ? layout_words(size.layout, page.labels)
                             : change_words(page.preview.layout, size.layout, page.labels);
        item["tasks"] =
            size.problems.empty() ? translated_count(size.task_count, "{0} task", "{0} tasks") : "";
        item["cost"] = size.cost ? cost_words(*size.cost) : "";
        sizes.push_back(std::move(item));
    }
    return sizes;
}

Json fact_or_none(const std::string& label, const std::string& value) {
    Json item;
    item["label"] = label;
    item["value"] = value.empty() ? "none" : value;
    item["lines"] = Json::array();
    return item;
}

/// Each changed value of the configuration: "web.port: 80 → 8080"; secrets are not shown. Null: the
/// template's.
Json changed_values(const PreviewPage& page) {
    if (page.wanted.config.is_null()) return nullptr;
    Json before = page.defaults.config;
    Json after = page.wanted.config;
    const Json plain = after;
    hide_what_sounds_secret(before, secret_mask, DocumentKind::configuration);
    hide_what_sounds_secret(after, secret_mask, DocumentKind::configuration);
    Json lines = Json::array();
    const auto line = [&](const std::string& text) { lines.push_back({{"line", text}}); };
    for (const Json& value : value_differences(before, after)) {
        const auto member = value.at("member").get<std::string>();
        const auto old = value.at("before").get<std::string>();
        const auto fresh = value.at("after").get<std::string>();
        line(old.empty()     ? translated("{0}: {1} (added)", member, fresh)
             : fresh.empty() ? translated("{0}: removed", member)
                             : translated("{0}: {1} instead of {2}", member, fresh, old));
    }
    const bool is_same = plain == page.defaults.config;
    if (lines.empty() && !is_same) line(translated("Values that are not shown were changed."));
    return lines.empty() ? Json() : lines;
}

/// What was chosen, and is not what the template has.
void add_chosen(Json& facts, const PreviewPage& page) {
    const auto& wanted = page.wanted;
    const auto& usual = page.defaults;
    const auto sorted = [](std::vector<std::string> names) {
        std::ranges::sort(names);
        return names;
    };
    const auto add = [&](const std::string& label, const std::string& value) {
        facts.push_back(fact_or_none(label, value));
    };
    if (!wanted.services.empty() && sorted(wanted.services) != sorted(usual.services)) {
        add(translated("Services"), listed(page.labels.services(wanted.services)));
    }
    if (wanted.services.empty() && !usual.services.empty()) {
        add(translated("Services"), translated("none was chosen, so those of the template"));
    }
    if (wanted.hardware_type && wanted.hardware_type != usual.hardware_type) {
        add(translated("Hardware type"), page.labels.hardware_type(*wanted.hardware_type));
    }
    if (wanted.image_type && wanted.image_type != usual.image_type) {
        add(translated("Image type"), page.labels.image_type(*wanted.image_type));
    }
    if (wanted.dns_suffix && wanted.dns_suffix != usual.dns_suffix) {
        add(translated("DNS suffix"), *wanted.dns_suffix);
    }
    for (const PluginField& field : page.provider_fields) {
        const Json* value = provisioner::base::member(wanted.provider_fields, field.name);
        if (field.is_secret() || value == nullptr || !value->is_string()) continue;
        add(field.label, chosen_value_words(field, value->get<std::string>()));
    }
    Json values = changed_values(page);
    if (values.is_null()) return;
    add(translated("Configuration"), "");
    facts.back()["value"] = "";
    facts.back()["lines"] = std::move(values);
}

Json facts_json(const PreviewPage& page) {
    const auto& expires = page.preview.expires_at;
    Json facts{fact_or_none(translated("Template"), page.template_title),
               fact_or_none(translated("Provider"), page.preview.provider_title),
               fact_or_none(translated("Expires"),
                            expires ? relative(*expires, page.now) : translated("No expiry")),
               fact_or_none(translated("Description"), page.wanted.description)};
    add_chosen(facts, page);
    return facts;
}

Json secrets_json(const PreviewPage& page) {
    Json fields = Json::array();
    for (const PluginField& secret : page.provider_fields) {
        if (!secret.is_secret()) continue;
        FormField field = provider_field(secret, {});
        field.hint = joined_sentences(
            field.hint, translated("Pages do not keep secrets, so it is asked for here."));
        fields.push_back(to_json(field, {}));
    }
    return fields;
}

Json hidden_json(const PreviewPage& page) {
    Json hidden = Json::array();
    for (const auto& [name, value] : page.sent.fields) {
        if (name == "explain" || name == "numMachines") continue;
        if (!travels_on(page.provider_fields, name)) continue;
        Json item;
        item["name"] = name;
        item["value"] = value;
        hidden.push_back(std::move(item));
    }
    return hidden;
}

/// Null if no other cluster has the name.
Json namesakes_json(const PreviewPage& page) {
    if (page.namesakes.empty()) return nullptr;
    Json clusters = Json::array();
    for (const auto& cluster : page.namesakes) {
        const auto status =
            shown_status(cluster.status, cluster.latest_job, cluster.services_stopped);
        const auto id = provisioner::model::wire_id(cluster.id);
        clusters.push_back({{"href", "/clusters/" + id},
                            {"name", cluster.name},
                            {"id", id},
                            {"status", status.css},
                            {"status_words", status.words}});
    }
    return {{"words", page.namesakes.size() == 1
                          ? translated("There is already a cluster of this name. Creating makes "
                                       "another one.")
                          : translated("There are already clusters of this name. Creating makes "
                                       "another one.")},
            {"clusters", std::move(clusters)}};
}

/// "The latest 3 clusters of this template were created in 2 minutes to 4 minutes."; empty without
/// any.
std::string duration_words(const PreviewPage& page) {
    if (page.creation_times.empty()) return "";
    const auto [least, most] = std::ranges::minmax(page.creation_times);
    const std::string shortest = spoken(least);
    const std::string longest = spoken(most);
    return translated_count(
        page.creation_times.size(), "The latest cluster of this template was created in {1}.",
        "The latest {0} clusters of this template were created in {1}.",
        shortest == longest ? shortest : translated("{0} to {1}", shortest, longest));
}

/// ", 50.40 USD until the lease ends"; empty for a cluster that never expires.
std::string words_about_lease(const ClusterPreview& preview) {
    if (preview.cost_of_lease.empty()) return "";
    return translated(", {0} until the lease ends", to_rounded_text(preview.cost_of_lease));
}

}  // namespace

bool travels_on(const std::vector<PluginField>& provider_fields, const std::string& name) {
    if (name == "csrf" || name == "once") return false;
    if (!name.starts_with("providerFields.")) return true;
    return std::ranges::any_of(provider_fields, [&](const PluginField& field) {
        return !field.is_secret() && provider_field(field, {}).name == name;
    });
}

std::vector<std::string> words_of_lacking(
    const std::vector<provisioner::operations::LackingService>& lacking, const Labels& labels) {
    std::vector<std::string> words;
    for (const auto& [service, needs] : lacking) {
        words.push_back(translated("{0} needs {1}, and no machine of this layout has that.",
                                   labels.service(service), labels.service(needs)));
    }
    return words;
}

Json to_json(const PreviewPage& page) {
    const auto& preview = page.preview;
    Json json;
    json["name"] = page.wanted.name;
    json["sentence"] = translated(
        "{0} at the provider {1}, {2}.",
        translated_count(preview.nodes.size(), "{0} machine", "{0} machines"),
        preview.provider_title, translated_count(preview.task_count, "{0} task", "{0} tasks"));
    LayoutPicture picture = picture_of_preview(preview, page.labels);
    json["more_machines"] = more_machines(fit_for_preview(picture));
    add_to(json, picture);
    json["groups"] = groups_json(preview, page.labels);
    json.update(plan_json(preview.tasks, static_cast<std::size_t>(preview.task_count),
                          static_cast<std::size_t>(preview.stage_count)));
    json["is_explained"] = !preview.reasons.empty();
    json["machines"] = page.wanted.machines;
    json["sizes"] = sizes_json(page);
    json["has_sizes"] = page.sizes.size() > 1;
    json["sizes_have_costs"] = preview.cost.has_value();
    json.update(costs_json(preview.cost, words_about_lease(preview), preview.warnings));
    json["facts"] = facts_json(page);
    json["namesakes"] = namesakes_json(page);
    json["lacking"] = Json::array();
    for (const auto& words : words_of_lacking(preview.lacking, page.labels)) {
        json["lacking"].push_back({{"sentence", words}});
    }
    json["has_lacking"] = !json["lacking"].empty();
    json["duration"] = duration_words(page);
    json["hidden"] = hidden_json(page);
    json["secrets_title"] = translated("For the provider {0}", preview.provider_title);
    json["secrets"] = secrets_json(page);
    json["has_secrets"] = !json["secrets"].empty();
    return json;
}

}  // namespace fcgi::pages
