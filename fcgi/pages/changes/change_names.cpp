#include "fcgi/pages/changes/change_names.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/plans/change_preview.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/unfinished.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::planner::Membership;
namespace operations = provisioner::operations;

namespace {

/// Texts of the page for one kind of change, without the title's cluster name.
struct ChangeWords {
    /// Empty for a replacement: its title names the machine, too.
    std::string verb{};
    const char* path = "";
    std::string lede{};
    std::string refused{};
    std::string button{};
    std::string keep{};
};

std::string words_to_keep(std::size_t count) {
    return count == 1 ? translated("Keep it") : translated("Keep them");
}

/// `count`: of what comes or goes.
ChangeWords words_of_change(Change change, std::size_t count = 2) {
    switch (change) {
        case Change::add_services:
            return {
                .verb = translated("Add services to"),
                .path = "services/add",
                .lede = translated("The template decides which current machines get the services."),
                .refused = translated("Couldn't add the services"),
                .button = translated_count(count, "Add the service", "Add the services"),
                .keep = translated("Leave it as it is")};
        case Change::remove_services:
            return {.verb = translated("Remove services from"),
                    .path = "services/remove",
                    .lede = translated(
                        "Services that use them are reconfigured first. Then the services are "
                        "stopped and removed."),
                    .refused = translated("Couldn't remove the services"),
                    .button = translated_count(count, "Remove the service", "Remove the services"),
                    .keep = words_to_keep(count)};
        case Change::grow:
            return {.verb = translated("Grow"),
                    .path = "grow",
                    .lede = translated("The current machines stay. Services that use the added "
                                       "ones are reconfigured."),
                    .refused = translated("Couldn't add machines"),
                    .button = translated_count(count, "Add the machine", "Add the machines"),
                    .keep = translated("Leave it as it is")};
        case Change::shrink:
            return {.verb = translated("Shrink"),
                    .path = "shrink",
                    .lede = translated("All data on the removed machines is lost."),
                    .refused = translated("Couldn't remove machines"),
                    .button = translated_count(count, "Remove the machine", "Remove the machines"),
                    .keep = words_to_keep(count)};
        case Change::replace:
            return {.verb = "",
                    .path = "replace",
                    .lede = translated(
                        "A new machine with the same services takes its place. All data on the "
                        "old machine is lost."),
                    .refused = translated("Couldn't replace the machine"),
                    .button = translated("Replace the machine"),
                    .keep = translated("Keep it")};
    }
    throw std::logic_error("unknown change");
}

/// How many services or machines the previewed change is about.
std::size_t things_of(const ChangePage& page) {
    if (page.change == Change::shrink) return machines_going(*page.preview);
    if (page.change == Change::grow) {
        return static_cast<std::size_t>(std::ranges::count(page.preview->nodes, Membership::joins,
                                                           &operations::NodeChange::membership));
    }
    const auto services = page.asked.all("services");
    return std::set<std::string>(services.begin(), services.end()).size();
}

bool leaves_as_is(const ChangePage& page) {
    return page.preview && page.preview->leaves_as_is;
}

std::string name_without_services(const ChangePage& page) {
    const auto labels = page.labels.services(page.preview->without);
    return leaves_as_is(page) ? label_leaving_services(labels) : label_without_services(labels);
}

/// Whether exactly the machines that failed are chosen, and the cluster can go on without them.
bool are_failed_chosen(const ChangePage& page) {
    std::set<std::string> failed;
    for (const int number : page.failed) failed.insert(std::to_string(number));
    const auto chosen = page.asked.all("nodes");
    return page.end.failed_machines > 0 && !failed.empty() &&
           failed == std::set(chosen.begin(), chosen.end());
}

/// "Go on and keep sim-1002", of all that can be kept.
std::string name_keeping(const ChangePage& page) {
    operations::WayToKeep way;
    for (const Node& node : page.keepable) way.kept.push_back({.hostname = node.hostname});
    return label_keeping(way);
}

/// Only a choice of no more machines than those that failed has a name.
std::string name_without_machines(const ChangePage& page) {
    if (is_way_to_keep(page)) return label_keeping(*page.end.to_keep);
    if (only_keeps(page)) return name_keeping(page);
    const std::size_t without = page.failed.size() + page.leaving;
    const bool is_way =
        are_failed_chosen(page) && (!page.preview || machines_going(*page.preview) == without);
    return is_way ? label_without_failed(*page.job, page.end) : "";
}

/// What the button of a shrink says where it also does what a failed job has left.
std::string button_of_shrink(const ChangePage& page) {
    const std::size_t going = machines_going(*page.preview);
    if (page.preview->is_given_up) return words_of_change(page.change, going).button;
    if (operations::are_services_unknown(page.cluster, page.job)) {
        return translated_count(going, "Remove {0} machine and configure all services again",
                                "Remove {0} machines and configure all services again");
    }
    return translated_count(going, "Remove {0} machine and run the remaining tasks",
                            "Remove {0} machines and run the remaining tasks");
}

/// What is done of the latest job. The form of a shrink says it itself (unfinished_json).
std::string words_on_rest(const ChangePage& page) {
    if (page.change == Change::shrink) return "";
    return ' ' + (page.change == Change::remove_services
                      ? translated("The remaining tasks of the latest job are run for the other "
                                   "services.")
                      : words_on_remaining_tasks());
}

/// Why more is done than the change needs: in an inconsistent cluster nobody knows how the services
/// are.
std::string words_on_services(const ChangePage& page) {
    if (!operations::are_services_unknown(page.cluster, page.job)) return words_on_rest(page);
    if (provisioner::model::is_failed_configuration(page.job)) {
        return ' ' + translated(
                         "The configuration of the latest job, which was not finished, is applied "
                         "to the machines that stay.");
    }
    return ' ' + translated(
                     "The latest job may have left services stopped or with an old configuration: "
                     "all of them are configured again and restarted.");
}

/// Whether machines go with a shrink, as far as that is known without its preview.
bool removes_any(const ChangePage& page) {
    if (page.preview) return machines_going(*page.preview) > 0;
    return !only_keeps(page) || page.leaving > 0;
}

std::string lede_of_shrink(const ChangePage& page) {
    const std::string lede = words_of_change(Change::shrink).lede;
    if (!asks_to_keep(page) || page.keepable.empty()) return lede;
    const std::string names = names_of_keepable(page);
    const std::size_t kept = page.keepable.size();
    if (!removes_any(page)) {
        return translated_count(kept, "No machine is removed: {1}, which was being removed, stays.",
                                "No machine is removed: {1}, which were being removed, stay.",
                                names);
    }
    return lede + ' ' +
           translated_count(kept, "{1}, which was being removed, stays.",
                            "{1}, which were being removed, stay.", names);
}

/// What the change does besides.
std::string words_on_other_work(const ChangePage& page) {
    if (!goes_on(page)) return "";
    const bool says_who_leaves = page.leaving > 0 && page.change != Change::shrink;
    return words_on_services(page) + (says_who_leaves ? ' ' + words_on_leaving(page.leaving) : "");
}

}  // namespace

