#include "fcgi/pages/clusters/settings_page.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/plans/change_preview.hpp"
#include "fcgi/pages/clusters/plans/configure_plan.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "fcgi/pages/differences/text_difference.hpp"
#include "fcgi/pages/failure_words.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/fnv1a.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/audit/event.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/changes/finish.hpp"
#include "provisioner/operations/clusters/configure.hpp"
#include "provisioner/operations/clusters/lease.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

void add_cluster(Json& json, const Cluster& cluster) {
    json["cluster_href"] = "/clusters/" + wire_id(cluster.id);
    json["cluster_name"] = cluster.name;
}

/// Gives back each value of `config` that is hidden in `masked` and not the one of `present`, and
/// lists that are another in `present`.
void unmask_changed(Json& masked, const Json& config, const Json* present) {
    if (config.is_object()) {
        auto shown = masked.begin();
        for (const auto& [key, value] : config.items()) {
            unmask_changed(*shown++, value,
                           present ? provisioner::base::member(*present, key) : nullptr);
        }
        return;
    }
    if (masked != config && (present == nullptr || *present != config)) masked = config;
}

/// What `after` changes in `before`, without passwords.
Json config_difference(const Json& before, const Json& after) {
    return text_difference_json(audit::masked_deeply(before).dump(2),
                                audit::masked_deeply(after, before).dump(2));
}

std::string lease_rules(const LeasePage& page) {
    const LeaseDuration& lease = page.cluster.snapshot.cluster_template.lease;
    if (lease.max.count() == 0) return translated("The template sets no limit.");
    const auto most = translated("at most {0} after the cluster was created", spoken(lease.max));
    const std::string rules =
        lease.step.count() == 0
            ? translated("The lease may end {0}.", most)
            : translated("You can extend the lease by {0} at a time. It may end {1}.",
                         spoken(lease.step), most);
    const auto latest = provisioner::operations::latest_end(page.cluster);
    if (latest <= page.now) return rules;
    return translated("{0} The latest end now is {1}.", rules,
                      moment(latest, page.now).at("absolute").get<std::string>());
}

/// Ends that users ask for most, each with the moment it stands for; only those that are allowed. A
/// cluster without an end is deleted by each of them, and they say so.
Json lease_choices(const LeasePage& page) {
    using std::chrono::hours;
    const LeaseDuration& lease = page.cluster.snapshot.cluster_template.lease;
    const Timestamp latest = provisioner::operations::latest_end(page.cluster);
    const bool has_end = page.cluster.expires_at.has_value();
    const Timestamp begin = page.cluster.expires_at.value_or(page.now);
    Json choices = Json::array();
    const auto add = [&](const std::string& label, Timestamp end) {
        const std::string value = input_of(end);
        const bool is_new =
            std::ranges::none_of(choices, [&](const Json& one) { return one["value"] == value; });
        if (end <= page.now || end <= begin || !is_new) return;
        const auto until = moment(end, page.now).at("absolute").get<std::string>().substr(0, 16);
        choices.push_back(
            {{"label", label},
             {"value", value},
             {"until", has_end ? translated("until {0}", until) : translated("on {0}", until)}});
    };
    std::set<std::chrono::milliseconds> lengths{hours{24}, hours{7 * 24}, hours{30 * 24}};
    if (lease.step.count() != 0) lengths.insert(lease.step);
    const auto longest = std::chrono::floor<std::chrono::milliseconds>(latest - begin);
    for (const auto length : lengths) {
        // A step may be longer than any calendar, and than any number of microseconds.
        if (length > longest) continue;
        add(has_end ? translated("{0} longer", spoken(length))
                    : translated("Delete in {0}", spoken(length)),
            begin + length);
    }
    if (lease.max.count() != 0) add(translated("As long as allowed"), latest);
    if (has_end && provisioner::operations::may_have_no_end(page.cluster)) {
        choices.push_back({{"label", translated("No expiry")},
                           {"value", no_expiry},
                           {"until", translated("until somebody deletes it")}});
    }
    return choices;
}

/// Of many failures the first is not the reason.
std::string reason_of_failure(const ConfigurePage& page, const Labels& labels) {
    const std::string counted = failure_words(page.kinds, labels);
    return counted.empty() ? reason_said_once(page.cluster.message, labels) : counted;
}

/// Of a configuration that did not end well.
std::string title_of_end(const ConfigurePage& page) {
    if (!is_failed_configuration(page.job)) {
        return translated("An earlier configuration was never applied everywhere");
    }
    if (!page.job->aborted) return translated("This configuration failed");
    return page.end.aborted_by.empty()
               ? translated("This configuration was aborted")
               : translated("This configuration was aborted by {0}", page.end.aborted_by);
}

/// What became of a job whose work is finished with the new configuration.
struct EndWords {
    const char* aborted_by;
    const char* aborted;
    const char* not_finished;
    const char* failed;
    const char* failed_for;
};

