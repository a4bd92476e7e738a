#include "fcgi/pages/changes/change_page.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "fcgi/pages/changes/change_form.hpp"
#include "fcgi/pages/changes/change_preview.hpp"
#include "fcgi/pages/changes/machine_picker.hpp"
#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/unfinished.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::operations::ChangeCluster;
namespace operations = provisioner::operations;

namespace {

/// Texts of the page for one kind of change, without the title's cluster name.
struct ChangeWords {
    /// Empty for a replacement: its title names the machine, too.
    std::string verb;
    const char* path;
    std::string lede;
    std::string refused;
    std::string button;
    std::string keep;
};

ChangeWords words_of_change(Change change) {
    switch (change) {
        case Change::add_services:
            return {
                .verb = translated("Add services to"),
                .path = "services/add",
                .lede = translated("The template decides which current machines get the services."),
                .refused = translated("Couldn't add the services"),
                .button = translated("Add the services"),
                .keep = translated("Leave it as it is")};
        case Change::remove_services:
            return {.verb = translated("Remove services from"),
                    .path = "services/remove",
                    .lede = translated(
                        "Services that use them are reconfigured first. Then the services are "
                        "stopped and removed."),
                    .refused = translated("Couldn't remove the services"),
                    .button = translated("Remove the services"),
                    .keep = translated("Keep them")};
        case Change::grow:
            return {.verb = translated("Grow"),
                    .path = "grow",
                    .lede = translated("The current machines stay. Services that use the added "
                                       "ones are reconfigured."),
                    .refused = translated("Couldn't add machines"),
                    .button = translated("Add the machines"),
                    .keep = translated("Leave it as it is")};
        case Change::shrink:
            return {.verb = translated("Shrink"),
                    .path = "shrink",
                    .lede = translated("All data on the removed machines is lost."),
                    .refused = translated("Couldn't remove machines"),
                    .button = translated("Remove the machines"),
                    .keep = translated("Keep them")};
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

bool loses_machines(Change change) {
    return change == Change::shrink || change == Change::replace;
}

bool takes_away(Change change) {
    return loses_machines(change) || change == Change::remove_services;
}

/// Whether the change does what a failed job has left, too.
bool goes_on(const ChangePage& page) {
    return takes_away(page.change) && page.cluster.status != ClusterStatus::active &&
           operations::can_lose_parts(page.cluster, page.job);
}

/// What the removal of these services is called after a failed job. Those that are only left as
/// they are had been removed, as far as the rules go.
std::string way_without(const ChangePage& page, const std::vector<std::string>& services) {
    const auto labels = page.labels.services(services);
    const bool are_left = !page.preview->forgotten.empty() &&
                          std::ranges::none_of(services, [&](const std::string& name) {
                              return std::ranges::count(page.cluster.services, name) > 0;
                          });
    return are_left ? label_leaving_services(labels) : label_without_services(labels);
}

/// Whether exactly the machines that failed are chosen, and the cluster can go on without them.
bool are_failed_chosen(const ChangePage& page) {
    std::set<std::string> failed;
    for (const int number : page.failed) failed.insert(std::to_string(number));
    const auto chosen = page.asked.all("nodes");
    return page.end.failed_machines > 0 && !failed.empty() &&
           failed == std::set(chosen.begin(), chosen.end());
}

/// The name of the way out that the page is; empty if it is none.
std::string way_here(const ChangePage& page) {
    if (!goes_on(page)) return "";
    if (page.change == Change::remove_services) {
        if (!page.preview || page.preview->without.empty()) return "";
        return way_without(page, page.preview->without);
    }
    const bool is_way = page.change == Change::shrink && are_failed_chosen(page);
    return is_way ? label_without_failed(*page.job, page.end) : "";
}

/// What the button of the preview does; with the machines that go, too.
std::string button_of(const ChangePage& page) {
    const bool shrinks = page.change == Change::shrink;
    if (!goes_on(page) || page.change == Change::replace)
        return words_of_change(page.change).button;
    const auto going = static_cast<std::size_t>(
        std::ranges::count_if(page.preview->nodes, [](const operations::NodeChange& node) {
            return node.membership == provisioner::planner::Membership::leaves ||
                   node.membership == provisioner::planner::Membership::dropped;
        }));
    if (shrinks) {
        return translated_count(going, "Go on without {0} machine", "Go on without {0} machines");
    }
    const std::string way = way_without(page, page.preview->without);
    if (going == 0) return way;
    return translated_count(going, "{1} and remove {0} machine", "{1} and remove {0} machines",
                            way);
}

/// The states in which the change may be possible; details of machines decide the rest.
std::vector<ClusterStatus> allowed_for(const ChangePage& page) {
    const bool may_work =
        page.change == Change::remove_services || !page.end.has_wrong_configuration;
    if (takes_away(page.change) && may_work && operations::can_lose_parts(page.cluster, page.job)) {
        return {ClusterStatus::active, ClusterStatus::inconsistent, ClusterStatus::incomplete};
    }
    return {ClusterStatus::active};
}

/// What a removal of services does besides.
std::string words_on_rest(const ChangePage& page) {
    const std::string rest =
        ' ' + translated("The remaining tasks of the latest job are run for the other services.");
    return page.leaving == 0 ? rest : rest + ' ' + words_on_leaving(page.leaving);
}

/// Why more is done than the change needs: in an inconsistent cluster nobody knows how the services
/// are. The form of a shrink says the rest itself (unfinished_json).
std::string words_on_other_work(const ChangePage& page) {
    if (!goes_on(page)) return "";
    if (!operations::are_services_unknown(page.cluster, page.job)) {
        return page.change == Change::remove_services ? words_on_rest(page) : "";
    }
    if (provisioner::model::is_failed_configuration(page.job)) {
        return ' ' + translated(
                         "The configuration of the latest job, which was not finished, is applied "
                         "to the machines that stay.");
    }
    return ' ' + translated(
                     "The latest job may have left services stopped or with an old configuration: "
                     "all of them are configured again and restarted.");
}

/// A note with a link to the rules of the cluster.
Json template_note(const ChangePage& page, const std::string& words) {
    return {{"words", words},
            {"ways", Json::array({{{"href", "/clusters/" + wire_id(page.cluster.id) + "/settings"},
                                   {"post", ""},
                                   {"look", ""},
                                   {"label", translated("See the template and provider of this "
                                                        "cluster")}}})}};
}

/// Whether some choice can be made: machines may also be given by their number.
bool has_something_to_ask(const ChangePage& page, const NeededMachines& needed,
                          const Json& choices) {
    if (page.change == Change::shrink) {
        return page.nodes.empty() || std::ranges::any_of(page.nodes, [&](const Node& node) {
                   return !is_never_removed(needed, node);
               });
    }
    return !choices.is_object() ||
           std::ranges::any_of(choices.at("options"), [](const Json& option) {
               return option.at("is_disabled") == false;
           });
}

Json hindrance_json(const ChangePage& page) {
    std::string reasons;
    for (const auto& problem : page.hindrance) reasons += ' ' + problem_words(problem.message);
    return template_note(page, translated("No machine can be added now.") + reasons);
}

Json hidden_json(const http::FormData& asked) {
    Json hidden = Json::array();
    for (const auto& [name, value] : asked.fields) {
        if (name != "csrf" && name != "preview")
            hidden.push_back(Json{{"field", name}, {"sent", value}});
    }
    return hidden;
}

Json preview_json(const ChangePage& page) {
    if (!page.preview) return nullptr;
    const ChangeWords words = words_of_change(page.change);
    Json json = change_preview_json(*page.preview, page.labels);
    const bool applies_configuration = goes_on(page) &&
                                       operations::are_services_unknown(page.cluster, page.job) &&
                                       provisioner::model::is_failed_configuration(page.job);
    if (applies_configuration) {
        json["sentences"].push_back(
            {{"text", translated("Also applied: the configuration of the latest job, which was not "
                                 "finished")},
             {"all", ""}});
    }
    json["hidden"] = hidden_json(page.asked);
    json["action"] = page.address();
    json["button"] = button_of(page);
    json["look"] = takes_away(page.change) ? "danger" : "primary";
    json["keep"] = words.keep;
    return json;
}

std::optional<int> number_in(const http::FormData& form, int most, Problems& problems) {
    const std::string text = form.trimmed("numMachines");
    const auto number = provisioner::base::parse_number(text);
    if (!number || *number < 1 || *number > most) {
        problems.push_back({"numMachines", translated("Enter a whole number from 1 to {0}.",
                                                      provisioner::messages::grouped(most))});
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

/// Chosen machines take precedence: the number control has a default value even if nobody typed it.
/// The form says how many it comes to (how_many_json).
operations::ShrinkCluster shrink_in(const http::FormData& form, int most, Problems& problems) {
    operations::ShrinkCluster wanted{.nodes = form.all("nodes"),
                                     .force = form.trimmed("force") == "true"};
    if (wanted.nodes.empty()) {
        wanted.machines = number_in(form, most, problems).value_or(0);
        wanted.services = services_of_group(form.trimmed("group"));
    }
    return wanted;
}

operations::ClusterChange asked_in(Change change, const std::string& node,
                                   const http::FormData& form, int most, Problems& problems) {
    switch (change) {
        case Change::add_services:
            return operations::AddServices{.services = form.all("services")};
        case Change::remove_services:
            return operations::RemoveServices{.services = form.all("services"),
                                              .force = form.trimmed("force") == "true"};
        case Change::grow:
            return operations::GrowCluster{.machines = number_in(form, most, problems).value_or(0)};
        case Change::shrink:
            return shrink_in(form, most, problems);
        case Change::replace:
            return operations::ReplaceNodes{.nodes = {node}};
    }
    throw std::logic_error("unknown change");
}

}  // namespace

std::string ChangePage::heading() const {
    if (const std::string way = way_here(*this); !way.empty()) return way;
    if (change == Change::replace) {
        const auto meant = std::ranges::find_if(nodes, [&](const Node& one) {
            return std::to_string(one.nodenum) == node || one.uuid == node;
        });
        if (meant != nodes.end()) {
            return translated("Replace machine {0}", short_name(meant->hostname));
        }
        return translated("Replace machine {0} of {1}", node, cluster.name);
    }
    return std::string(words_of_change(change).verb) + ' ' + cluster.name;
}

std::string ChangePage::title() const {
    const std::string way = way_here(*this);
    return way.empty() ? heading() : way + ", " + cluster.name;
}

std::string ChangePage::address() const {
    const std::string below =
        change == Change::replace ? "nodes/" + http::percent_encode(node) + "/" : "";
    return "/clusters/" + wire_id(cluster.id) + "/" + below + words_of_change(change).path;
}

int largest_change(const ChangePage& page) {
    const auto& limits = page.cluster.snapshot.cluster_template.constraints;
    const int present = static_cast<int>(page.nodes.size());
    if (page.change == Change::grow) {
        return std::max(1, std::min(limits.size_max, operations::max_cluster_size) - present);
    }
    return page.change == Change::shrink ? largest_shrink(page, needed_machines(page)) : 1;
}

Checked<ChangeCluster> change_in(Change change, const std::string& node, const http::FormData& form,
                                 int most) {
    Problems problems;
    ChangeCluster wanted{.change = asked_in(change, node, form, most, problems),
                         .restart = form.trimmed("restart") != "false"};
    if (!problems.empty()) return provisioner::base::unexpected(std::move(problems));
    return wanted;
}

Json to_json(const ChangePage& page) {
    const ChangeWords words = words_of_change(page.change);
    Json blocked = blocked_json(page.cluster, page.job, allowed_for(page), page.end);
    // Why it cannot be done is said once.
    auto json = problems_json(words.refused, blocked.is_null() ? page.problems : Problems(),
                              {{"numMachines", machines_control, label_of_number(page.change)},
                               {"services", "choices", translated("Services")},
                               {"nodes", "choices", translated("Machines")}});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.heading();
    json["lede"] = words.lede + words_on_other_work(page);
    json["address"] = page.address();
    if (blocked.is_null() && !page.hindrance.empty()) blocked = hindrance_json(page);
    json["unfinished"] = blocked.is_null() ? unfinished_json(page) : Json();
    json["blocked"] = blocked;
    const bool asks_what_goes =
        page.change == Change::shrink || page.change == Change::remove_services;
    const auto needed = asks_what_goes ? needed_machines(page) : NeededMachines();
    json["fields"] = fields_json(page, needed);
    json["choices"] = choices_json(page, needed);
    json["advanced"] = advanced_json(page);
    json["how_many"] = how_many_json(page, needed);
    const bool can_ask = blocked.is_null() && has_something_to_ask(page, needed, json["choices"]);
    json["can_ask"] = can_ask;
    if (!can_ask) {
        json["fields"] = Json::array();
        json["advanced"] = nullptr;
    }
    if (!blocked.is_null()) json["choices"] = nullptr;
    if (!can_ask && page.change == Change::shrink && json["blocked"].is_null()) {
        json["blocked"] =
            template_note(page, translated("No machine can be removed: all are needed."));
    }
    json["preview"] = preview_json(page);
    return json;
}

}  // namespace fcgi::pages