bool takes_away(Change change) {
    return change == Change::shrink || change == Change::replace ||
           change == Change::remove_services;
}

bool is_dangerous(const ChangePage& page) {
    return takes_away(page.change) && (page.change != Change::shrink || removes_any(page));
}

bool goes_on(const ChangePage& page) {
    return takes_away(page.change) && page.cluster.status != ClusterStatus::active &&
           operations::can_lose_parts(page.cluster, page.job);
}

std::string name_of_change(const ChangePage& page) {
    if (page.change != Change::replace) {
        return words_of_change(page.change).verb + ' ' + page.cluster.name;
    }
    const auto meant = std::ranges::find_if(page.nodes, [&](const Node& one) {
        return std::to_string(one.nodenum) == page.node || one.uuid == page.node;
    });
    return meant == page.nodes.end()
               ? translated("Replace machine {0} of {1}", page.node, page.cluster.name)
               : translated("Replace machine {0}", short_name(meant->hostname));
}

std::size_t others_going(const ChangePage& page) {
    if (!page.preview || page.change == Change::shrink) return 0;
    const std::size_t going = machines_going(*page.preview);
    return page.change == Change::replace && going > 0 ? going - 1 : going;
}

std::string way_here(const ChangePage& page) {
    if (!goes_on(page)) return "";
    if (page.change == Change::shrink) return name_without_machines(page);
    const bool is_way =
        page.change == Change::remove_services && page.preview && !page.preview->without.empty();
    return is_way ? label_with_going(name_without_services(page), others_going(page)) : "";
}

std::string lede_of(const ChangePage& page) {
    std::string lede =
        page.change == Change::shrink ? lede_of_shrink(page) : words_of_change(page.change).lede;
    if (leaves_as_is(page)) {
        lede = translated(
            "No more is done to remove {0}: what is installed stays on the machines, and may still "
            "run.",
            listed(page.labels.services(page.preview->without)));
    } else if (page.preview && !page.preview->forgotten.empty()) {
        lede = translated(
            "Services that use them are reconfigured. The services themselves are neither stopped "
            "nor uninstalled.");
    }
    return lede + words_on_other_work(page);
}

const char* path_of(Change change) {
    return words_of_change(change).path;
}

std::string words_of_refusal(Change change) {
    return words_of_change(change).refused;
}

std::string button_of(const ChangePage& page) {
    const std::string way = way_here(page);
    if (!way.empty()) return way;
    if (page.change == Change::shrink && goes_on(page)) return button_of_shrink(page);
    return label_with_going(words_of_change(page.change, things_of(page)).button,
                            others_going(page));
}

std::string keep_of(const ChangePage& page) {
    const bool is_more = leaves_as_is(page) || others_going(page) > 0 || asks_to_keep(page);
    return is_more ? translated("Change nothing")
                   : words_of_change(page.change, things_of(page)).keep;
}

}  // namespace fcgi::pages