constexpr EndWords words_of_creation{
    .aborted_by = for_translation("The creation was aborted by {0}."),
    .aborted = for_translation("The creation was aborted."),
    .not_finished = for_translation("The creation is not finished."),
    .failed = for_translation("The creation failed."),
    .failed_for = for_translation("The creation failed: {0}")};

constexpr EndWords words_of_others{
    .aborted_by = for_translation("The latest job was aborted by {0}."),
    .aborted = for_translation("The latest job was aborted."),
    .not_finished = for_translation("The latest job is not finished."),
    .failed = for_translation("The latest job failed."),
    .failed_for = for_translation("The latest job failed: {0}")};

std::string job_words(const EndWords& words, const ConfigurePage& page, const Labels& labels) {
    if (page.job->aborted && !page.end.aborted_by.empty()) {
        return translated(words.aborted_by, page.end.aborted_by);
    }
    if (page.job->aborted) return translated(words.aborted);
    if (is_left_unfinished(page.job)) return translated(words.not_finished);
    const std::string reason = reason_of_failure(page, labels);
    return reason.empty() ? translated(words.failed) : translated(words.failed_for, reason);
}

/// What the job with the previewed configuration does.
Json plan_of_configuration(const ConfigurePage& page, const Labels& labels) {
    Json json = configuration_plan_json(*page.plan, page.nodes, labels, page.stopped);
    if (!page.finish) return json;
    json["touched"] = Json::array();
    for (const Json& sentence : change_sentences_json(*page.finish, labels, page.stopped)) {
        json["touched"].push_back({{"text", sentence.at("text")}});
    }
    return json;
}

/// The button that applies what is previewed. It says so where machines go.
void add_button(Json& json, const ConfigurePage& page, bool retries) {
    const std::size_t going = page.finish ? machines_going(*page.finish) : 0;
    json["button"] =
        !retries ? translated("Configure")
        : going == 0
            ? translated("Retry with this configuration")
            : translated_count(going, "Retry with this configuration and remove {0} machine",
                               "Retry with this configuration and remove {0} machines");
    json["button_look"] = going == 0 ? "primary" : "danger";
}

/// What is said, and can be done, where nothing of the configuration changes.
void add_words_without_change(Json& json, const ConfigurePage& page, bool retries) {
    const bool is_left = retries && is_left_unfinished(page.job);
    json["same_words"] =
        is_left ? translated(
                      "Nothing changes: the cluster has this configuration. You can run the "
                      "remaining tasks with it.")
                : translated(
                      "Nothing changes: the cluster has this configuration. Nothing was started.");
    json["anyway"] = is_left   ? translated("Run the remaining tasks")
                     : retries ? translated("Retry without changes")
                               : translated("Apply it again");
}

/// Of an end that is too late the latest one is said.
provisioner::base::Problems problems_of_lease(const LeasePage& page) {
    const Timestamp latest = provisioner::operations::latest_end(page.cluster);
    provisioner::base::Problems problems = page.problems;
    for (auto& problem : problems) {
        const bool is_too_late =
            problem.message == "New expire time cannot be greater than allowed increment" ||
            problem.message == "Cluster cannot be prolonged beyond its max duration";
        if (!is_too_late || latest <= page.now) continue;
        problem.message = translated("The lease can end at {0} at the latest.",
                                     moment(latest, page.now).at("absolute").get<std::string>());
    }
    return problems;
}

}  // namespace

std::vector<std::string> without_stopped(
    std::vector<std::string> services, const std::vector<Node>& nodes,
    const std::vector<provisioner::store::ServiceState>& states) {
    std::set<std::pair<NodeId, std::string>> stopped;
    for (const auto& state : states) {
        const bool is_stopped = state.action == Action::stop && state.state == TaskState::done;
        if (is_stopped) stopped.emplace(state.node, state.service);
    }
    std::erase_if(services, [&](const std::string& service) {
        return std::ranges::none_of(nodes, [&](const Node& node) {
            return std::ranges::count(node.services, service) > 0 &&
                   !stopped.contains({node.id, service});
        });
    });
    return services;
}

std::string sum_of_config(const Json& typed, const Json& present, bool restart) {
    return std::to_string(provisioner::base::fnv1a(typed.dump() + '\n' + present.dump() +
                                                   (restart ? "\nrestart" : "")));
}

std::string text_of_config(const Json& config, const Json& present) {
    Json masked = config;
    hide_what_sounds_secret(masked, secret_mask, DocumentKind::configuration);
    unmask_changed(masked, config, &present);
    return masked.dump(2);
}

