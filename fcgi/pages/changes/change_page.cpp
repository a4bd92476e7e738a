#include "fcgi/pages/changes/change_page.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/pages/changes/change_form.hpp"
#include "fcgi/pages/changes/change_names.hpp"
#include "fcgi/pages/changes/machine_picker.hpp"
#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/plans/change_preview.hpp"
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
using namespace provisioner::model;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::operations::ChangeCluster;
namespace operations = provisioner::operations;

namespace {

/// The states in which the change may be possible; details of machines decide the rest.
std::vector<ClusterStatus> allowed_for(const ChangePage& page) {
    const bool may_work =
        page.change == Change::remove_services || !page.end.has_wrong_configuration;
    if (takes_away(page.change) && may_work && operations::can_lose_parts(page.cluster, page.job)) {
        return {ClusterStatus::active, ClusterStatus::inconsistent, ClusterStatus::incomplete};
    }
    return {ClusterStatus::active};
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
    Json json = change_preview_json(*page.preview, page.labels, page.stopped);
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
    json["look"] = is_dangerous(page) ? "danger" : "primary";
    json["keep"] = keep_of(page);
    return json;
}

/// What leads to the form where the page has none: only machines are kept. Else null.
Json plain_form_json(const ChangePage& page) {
    if (!only_keeps(page) || !page.problems.empty()) return nullptr;
    return {{"href", page.address()}, {"label", name_of_change(page)}};
}

/// The controls, as far as anything can be asked. `json` knows whether it is blocked.
void add_form(Json& json, const ChangePage& page) {
    const bool asks_what_goes =
        page.change == Change::shrink || page.change == Change::remove_services;
    const auto needed = asks_what_goes ? needed_machines(page) : NeededMachines();
    const bool is_blocked = !json["blocked"].is_null();
    json["plain_form"] = is_blocked ? Json() : plain_form_json(page);
    if (!json["plain_form"].is_null()) {
        json["fields"] = Json::array();
        for (const char* part : {"choices", "advanced", "how_many"}) json[part] = nullptr;
        json["can_ask"] = false;
        return;
    }
    json["fields"] = fields_json(page, needed);
    json["choices"] = choices_json(page, needed);
    json["advanced"] = advanced_json(page);
    json["how_many"] = how_many_json(page, needed);
    const bool can_ask = !is_blocked && has_something_to_ask(page, needed, json["choices"]);
    json["can_ask"] = can_ask;
    if (!can_ask) {
        json["fields"] = Json::array();
        json["advanced"] = nullptr;
    }
    if (is_blocked) json["choices"] = nullptr;
    if (!can_ask && page.change == Change::shrink && !is_blocked) {
        json["blocked"] =
            template_note(page, translated("No machine can be removed: all are needed."));
    }
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
                                     .force = form.trimmed("force") == "true",
                                     .keep = form.trimmed("keep") == "true"};
    const bool only_keeps = wanted.keep && !form.has("numMachines");
    if (wanted.nodes.empty() && !only_keeps) {
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
    const std::string way = way_here(*this);
    return way.empty() ? label_with_going(name_of_change(*this), others_going(*this)) : way;
}

std::string ChangePage::title() const {
    const std::string way = way_here(*this);
    return way.empty() ? heading() : way + ", " + cluster.name;
}

std::string ChangePage::address() const {
    const std::string below =
        change == Change::replace ? "nodes/" + http::percent_encode(node) + "/" : "";
    return "/clusters/" + wire_id(cluster.id) + "/" + below + path_of(change);
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
    Json blocked = blocked_json(page.cluster, page.job, allowed_for(page), page.end);
    // Why it cannot be done is said once.
    auto json =
        problems_json(words_of_refusal(page.change), blocked.is_null() ? page.problems : Problems(),
                      {{"numMachines", machines_control, label_of_number(page.change)},
                       {"services", "choices", translated("Services")},
                       {"nodes", "choices", translated("Machines")}});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.heading();
    json["lede"] = lede_of(page);
    json["address"] = page.address();
    if (blocked.is_null() && !page.hindrance.empty()) blocked = hindrance_json(page);
    json["unfinished"] = blocked.is_null() ? unfinished_json(page) : Json();
    json["blocked"] = blocked;
    add_form(json, page);
    json["preview"] = preview_json(page);
    return json;
}

}  // namespace fcgi::pages
