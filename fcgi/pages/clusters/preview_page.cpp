#include "fcgi/pages/clusters/preview_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/layout_picture.hpp"
#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::model::PluginField;
using provisioner::operations::ClusterPreview;
using provisioner::operations::NodePreview;

namespace {

LayoutPicture picture_of_preview(const ClusterPreview& preview) {
    std::set<std::string> names;
    for (const NodePreview& node : preview.nodes) {
        names.insert(node.services.begin(), node.services.end());
    }
    LayoutPicture picture{.columns = {names.begin(), names.end()}, .rows = {}};
    for (const NodePreview& node : preview.nodes) {
        if (picture.rows.size() == machines_in_the_picture) break;
        PictureRow row{.title = "Machine " + std::to_string(picture.rows.size() + 1),
                       .subtitle = node.hardware_type};
        for (const auto& service : picture.columns) {
            const bool here = std::count(node.services.begin(), node.services.end(), service) > 0;
            row.cells.push_back(here ? CellLook::planned : CellLook::none);
        }
        picture.rows.push_back(std::move(row));
    }
    return picture;
}

Json reasons_json(const provisioner::solver::GroupReasons& reasons) {
    Json sentences = Json::array();
    for (const auto& reason : reasons.services)
        sentences.push_back({{"sentence", reason.sentence}});
    sentences.push_back({{"sentence", reasons.machine}});
    return sentences;
}

Json groups_json(const ClusterPreview& preview) {
    Json groups = Json::array();
    for (const auto& group : preview.layout.groups) {
        Json item;
        item["is_explained"] = !preview.reasons.empty();
        item["reasons"] = Json::array();
        if (!preview.reasons.empty())
            item["reasons"] = reasons_json(preview.reasons[groups.size()]);
        item["count"] = counted(static_cast<std::size_t>(group.count), "machine");
        item["services"] = group.services.empty() ? "no services" : listed(group.services);
        item["hardware_type"] = group.hardware_type;
        item["image_type"] = group.image_type;
        groups.push_back(std::move(item));
    }
    return groups;
}

// "1 × small with a and b; 3 × large with c".
std::string layout_words(const provisioner::solver::ClusterLayout& layout) {
    std::string words;
    for (const auto& group : layout.groups) {
        words += (words.empty() ? "" : "; ") + std::to_string(group.count) + " \u00d7 " +
                 group.hardware_type + " with " + listed(group.services);
    }
    return words;
}

Json sizes_json(const PreviewPage& page) {
    Json sizes = Json::array();
    for (const auto& size : page.sizes) {
        Json item;
        item["machines"] = counted(static_cast<std::size_t>(size.machines), "machine");
        item["number"] = size.machines;
        item["is_this"] = size.machines == page.wanted.machines;
        item["is_possible"] = size.problems.empty();
        item["layout"] =
            size.problems.empty() ? layout_words(size.layout) : size.problems.front().message;
        item["tasks"] =
            size.problems.empty() ? counted(static_cast<std::size_t>(size.task_count), "task") : "";
        item["cost"] = size.cost ? cost_words(*size.cost) : "";
        sizes.push_back(std::move(item));
    }
    return sizes;
}

Json fact_or_none(const std::string& label, const std::string& value) {
    Json item;
    item["label"] = label;
    item["value"] = value.empty() ? "none" : value;
    return item;
}

Json facts_json(const PreviewPage& page) {
    const auto& expires = page.preview.expires_at;
    return {fact_or_none("Template", page.wanted.cluster_template),
            fact_or_none("Provider", page.preview.provider),
            fact_or_none("Expires", expires ? relative(*expires, page.now) : "never"),
            fact_or_none("Description", page.wanted.description)};
}

Json secrets_json(const PreviewPage& page) {
    Json fields = Json::array();
    for (const PluginField& secret : page.provider_fields) {
        if (!secret.is_secret()) continue;
        FormField field = provider_field(secret, {});
        field.hint = "Enter it again: pages do not keep secrets.";
        fields.push_back(to_json(field, {}));
    }
    return fields;
}

/// Whether a field is repeated in a hidden field. A value typed for another provider may be a
/// secret of that one.
bool travels_on(const PreviewPage& page, const std::string& name) {
    if (name == "csrf" || name == "explain" || name == "numMachines") return false;
    if (!name.starts_with("providerFields.")) return true;
    return std::ranges::any_of(page.provider_fields, [&](const PluginField& field) {
        return !field.is_secret() && provider_field(field, {}).name == name;
    });
}

Json hidden_json(const PreviewPage& page) {
    Json hidden = Json::array();
    for (const auto& [name, value] : page.sent.fields) {
        if (!travels_on(page, name)) continue;
        Json item;
        item["name"] = name;
        item["value"] = value;
        hidden.push_back(std::move(item));
    }
    return hidden;
}

/// ", 50.40 USD until the lease ends"; empty for a cluster that never expires.
std::string words_about_lease(const ClusterPreview& preview) {
    if (preview.cost_of_lease.empty()) return "";
    return ", " + to_rounded_text(preview.cost_of_lease) + " until the lease ends";
}

}  // namespace

Json to_json(const PreviewPage& page) {
    const auto& preview = page.preview;
    Json json;
    json["name"] = page.wanted.name;
    json["sentence"] = counted(preview.nodes.size(), "machine") + " from " + preview.provider +
                       ", " + counted(static_cast<std::size_t>(preview.task_count), "task") + ".";
    add_to(json, picture_of_preview(preview));
    json["more_machines"] = more_machines(preview.nodes.size());
    json["groups"] = groups_json(preview);
    json.update(plan_json(preview.tasks, static_cast<std::size_t>(preview.task_count),
                          static_cast<std::size_t>(preview.stage_count)));
    json["is_explained"] = !preview.reasons.empty();
    json["machines"] = page.wanted.machines;
    json["sizes"] = sizes_json(page);
    json["has_sizes"] = page.sizes.size() > 1;
    json["sizes_have_costs"] = preview.cost.has_value();
    json.update(costs_json(preview.cost, words_about_lease(preview), preview.warnings));
    json["facts"] = facts_json(page);
    json["hidden"] = hidden_json(page);
    json["secrets"] = secrets_json(page);
    json["has_secrets"] = !json["secrets"].empty();
    return json;
}

}  // namespace fcgi::pages
