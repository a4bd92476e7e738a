#include "fcgi/pages/clusters/plans/change_preview.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/layout_picture.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/solver/constraints.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::operations::NodeChange;
using provisioner::operations::PreparedChange;
using provisioner::planner::Membership;
using provisioner::solver::contains;
using provisioner::store::ServicePlaces;
namespace planner = provisioner::planner;

namespace {

/// Names or ranges of names in one sentence.
constexpr std::size_t most_named_ranges = 8;

/// Machines that change alike and have a sentence each, where few change.
constexpr std::size_t most_single_sentences = 3;

/// A machine on which services that serve are only configured, because another job had not come to
/// it, is told with those services.
bool changes(const NodeChange& node) {
    if (!node.arriving.empty() || !node.leaving.empty()) return true;
    if (node.membership == Membership::resumes) return node.node.services.empty();
    return node.membership != Membership::stays;
}

/// Before and after the change.
bool stays_in_cluster(const NodeChange& node) {
    return node.membership == Membership::stays || node.membership == Membership::resumes;
}

/// Whether the planned task is about a service that is stopped now.
bool is_at_stopped(const PreparedChange& change, const planner::TaskKey& task,
                   const ServicePlaces& stopped) {
    return stopped.contains({change.nodes[task.node].node.id, task.service});
}

/// (index of the node, service) of every planned task that changes something: where a service runs,
/// its start does nothing.
std::set<std::pair<std::size_t, std::string>> worked_on(const PreparedChange& change,
                                                        const ServicePlaces& stopped) {
    std::set<std::pair<std::size_t, std::string>> places;
    for (const auto& task : change.graph.tasks()) {
        const bool is_work = task.action != Action::start || is_at_stopped(change, task, stopped);
        if (is_work) places.emplace(task.node, task.service);
    }
    return places;
}

/// A machine that is finished loses nothing of a service that was never installed on it: nothing is
/// stopped or removed. Nor does one lose what is left as it is. Nothing if that is nowhere so.
std::optional<PreparedChange> without_losses_of_nothing(const PreparedChange& change) {
    const auto may_lose_nothing = [&](const NodeChange& node) {
        const bool is_possible = node.membership == Membership::resumes || change.leaves_as_is;
        return is_possible && !node.leaving.empty();
    };
    if (std::ranges::none_of(change.nodes, may_lose_nothing)) return std::nullopt;
    std::set<std::pair<std::size_t, std::string>> ends;
    for (const auto& task : change.graph.tasks()) {
        const bool is_end = task.action == Action::stop || task.action == Action::remove;
        if (is_end) ends.emplace(task.node, task.service);
    }
    auto told = change;
    for (std::size_t at = 0; at < told.nodes.size(); ++at) {
        if (!may_lose_nothing(told.nodes[at])) continue;
        std::erase_if(told.nodes[at].leaving, [&](const std::string& service) {
            if (contains(change.forgotten, service)) return change.leaves_as_is;
            return told.nodes[at].membership == Membership::resumes &&
                   !ends.contains({at, service});
        });
    }
    return told;
}

CellLook machine_look(Membership membership) {
    switch (membership) {
        case Membership::stays:
            return CellLook::stays;
        case Membership::joins:
            return CellLook::comes;
        case Membership::resumes:
            return CellLook::worked_on;
        case Membership::leaves:
        case Membership::dropped:
            return CellLook::goes;
    }
    throw std::logic_error("unknown membership");
}

CellLook service_look(const NodeChange& node, const std::string& service, bool busy) {
    if (contains(node.leaving, service)) return CellLook::goes;
    if (!contains(node.node.services, service)) return CellLook::none;
    // What a machine that goes should have got does not come.
    if (!stays_in_cluster(node)) return machine_look(node.membership);
    if (contains(node.arriving, service)) return CellLook::comes;
    return busy ? CellLook::worked_on : CellLook::stays;
}

/// Indices of the nodes. Nodes that change come first, so that they are visible in a large cluster.
std::vector<std::size_t> in_order_of_interest(const PreparedChange& change) {
    std::vector<std::size_t> order;
    for (const bool wanted : {true, false}) {
        for (std::size_t at = 0; at < change.nodes.size(); ++at) {
            if (changes(change.nodes[at]) == wanted) order.push_back(at);
        }
    }
    return order;
}

LayoutPicture picture_of_change(const PreparedChange& change, const Labels& labels,
                                const ServicePlaces& stopped) {
    std::set<std::string> names;
    for (const NodeChange& node : change.nodes) {
        names.insert(node.node.services.begin(), node.node.services.end());
        names.insert(node.leaving.begin(), node.leaving.end());
    }
    LayoutPicture picture{.columns = {translated("Machine")}, .rows = {}};
    picture.columns.insert(picture.columns.end(), names.begin(), names.end());
    const auto busy = worked_on(change, stopped);
    for (const std::size_t at : in_order_of_interest(change)) {
        const NodeChange& node = change.nodes[at];
        PictureRow row{.title = short_name(node.node.hostname),
                       .subtitle = node.node.hardware_type,
                       .cells = {machine_look(node.membership)}};
        for (const std::string& service : names) {
            row.cells.push_back(service_look(node, service, busy.contains({at, service})));
        }
        picture.rows.push_back(std::move(row));
    }
    use_labels(picture, labels);
    return picture;
}

/// What a machine that stays, or each of several, gets and loses.
std::string services_sentence(const NodeChange& node, const std::string& host, std::size_t machines,
                              const Labels& labels) {
    const std::string arriving = listed(labels.services(node.arriving));
    const std::string leaving = listed(labels.services(node.leaving));
    if (node.leaving.empty()) {
        return translated_count(machines, "{1} gets {2}", "{1} get {2}", host, arriving);
    }
    if (node.arriving.empty()) {
        return translated_count(machines, "{1} loses {2}", "{1} lose {2}", host, leaving);
    }
    return translated_count(machines, "{1} gets {2} and loses {3}", "{1} get {2} and lose {3}",
                            host, arriving, leaving);
}

/// `host`: the machine's name, or words for so many machines.
std::string sentence_about(const NodeChange& node, const std::string& host, std::size_t machines,
                           const Labels& labels) {
    const auto said = [&](const std::vector<std::string>& services) {
        return listed(labels.services(services));
    };
    const std::string with =
        node.node.services.empty() ? "" : translated(" with {0}", said(node.node.services));
    if (node.membership == Membership::joins) {
        return translated("New: {0}{1}; hardware {2}, image {3}", host, with,
                          labels.hardware_type(node.node.hardware_type),
                          labels.image_type(node.node.image_type));
    }
    if (node.membership == Membership::resumes && node.leaving.empty()) {
        return node.arriving.empty()
                   ? translated("Set-up finished: {0}", host)
                   : translated("Set-up finished: {0} with {1}", host, said(node.arriving));
    }
    if (!stays_in_cluster(node)) return translated("Removed: {0}{1}", host, with);
    return services_sentence(node, host, machines, labels);
}

/// Shorter ranges are listed by their names.
constexpr std::size_t least_in_a_range = 3;

/// "shop1-1000.local", "shop1-1003.local to shop1-1059.local": between the ends of a range there is
/// no other one. The nodes are those of the change in their order.
std::vector<std::string> ranges_of_hosts(const std::vector<const NodeChange*>& nodes) {
    std::vector<std::string> ranges;
    for (std::size_t first = 0, end = 0; first < nodes.size(); first = end) {
        for (end = first + 1; end < nodes.size() && nodes[end] == nodes[end - 1] + 1;) ++end;
        if (end - first < least_in_a_range) {
            for (std::size_t at = first; at < end; ++at) ranges.push_back(nodes[at]->node.hostname);
        } else {
            ranges.push_back(translated("{0} to {1}", nodes[first]->node.hostname,
                                        nodes[end - 1]->node.hostname));
        }
    }
    return ranges;
}

/// "57 machines (shop1-1003.local to shop1-1059.local)". Of many names it has the first ones.
std::string words_of_hosts(const std::vector<const NodeChange*>& nodes,
                           const std::vector<std::string>& ranges) {
    if (nodes.size() == 1) return ranges.front();
    return translated("{0} machines ({1})", grouped(nodes.size()),
                      listed(ranges, most_named_ranges));
}

/// Names of services.
struct TouchedServices {
    /// They run, and are stopped for a while.
    std::set<std::string> interrupted{};
    std::set<std::string> configured{};
    /// They are stopped.
    std::set<std::string> started{};
};

/// What is done to services of machines that stay.
TouchedServices touched_by(const PreparedChange& change, const ServicePlaces& stopped) {
    TouchedServices touched;
    for (const auto& task : change.graph.tasks()) {
        const NodeChange& node = change.nodes[task.node];
        const bool is_old = stays_in_cluster(node) && !task.service.empty() &&
                            !contains(node.arriving, task.service) &&
                            !contains(node.leaving, task.service);
        if (!is_old) continue;
        const bool runs = !is_at_stopped(change, task, stopped);
        if (task.action == Action::stop && runs) touched.interrupted.insert(task.service);
        if (task.action == Action::configure && runs) touched.configured.insert(task.service);
        if (task.action == Action::start && !runs) touched.started.insert(task.service);
    }
    for (const std::string& service : touched.interrupted) touched.configured.erase(service);
    return touched;
}

Json sentence_json(std::string text, std::string all = "") {
    return {{"text", std::move(text)}, {"all", std::move(all)}};
}

void add_touched(Json& sentences, const char* text, const std::set<std::string>& services,
                 const Labels& labels) {
    if (services.empty()) return;
    sentences.push_back(sentence_json(
        translated(text, listed(labels.services({services.begin(), services.end()})))));
}

using Alike = std::vector<const NodeChange*>;

/// Machines that change; those whose sentences differ by their hosts only are together.
std::vector<Alike> alike_in(const PreparedChange& change, const Labels& labels) {
    std::vector<Alike> alike;
    std::map<std::string, std::size_t> places;
    for (const NodeChange& node : change.nodes) {
        if (!changes(node)) continue;
        const auto [place, is_new] =
            places.try_emplace(sentence_about(node, "", 1, labels), alike.size());
        if (is_new) alike.emplace_back();
        alike[place->second].push_back(&node);
    }
    return alike;
}

/// The machines of each sentence.
std::vector<Alike> machines_of_sentences(const PreparedChange& change, const Labels& labels) {
    const bool are_few =
        std::ranges::count_if(change.nodes, changes) <= std::ptrdiff_t{most_single_machines};
    std::vector<Alike> sentences;
    for (Alike& alike : alike_in(change, labels)) {
        if (!are_few || alike.size() > most_single_sentences) {
            sentences.push_back(std::move(alike));
            continue;
        }
        for (const NodeChange* node : alike) sentences.push_back({node});
    }
    return sentences;
}

/// Machines that an earlier job was taking away, and that stay.
void add_kept(Json& sentences, const PreparedChange& change) {
    std::vector<const NodeChange*> kept;
    for (const NodeChange& node : change.nodes) {
        if (node.is_kept && stays_in_cluster(node)) kept.push_back(&node);
    }
    if (kept.empty()) return;
    const auto ranges = ranges_of_hosts(kept);
    sentences.push_back(sentence_json(translated("Kept: {0}", words_of_hosts(kept, ranges)),
                                      ranges.size() > most_named_ranges ? listed(ranges) : ""));
}

void add_machines(Json& sentences, const PreparedChange& change, const Labels& labels) {
    std::size_t said = 0;
    std::size_t left_out = 0;
    for (const Alike& nodes : machines_of_sentences(change, labels)) {
        if (said++ >= rows_of_the_picture) {
            left_out += nodes.size();
            continue;
        }
        const auto ranges = ranges_of_hosts(nodes);
        sentences.push_back(sentence_json(
            sentence_about(*nodes.front(), words_of_hosts(nodes, ranges), nodes.size(), labels),
            ranges.size() > most_named_ranges ? listed(ranges) : ""));
    }
    if (left_out > 0) sentences.push_back(sentence_json(more_machines(left_out)));
}

/// ", instead of 0.20 USD per hour"; empty where what is known of the cost stays.
std::string cost_before_words(const PreparedChange& change) {
    if (!change.cost_before || !change.cost_after) return "";
    const std::string before = known_cost_words(*change.cost_before);
    return before == known_cost_words(*change.cost_after) ? ""
                                                          : translated(", instead of {0}", before);
}

/// What is interrupted stands before long lists of machines.
Json sentences_of(const PreparedChange& change, const Labels& labels,
                  const ServicePlaces& stopped) {
    const TouchedServices touched = touched_by(change, stopped);
    Json sentences = Json::array();
    add_touched(sentences, for_translation("Interrupted by a restart: {0}"), touched.interrupted,
                labels);
    add_touched(sentences, for_translation("Started again where it is stopped: {0}"),
                touched.started, labels);
    add_kept(sentences, change);
    add_machines(sentences, change, labels);
    add_touched(sentences, for_translation("Reconfigured without a restart: {0}"),
                touched.configured, labels);
    if (!change.forgotten.empty()) {
        sentences.push_back(sentence_json(
            translated("Neither stopped nor uninstalled, so what is installed stays: {0}",
                       listed(labels.services(change.forgotten)))));
    }
    if (sentences.empty()) {
        sentences.push_back(sentence_json(translated("No machine gets or loses a service.")));
    }
    return sentences;
}

}  // namespace

Json change_sentences_json(const PreparedChange& planned, const Labels& labels,
                           const ServicePlaces& stopped) {
    const auto told = without_losses_of_nothing(planned);
    return sentences_of(told ? *told : planned, labels, stopped);
}

std::size_t machines_going(const PreparedChange& change) {
    return static_cast<std::size_t>(std::ranges::count_if(change.nodes, [](const auto& node) {
        return node.membership == Membership::leaves || node.membership == Membership::dropped;
    }));
}

Json change_preview_json(const PreparedChange& planned, const Labels& labels,
                         const ServicePlaces& stopped) {
    const auto told = without_losses_of_nothing(planned);
    const PreparedChange& change = told ? *told : planned;
    Json json;
    LayoutPicture picture = picture_of_change(change, labels, stopped);
    json["more_machines"] = more_machines(fit_for_preview(picture));
    add_to(json, picture);
    json["picture_legend"] = legend_of_changes_json();
    json["sentences"] = sentences_of(change, labels, stopped);
    json.update(costs_json(change.cost_after, cost_before_words(change), change.warnings));
    json.update(plan_json(planner::count_by_action(change.graph), change.graph.tasks().size(),
                          planner::stages(change.graph).size()));
    return json;
}

}  // namespace fcgi::pages