Json to_json(const ConfigurePage& page) {
    Labels labels;
    labels.add(CatalogueKind::service, texts_of_services(page.cluster));
    const bool has_mask = page.config.find(secret_mask) != std::string::npos;
    const FormField config{
        .id = "inputConfig",
        .name = "config",
        .label = translated("Configuration"),
        .value = page.config,
        .hint = translated("A JSON object. It replaces the current configuration.") +
                (has_mask ? translated(" Passwords that read {0} stay as they are.", secret_mask)
                          : std::string()),
        .control = FormField::Control::textarea,
        .required = true,
        .rows = 16,
        .code = true};
    const bool is_creation = is_repairable_creation(page.cluster, page.job);
    const bool finishes = provisioner::operations::can_be_finished(page.cluster, page.job);
    const bool retries = is_creation || finishes;
    Json blocked =
        retries ? Json()
                : blocked_json(page.cluster, page.job,
                               {ClusterStatus::active, ClusterStatus::inconsistent}, page.end);
    const bool is_blocked = !blocked.is_null();
    // Why it cannot be done is said once.
    auto json = problems_json(translated("Couldn't configure the cluster"),
                              is_blocked ? provisioner::base::Problems() : page.problems,
                              {{"config", "inputConfig", translated("Configuration")}});
    add_cluster(json, page.cluster);
    json["blocked"] = std::move(blocked);
    const bool is_typed = page.config != text_of_config(page.cluster.config, page.cluster.config);
    json["typed"] = is_blocked && is_typed ? page.config : "";
    json["retries"] = retries;
    json["finishes"] = finishes;
    json["job_words"] =
        retries ? job_words(is_creation ? words_of_creation : words_of_others, page, labels) : "";
    json["job_look"] = retries && is_left_unfinished(page.job) ? "warn" : "bad";
    json["fields"] = Json::array({to_json(config, page.problems)});
    json["has_mask"] = has_mask;
    json["same"] = page.preview == page.cluster.config;
    add_words_without_change(json, page, retries);
    // Easily typed, and hardly ever meant.
    json["empties"] = page.preview && page.preview->empty() && !page.cluster.config.empty();
    json["preview"] =
        page.preview ? Json{{"difference", config_difference(page.cluster.config, *page.preview)}}
                     : Json();
    const auto typed = provisioner::base::parse_json(page.config);
    json["previewed"] = page.preview && typed
                            ? sum_of_config(*typed, page.cluster.config, page.restart && !retries)
                            : "";
    const bool has_plan = page.plan && page.preview && json["same"] == false;
    json["plan"] = has_plan ? plan_of_configuration(page, labels) : Json();
    add_button(json, page, retries);
    json["failed"] = nullptr;
    // A preview is about what is typed, not about what failed.
    if (page.working && !page.preview) {
        const std::string href = "/clusters/" + wire_id(page.cluster.id) + "/configure";
        const bool is_aborted = page.job && page.job->aborted;
        json["failed"] = {{"title", title_of_end(page)},
                          {"reason", is_aborted || !is_failed_configuration(page.job)
                                         ? ""
                                         : reason_of_failure(page, labels)},
                          {"restore_href", href + "?from=working#preview"},
                          {"difference", config_difference(*page.working, page.cluster.config)}};
    }
    json["restart"] = page.restart;
    json["starts_stopped"] = page.cluster.services_stopped > 0;
    const Json question = to_json(QuestionPage{.question = Question::restart_services,
                                               .cluster = page.cluster,
                                               .nodes = page.nodes,
                                               .touched = page.touched});
    // A cluster without machines has nothing to restart; a plan says it itself.
    const bool has_any = !retries && !has_plan &&
                         page.cluster.status != ClusterStatus::terminated && !page.touched.empty();
    json["has_restarts"] = has_any;
    json["restarts"] = has_any ? question.at("services") : Json::array();
    json["extent"] = question.at("extent");
    return json;
}

Json to_json(const LeasePage& page) {
    const FormField expires{.id = "inputExpireTime",
                            .name = "expireTime",
                            .label = translated("Ends at (UTC)"),
                            .value = page.expires,
                            .hint = lease_rules(page),
                            .type = "datetime-local",
                            .required = true};
    Json blocked = blocked_json(
        page.cluster, page.job,
        {ClusterStatus::active, ClusterStatus::inconsistent, ClusterStatus::incomplete});
    const auto problems = problems_of_lease(page);
    // Why it cannot be done is said once.
    auto json = problems_json(translated("Couldn't change the lease"),
                              blocked.is_null() ? problems : provisioner::base::Problems(),
                              {{"expireTime", "inputExpireTime", translated("Ends at")}});
    add_cluster(json, page.cluster);
    json["fields"] = Json::array({to_json(expires, problems)});
    json["blocked"] = std::move(blocked);
    json["has_end"] = page.cluster.expires_at.has_value();
    json["choices"] = lease_choices(page);
    json["has_choices"] = !json["choices"].empty();
    return json;
}

std::string input_of(Timestamp moment) {
    std::string text = provisioner::base::to_sql(moment).substr(0, 16);
    text[10] = 'T';
    return text;
}

std::optional<Timestamp> moment_in(const std::string& input) {
    constexpr std::size_t with_minutes = 16;
    constexpr std::size_t with_seconds = 19;
    const bool complete = input.size() == with_minutes || input.size() == with_seconds;
    if (!complete || input[10] != 'T') return std::nullopt;
    std::string text = input.size() == with_minutes ? input + ":00" : input;
    text[10] = ' ';
    try {
        return provisioner::base::from_sql(text);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

}  // namespace fcgi::pages
