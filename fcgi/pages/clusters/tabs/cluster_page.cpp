#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::to_word;
using provisioner::store::ListedMachine;

namespace {

/// Above the tabs stands a whole description of at most so many bytes in one line; others can be
/// opened.
constexpr std::size_t description_in_head = 200;

void add_buttons_of_work(std::vector<ClusterButton>& buttons, const ClusterPage& page,
                         const std::string& cluster) {
    if (!page.job || page.job->aborted) return;
    const bool paused = page.job->status == JobStatus::paused;
    if (paused) buttons.push_back({translated("Resume"), cluster + "resume", "", "primary"});
    if (!paused) buttons.push_back({translated("Pause"), cluster + "pause", ""});
    if (page.job->operation == Operation::cluster_delete) return;
    buttons.push_back({translated("Abort"), "", cluster + "abort", "quiet-danger"});
}

Json tabs_json(const ClusterPage& page, ClusterTab current) {
    struct Entry {
        ClusterTab tab;
        const char* path;
        const char* label;
    };
    constexpr std::array entries{
        Entry{ClusterTab::overview, "", for_translation("Overview")},
        Entry{ClusterTab::machines, "/machines", for_translation("Machines")},
        Entry{ClusterTab::jobs, "/jobs", for_translation("Jobs")},
        Entry{ClusterTab::services, "/services", for_translation("Services")},
        Entry{ClusterTab::settings, "/settings", for_translation("Settings")}};
    Json tabs = Json::array();
    for (const Entry& entry : entries) {
        tabs.push_back({{"href", page.href() + entry.path},
                        {"label", translated(entry.label)},
                        {"current", entry.tab == current}});
    }
    return tabs;
}

}  // namespace

bool ClusterPage::changes() const {
    return cluster.status == ClusterStatus::pending;
}

bool ClusterPage::is_half_deleted() const {
    return cluster.status == ClusterStatus::incomplete && job &&
           job->operation == Operation::cluster_delete;
}

bool ClusterPage::is_left_unfinished() const {
    return provisioner::model::is_left_unfinished(job);
}

bool ClusterPage::has_failed_creation() const {
    return is_failed_creation(cluster, job);
}

bool ClusterPage::has_repairable_creation() const {
    return is_repairable_creation(cluster, job);
}

bool ClusterPage::has_failed_configuration() const {
    return cluster.status == ClusterStatus::inconsistent && is_failed_configuration(job);
}

bool ClusterPage::may_retry() const {
    return may_operate && may_be_retried(cluster, job);
}

std::string ClusterPage::create_again_href() const {
    return "/clusters/new?like=" + wire_id(cluster.id);
}

std::string ClusterPage::href() const {
    return "/clusters/" + wire_id(cluster.id);
}

bool may_have_links(const Cluster& cluster) {
    const auto& snapshot = cluster.snapshot;
    return cluster.status != ClusterStatus::pending &&
           cluster.status != ClusterStatus::terminated &&
           (!snapshot.cluster_template.links.empty() ||
            std::ranges::any_of(snapshot.services,
                                [](const Service& service) { return !service.links.empty(); }));
}

ClusterAtWork at_work(const ClusterPage& page) {
    return {.status = page.cluster.status,
            .operation = page.job ? std::optional(page.job->operation) : std::nullopt};
}

MachineLook look_of(const ClusterPage& page, const ListedMachine& machine, MachinePart part) {
    const auto lost = page.lost.find(machine.node);
    return look_of(at_work(page), lost == page.lost.end() ? LostSince() : lost->second, machine,
                   part);
}

std::vector<ClusterButton> buttons_of(const ClusterPage& page) {
    const std::string cluster = page.href() + "/";
    const ClusterStatus status = page.cluster.status;
    std::vector<ClusterButton> buttons;
    if (!page.may_operate) return buttons;
    if (status == ClusterStatus::terminated) {
        buttons.push_back({translated("Create again"), "", page.create_again_href()});
        return buttons;
    }
    if (status == ClusterStatus::pending) {
        add_buttons_of_work(buttons, page, cluster);
        return buttons;
    }
    bool shrinks = false;
    bool configures = false;
    for (WayOut& way : ways_out(page.cluster, page.job, page.end).ways) {
        shrinks = shrinks || way.href == cluster + "shrink";
        configures = configures || way.href == cluster + "configure";
        buttons.push_back({std::move(way.label), std::move(way.post), std::move(way.href),
                           buttons.empty() ? "primary" : ""});
    }
    const auto& rules = page.cluster.snapshot.cluster_template.constraints;
    const int machines = page.cluster.node_count;
    if (status == ClusterStatus::active && machines < rules.size_max)
        buttons.push_back({translated("Grow"), "", cluster + "grow"});
    const bool may_shrink =
        !page.is_half_deleted() && !page.end.has_wrong_configuration && !page.end.are_all_needed;
    if (may_shrink && !shrinks && machines > std::max(1, rules.size_min))
        buttons.push_back({translated("Shrink"), "", cluster + "shrink"});
    if (status != ClusterStatus::incomplete && !configures) {
        buttons.push_back({translated("Configure"), "", cluster + "configure"});
    }
    buttons.push_back({translated("Change lease"), "", cluster + "lease"});
    buttons.push_back({translated("Delete"), "", cluster + "delete", "quiet-danger"});
    if (page.is_half_deleted() && page.for_admin) {
        buttons.push_back(
            {translated("Delete without provider"), "", cluster + "give-up", "quiet-danger"});
    }
    return buttons;
}

void add_head(Json& json, const ClusterPage& page, ClusterTab tab) {
    const Cluster& cluster = page.cluster;
    const auto status = shown_status(cluster.status, page.job, cluster.services_stopped);
    json["id"] = wire_id(cluster.id);
    json["name"] = cluster.name;
    const bool is_long = one_line(cluster.description, description_in_head) != cluster.description;
    json["description"] = is_long ? "" : cluster.description;
    json["description_begins"] =
        is_long ? one_line(cluster.description, description_in_lists) : std::string();
    json["long_description"] = is_long ? cluster.description : "";
    json["status"] = status.css;
    json["status_words"] = status.words;
    json["buttons"] = Json::array();
    for (const ClusterButton& button : buttons_of(page)) {
        json["buttons"].push_back({{"label", button.label},
                                   {"post", button.post},
                                   {"href", button.href},
                                   {"look", button.look}});
    }
    json["tabs"] = tabs_json(page, tab);
    // The other two say it themselves, with more.
    const bool says_why = tab == ClusterTab::overview || tab == ClusterTab::services;
    json["reason"] =
        says_why || !page.may_operate ? "" : ways_out(page.cluster, page.job, page.end).words;
    // The handler says what a form has just done.
    json["done"] = "";
    json["follow"] = page.changes() ? "yes" : "no";
}

}  // namespace fcgi::pages
