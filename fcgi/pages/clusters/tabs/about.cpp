#include "fcgi/pages/clusters/tabs/about.hpp"

#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::to_word;

namespace {

std::string words_of_callback(const Callback& callback) {
    if (callback.state == CallbackState::delivered) return "delivered";
    const std::string tries = translated_count(callback.attempts, "{0} attempt", "{0} attempts");
    if (callback.state == CallbackState::given_up) return translated("failed after {0}", tries);
    return callback.attempts == 0 ? "pending" : translated("pending after {0}", tries);
}

/// Null if there are no callbacks.
Json callback_panel_json(const ClusterPage& page) {
    if (page.callbacks.empty()) return nullptr;
    Json list = Json::array();
    for (const Callback& callback : page.callbacks) {
        Json item;
        item["what"] = heading_of(callback.operation) + ": " + to_word(callback.event);
        item["css"] = callback.state == CallbackState::delivered  ? "done"
                      : callback.state == CallbackState::given_up ? "failed"
                                                                  : "waiting";
        item["words"] = words_of_callback(callback);
        item["error"] = callback.error;
        item["when"] = moment(callback.created_at, page.now);
        list.push_back(std::move(item));
    }
    return Json{{"callbacks", std::move(list)}};
}

Json fact(const std::string& label, const std::string& value) {
    Json item;
    item["label"] = label;
    item["value"] = value;
    item["time"] = nullptr;
    item["link"] = nullptr;
    return item;
}

/// The version of the template that the cluster has, and what leads to a newer one.
Json template_version_fact(const ClusterPage& page) {
    const int version = page.cluster.snapshot.cluster_template.header.version;
    const bool is_of_earlier = page.is_of_earlier_template;
    const std::string own = version == 0    ? translated("a draft")
                            : is_of_earlier ? translated("{0} of the earlier template", version)
                                            : std::to_string(version);
    auto item = fact(translated("Version of the template"), own);
    if (page.newest_template == 0) return item;
    const std::string words = version == 0 || is_of_earlier
                                  ? translated("version {0} is in force", page.newest_template)
                              : page.newest_template == version
                                  ? translated("what it extends has changed")
                                  : translated("version {0} is newer", page.newest_template);
    if (page.may_operate && page.cluster.status == ClusterStatus::active) {
        item["link"] = {{"link_href", page.href() + "/sync"}, {"words", words}};
    } else {
        item["value"] = translated("{0}; {1}", own, words);
    }
    return item;
}

Json time_fact(const std::string& label, provisioner::base::Timestamp at,
               provisioner::base::Timestamp now) {
    auto item = fact(label, "");
    item["time"] = moment(at, now);
    return item;
}

Json facts_json(const ClusterPage& page) {
    const Cluster& cluster = page.cluster;
    Json facts = Json::array();
    facts.push_back(
        fact(translated("Template"), title_of(cluster.snapshot.cluster_template.header)));
    facts.push_back(template_version_fact(page));
    facts.push_back(fact(translated("Provider"), title_of(cluster.snapshot.provider.header)));
    facts.push_back(fact(translated("Machines"), grouped(page.nodes.size())));
    facts.push_back(fact(translated("Owner"), cluster.owner));
    facts.push_back(time_fact(translated("Created"), cluster.created_at, page.now));
    const bool gone = cluster.status == ClusterStatus::terminated;
    if (!gone && cluster.expires_at) {
        const bool is_over = *cluster.expires_at <= page.now;
        facts.push_back(time_fact(is_over ? translated("Expired") : translated("Expires"),
                                  *cluster.expires_at, page.now));
    } else if (!gone) {
        facts.push_back(fact(translated("Expires"), translated("No expiry")));
    }
    if (page.cost && !gone)
        facts.push_back(fact(translated("Cost"), cost_words(page.cost->hourly)));
    if (page.cost) facts.push_back(fact(translated("Cost so far"), cost_words(page.cost->so_far)));
    facts.push_back(fact(translated("ID"), wire_id(cluster.id)));
    return facts;
}

/// The configuration without its passwords: auditors see this page, too. Who may operate the
/// cluster reads them in the form that changes it.
std::string config_words(Json config) {
    if (config.empty()) return "";
    hide_what_sounds_secret(config, secret_mask, DocumentKind::configuration);
    return config.dump(4);
}

/// What became of the configuration where the job that applies it did not succeed, with the ways
/// on; null where it is in force.
Json config_note_json(const ClusterPage& page) {
    const bool has_failed = page.has_failed_configuration();
    if (!page.job || !(has_failed || page.end.has_wrong_configuration)) return nullptr;
    const std::string words =
        page.end.has_wrong_configuration
            ? translated("A value of this configuration is wrong: the latest job failed with it.")
        : page.is_left_unfinished()
            ? translated("This configuration is not applied everywhere: its job was not finished.")
            : translated("This configuration did not work: the job that applied it failed.");
    const bool may_change = page.may_operate && (has_failed || page.has_repairable_creation());
    return {{"words", words},
            {"job_href", page.href() + "/jobs/" + std::to_string(page.job->id.value)},
            {"change_href", may_change ? page.href() + "/configure" : ""}};
}

}  // namespace

Json settings_json(const ClusterPage& page) {
    Json json;
    add_head(json, page, ClusterTab::settings);
    json["facts"] = facts_json(page);
    json["callback_panel"] = callback_panel_json(page);
    const bool is_settled = page.may_operate && page.cluster.status != ClusterStatus::pending &&
                            page.cluster.status != ClusterStatus::terminated;
    const bool may_configure = is_settled && page.cluster.status != ClusterStatus::incomplete;
    json["configure_href"] = may_configure ? page.href() + "/configure" : "";
    const bool may_describe = page.may_operate && page.cluster.status != ClusterStatus::terminated;
    json["description_href"] = may_describe ? page.href() + "/description" : "";
    json["lease_href"] = is_settled ? page.href() + "/lease" : "";
    json["config"] = config_words(page.cluster.config);
    json["config_note"] = config_note_json(page);
    return json;
}

}  // namespace fcgi::pages
