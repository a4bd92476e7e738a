#include "fcgi/pages/clusters/configure_page.hpp"

#include <algorithm>
#include <set>

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

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

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

bool goes_back(const ConfigurePage& page) {
    return page.preview && page.working && *page.preview == *page.working;
}

/// What is said below the heading.
std::string lede_of_configuration(bool retries, bool finishes) {
    if (finishes) {
        return translated(
            "The work of the latest job is finished with this configuration. Every service is "
            "configured again and restarted.");
    }
    if (retries) {
        return translated(
            "The creation is retried with this configuration. What was made stays; services that "
            "have the old configuration are configured again.");
    }
    return translated("Every machine gets this configuration.");
}

/// The box for keeping machines that the failed job was taking away; null where none can stay.
Json keep_json(const ConfigurePage& page, bool finishes) {
    if (!finishes || !page.end.to_keep) return nullptr;
    const auto& way = *page.end.to_keep;
    Json json{{"label", translated_count(way.kept.size(), "Keep {1}, which was being removed",
                                         "Keep {1}, which were being removed", names_of_kept(way))},
              {"hint", ""},
              {"checked", page.keep}};
    if (!way.without.empty()) {
        json["hint"] = translated_count(way.without.size(), "The new machine is removed then.",
                                        "The {0} new machines are removed then.");
    }
    return json;
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
    const std::string name = goes_back(page) ? label_going_back()
                             : retries       ? translated("Retry with this configuration")
                                             : translated("Configure");
    json["button"] = label_with_going(name, going);
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

std::string ConfigurePage::heading() const {
    return goes_back(*this) ? label_going_back() : translated("Configure {0}", cluster.name);
}

std::string ConfigurePage::title() const {
    return goes_back(*this) ? heading() + ", " + cluster.name : heading();
}

std::string sum_of_config(const Json& typed, const Json& present, bool restart, bool keep) {
    return std::to_string(provisioner::base::fnv1a(typed.dump() + '\n' + present.dump() +
                                                   (restart ? "\nrestart" : "") +
                                                   (keep ? "\nkeep" : "")));
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
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["blocked"] = std::move(blocked);
    const bool is_typed = page.config != text_of_config(page.cluster.config, page.cluster.config);
    json["typed"] = is_blocked && is_typed ? page.config : "";
    json["heading"] = page.heading();
    json["lede"] = lede_of_configuration(retries, finishes);
    json["retries"] = retries;
    json["keep"] = keep_json(page, finishes);
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
    json["previewed"] = page.preview && typed ? sum_of_config(*typed, page.cluster.config,
                                                              page.restart && !retries, page.keep)
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
                          {"restore", label_going_back()},
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

}  // namespace fcgi::pages
