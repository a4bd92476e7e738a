#include "fcgi/pages/clusters/form.hpp"

#include <algorithm>
#include <chrono>

#include "provisioner/base/ids.hpp"
#include "provisioner/macros/expand.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/clusters/prepare.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace std::chrono;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::base::Problems;
using provisioner::model::ClusterTemplate;
using provisioner::operations::CreateCluster;
namespace model = provisioner::model;

namespace {

constexpr std::string_view provider_field_prefix = "providerFields.";
constexpr std::int64_t longest_lease_part = 1'000'000;

std::optional<std::string> optional_text(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

int read_machines(const std::string& text, Problems& problems) {
    const auto number = parse_number(text);
    if (number && *number >= 1 && *number <= provisioner::operations::max_cluster_size) {
        return static_cast<int>(*number);
    }
    problems.push_back(
        {"numMachines",
         translated("Enter how many machines: a whole number from 1 to {0}.",
                    provisioner::messages::grouped(provisioner::operations::max_cluster_size))});
    return 0;
}

std::optional<milliseconds> read_lease(const ClusterForm& form, Problems& problems) {
    if (form.lease_days.empty() && form.lease_hours.empty() && form.lease_minutes.empty())
        return {};
    const auto part = [](const std::string& text) { return text.empty() ? 0 : parse_number(text); };
    const auto days_part = part(form.lease_days);
    const auto hours_part = part(form.lease_hours);
    const auto minutes_part = part(form.lease_minutes);
    const auto fits = [](const auto& number) { return number && *number <= longest_lease_part; };
    if (fits(days_part) && fits(hours_part) && fits(minutes_part)) {
        return hours(24 * *days_part) + hours(*hours_part) + minutes(*minutes_part);
    }
    problems.push_back({"initialLeaseDuration",
                        translated("Enter days, hours and minutes as whole numbers, 0 or more.")});
    return {};
}

Json read_provider_fields(const ClusterForm& form) {
    Json fields = Json::object();
    for (const auto& [name, value] : form.provider_fields) {
        if (!value.empty()) fields[name] = value;
    }
    return fields;
}

std::string machines_within(const ClusterTemplate& cluster_template, std::int64_t machines) {
    const auto& limits = cluster_template.constraints;
    return std::to_string(std::clamp<std::int64_t>(machines, limits.size_min, limits.size_max));
}

void write_lease(ClusterForm& form, milliseconds lease) {
    const auto all = duration_cast<minutes>(lease).count();
    form.lease_days = std::to_string(all / 1440);
    form.lease_hours = std::to_string(all / 60 % 24);
    form.lease_minutes = std::to_string(all % 60);
}

/// The lease of the cluster, zero if it had no end; nothing if a new one may not be so long.
std::optional<milliseconds> lease_to_copy(const model::Cluster& cluster,
                                          const ClusterTemplate& cluster_template) {
    const auto longest = cluster_template.lease.initial;
    if (!cluster.expires_at) {
        return longest.count() == 0 ? std::optional(milliseconds::zero()) : std::nullopt;
    }
    const auto lease = duration_cast<milliseconds>(*cluster.expires_at - cluster.created_at);
    if (lease < minutes(1) || (longest.count() != 0 && lease > longest)) return std::nullopt;
    return lease;
}

/// What is left empty is left to the template.
bool differs(const std::string& text, const std::string& usual) {
    return !text.empty() && text != usual;
}

/// The configuration for the form, with the mask in place of what sounds secret.
std::string masked_text(Json config) {
    if (config.empty()) return "";
    model::hide_what_sounds_secret(config, model::secret_mask, model::DocumentKind::configuration);
    return config.dump(2);
}

}  // namespace

Json read_config(const std::string& text, Problems& problems) {
    if (text.empty()) return nullptr;
    auto config = provisioner::base::parse_json(text);
    const auto wrong = [&](std::string reason) -> Json {
        problems.push_back({"config", std::move(reason)});
        return nullptr;
    };
    if (!config) return wrong(provisioner::base::problem_with_json(text));
    if (!config->is_object()) {
        return wrong(translated("The configuration must be a JSON object: {...}."));
    }
    if (const auto error = provisioner::macros::first_malformed(*config)) {
        return wrong(
            translated("A macro cannot be expanded: {0}.", provisioner::macros::to_text(*error)));
    }
    return std::move(*config);
}

ClusterForm form_for(const ClusterTemplate& cluster_template) {
    const auto& defaults = cluster_template.defaults;
    ClusterForm form;
    form.cluster_template = cluster_template.header.name;
    form.machines = std::to_string(cluster_template.constraints.size_min);
    form.provider = defaults.provider.value_or("");
    form.hardware_type = defaults.hardware_type.value_or("");
    form.image_type = defaults.image_type.value_or("");
    form.dns_suffix = defaults.dns_suffix.value_or("");
    form.config = masked_text(defaults.config);
    form.services = defaults.services;
    write_lease(form, cluster_template.lease.initial);
    return form;
}

bool has_own_machines(const ClusterForm& form, const ClusterTemplate& cluster_template) {
    const auto& defaults = cluster_template.defaults;
    const auto sorted = [](std::vector<std::string> names) {
        std::ranges::sort(names);
        return names;
    };
    return !differs(form.provider, defaults.provider.value_or("")) &&
           !differs(form.hardware_type, defaults.hardware_type.value_or("")) &&
           !differs(form.image_type, defaults.image_type.value_or("")) &&
           (form.services.empty() || sorted(form.services) == sorted(defaults.services));
}

bool is_changed_in_advanced(const ClusterForm& form, const ClusterTemplate& cluster_template) {
    const ClusterForm usual = form_for(cluster_template);
    // Browsers send line ends of their own.
    std::string config = form.config;
    std::erase(config, '\r');
    return !has_own_machines(form, cluster_template) || form.dns_suffix != usual.dns_suffix ||
           config != usual.config || differs(form.lease_days, usual.lease_days) ||
           differs(form.lease_hours, usual.lease_hours) ||
           differs(form.lease_minutes, usual.lease_minutes);
}

ClusterForm read_cluster_form(const http::FormData& sent) {
    ClusterForm form{.name = sent.trimmed("name"),
                     .cluster_template = sent.trimmed("clusterTemplate"),
                     .machines = sent.trimmed("numMachines"),
                     .description = sent.trimmed("description"),
                     .provider = sent.trimmed("provider"),
                     .hardware_type = sent.trimmed("hardwaretype"),
                     .image_type = sent.trimmed("imagetype"),
                     .dns_suffix = sent.trimmed("dnsSuffix"),
                     .config = sent.trimmed("config"),
                     .of_draft = !sent.trimmed("ofDraft").empty() &&
                                 sent.trimmed("ofDraft") == sent.trimmed("clusterTemplate"),
                     .like = sent.trimmed("like"),
                     .services = sent.all("services"),
                     .lease_days = sent.trimmed("leaseDays"),
                     .lease_hours = sent.trimmed("leaseHours"),
                     .lease_minutes = sent.trimmed("leaseMinutes"),
                     .provider_fields = {}};
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(provider_field_prefix)) continue;
        form.provider_fields[name.substr(provider_field_prefix.size())] = value;
    }
    return form;
}

