#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/changes/change_names.hpp"
#include "provisioner/operations/changes/unfinished.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fcgi/pages/changes/machine_picker.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

/// The reasons of the solver against removing all failed machines; empty if it has none.
std::vector<std::string> reasons_to_keep_failed(const ChangePage& page) {
    const Snapshot& snapshot = page.cluster.snapshot;
    const auto going =
        provisioner::solver::shrink({.cluster_template = snapshot.cluster_template,
                                     .nodes = present_nodes(page),
                                     .named = {page.failed.begin(), page.failed.end()}});
    if (!going) return going.error().reasons;
    std::set<std::string> staying;
    std::set<std::string> vanishing;
    for (const Node& node : page.nodes) {
        auto& where = page.failed.contains(node.nodenum) ? vanishing : staying;
        where.insert(node.services.begin(), node.services.end());
    }
    std::vector<std::string> left = page.cluster.services;
    std::erase_if(left, [&](const auto& service) {
        return vanishing.contains(service) && !staying.contains(service);
    });
    const auto unmet = provisioner::solver::check_removal(left, snapshot.services);
    return unmet ? unmet->reasons : std::vector<std::string>{};
}

std::string names_of_failed(const ChangePage& page) {
    std::vector<std::string> hosts;
    for (const Node& node : page.nodes) {
        if (page.failed.contains(node.nodenum)) hosts.push_back(node.hostname);
    }
    return listed_hosts(std::move(hosts));
}

/// What became of them.
std::string words_on_failed(const ChangePage& page) {
    const std::string names = names_of_failed(page);
    if (page.are_unfinished) {
        return translated_count(page.failed.size(),
                                "The aborted job left {0} machine unfinished: {1}.",
                                "The aborted job left {0} machines unfinished: {1}.", names);
    }
    return translated_count(page.failed.size(), "The latest job failed on {0} machine: {1}.",
                            "The latest job failed on {0} machines: {1}.", names);
}

/// What goes with those that had served before the job; empty if none had.
std::string words_on_served(const ChangePage& page) {
    const int served = page.end.served_machines;
    if (served == 0) return "";
    if (page.failed.size() == 1) {
        return ' ' + translated("It had served before: its data is deleted, too.");
    }
    return ' ' + translated_count(static_cast<unsigned long>(served),
                                  "{0} of them had served before: its data is deleted, too.",
                                  "{0} of them had served before: their data is deleted, too.");
}

std::string words_on_choice(const ChangePage& page) {
    const auto reasons = reasons_to_keep_failed(page);
    if (reasons.empty()) {
        return translated_count(page.failed.size(), "To go on without it, remove it below.",
                                "To go on without them, remove them below.");
    }
    std::string words = translated_count(page.failed.size(), "The cluster cannot do without it.",
                                         "The cluster cannot do without all of them.");
    for (const std::string& reason : reasons) words += ' ' + page.labels.in(reason);
    return words;
}

/// The machines that a job was removing and that do not stay.
std::string words_on_those_leaving(const ChangePage& page) {
    if (page.keepable.empty() || asks_to_keep(page)) return words_on_leaving(page.leaving);
    if (page.keepable.size() < page.leaving) {
        return translated(
            "{0} machines that were being removed are removed, too; {1} of them can be kept "
            "(Advanced).",
            provisioner::messages::grouped(page.leaving),
            provisioner::messages::grouped(page.keepable.size()));
    }
    return translated_count(
        page.leaving,
        "{0} machine that was being removed is removed, too, unless it is kept (Advanced).",
        "{0} machines that were being removed are removed, too, unless they are kept (Advanced).");
}

/// Where nobody knows how the services are, the lede says what is done to them.
std::string words_on_left(const ChangePage& page) {
    std::vector<std::string> sentences;
    // A way that keeps machines has others chosen, or the same ones by itself.
    const bool keeps = is_way_to_keep(page) || only_keeps(page);
    const bool are_chosen =
        !keeps || (page.end.to_keep && page.failed == page.end.to_keep->without);
    if (!page.failed.empty() && are_chosen) {
        sentences.push_back(words_on_failed(page) + words_on_served(page));
        if (!keeps) sentences.push_back(words_on_choice(page));
    }
    if (page.preview && page.preview->is_given_up) {
        sentences.push_back(translated(
            "Nothing else was begun: the remaining tasks of the latest job are dropped."));
    } else if (!provisioner::operations::are_services_unknown(page.cluster, page.job)) {
        sentences.push_back(words_on_remaining_tasks());
    }
    if (page.leaving > 0) sentences.push_back(words_on_those_leaving(page));
    std::string words;
    for (const std::string& sentence : sentences) words += (words.empty() ? "" : " ") + sentence;
    return words;
}

}  // namespace

http::FormData first_choice(const ChangePage& page) {
    http::FormData form;
    if (page.failed.empty() || !reasons_to_keep_failed(page).empty()) return form;
    for (const int number : page.failed) {
        form.fields.push_back({"nodes", std::to_string(number)});
    }
    return form;
}

bool asks_to_keep(const ChangePage& page) {
    return page.change == Change::shrink && page.asked.trimmed("keep") == "true";
}

bool only_keeps(const ChangePage& page) {
    return asks_to_keep(page) && !page.keepable.empty() && !page.asked.has("nodes") &&
           !page.asked.has("numMachines");
}

bool is_way_to_keep(const ChangePage& page) {
    if (!page.end.to_keep || !asks_to_keep(page)) return false;
    std::set<std::string> without;
    for (const int number : page.end.to_keep->without) without.insert(std::to_string(number));
    const auto chosen = page.asked.all("nodes");
    const bool is_by_number = chosen.empty() && page.asked.has("numMachines");
    return !is_by_number && without == std::set(chosen.begin(), chosen.end());
}

std::string names_of_keepable(const ChangePage& page) {
    std::vector<std::string> hosts;
    for (const Node& node : page.keepable) hosts.push_back(node.hostname);
    return listed_hosts(std::move(hosts));
}

void let_keepable_stay(ChangePage& page) {
    if (!asks_to_keep(page)) return;
    for (const Node& node : page.keepable) page.looks[node.nodenum] = MachineLook::runs;
    page.nodes.insert(page.nodes.end(), page.keepable.begin(), page.keepable.end());
    std::ranges::sort(page.nodes, {}, &Node::nodenum);
    page.leaving -= page.keepable.size();
}

std::string words_on_leaving(std::size_t machines) {
    return translated_count(machines, "{0} machine that was being removed is removed in any case.",
                            "{0} machines that were being removed are removed in any case.");
}

std::string words_on_remaining_tasks() {
    return translated("The remaining tasks of the latest job are run on the machines that stay.");
}

Json unfinished_json(const ChangePage& page) {
    const bool is_left = page.cluster.status == ClusterStatus::incomplete || goes_on(page);
    const std::string words = page.change == Change::shrink && is_left ? words_on_left(page) : "";
    if (words.empty()) return nullptr;
    Json json = ways_json(ways_out(page.cluster, page.job, page.end), false);
    // One of them leads here.
    auto& ways = json.at("ways").get_ref<Json::array_t&>();
    const std::string here = page.heading();
    const bool is_form = !only_keeps(page);
    std::erase_if(ways, [&](const Json& way) {
        return (is_form && way.at("href") == page.address()) || way.at("label") == here;
    });
    json["words"] = words;
    return json;
}

}  // namespace fcgi::pages