ClusterForm form_like(const model::Cluster& cluster, const ClusterTemplate& cluster_template) {
    auto form = form_for(cluster_template);
    form.name = cluster.name;
    form.description = cluster.description;
    const int asked = cluster.snapshot.machines_asked_for;
    form.machines = machines_within(cluster_template, asked > 0 ? asked : cluster.node_count);
    form.provider = cluster.snapshot.provider.header.name;
    form.services = cluster.services;
    form.dns_suffix = cluster.dns_suffix;
    form.config = masked_text(cluster.config);
    form.like = model::wire_id(cluster.id);
    if (const auto lease = lease_to_copy(cluster, cluster_template)) write_lease(form, *lease);
    return form;
}

std::map<std::string, std::string> words_not_copied(const model::Cluster& cluster,
                                                    const ClusterTemplate& cluster_template) {
    const std::string types = translated("Not copied: this is the template's choice.");
    std::map<std::string, std::string> words{{"hardwaretype", types}, {"imagetype", types}};
    if (!lease_to_copy(cluster, cluster_template)) {
        words["initialLeaseDuration"] =
            translated("Not copied: this is the longest that the template allows at first.");
    }
    return words;
}

ClusterForm switched(const ClusterForm& form, const ClusterTemplate& cluster_template) {
    auto other = form_for(cluster_template);
    other.name = form.name;
    other.description = form.description;
    const auto machines = parse_number(form.machines);
    if (machines) other.machines = machines_within(cluster_template, *machines);
    return other;
}

CreateCluster wanted(const ClusterForm& form, Problems& problems) {
    CreateCluster request;
    request.name = form.name;
    request.cluster_template = form.cluster_template;
    request.of_draft = form.of_draft;
    request.machines = read_machines(form.machines, problems);
    request.description = form.description;
    request.provider = optional_text(form.provider);
    request.provider_fields = read_provider_fields(form);
    request.services = form.services;
    request.hardware_type = optional_text(form.hardware_type);
    request.image_type = optional_text(form.image_type);
    request.lease = read_lease(form, problems);
    request.dns_suffix = optional_text(form.dns_suffix);
    request.config = read_config(form.config, problems);
    return request;
}

}  // namespace fcgi::pages
