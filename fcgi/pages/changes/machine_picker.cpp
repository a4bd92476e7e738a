#include "fcgi/pages/changes/machine_picker.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::grouped;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

constexpr auto drawn_by_look = "looked";

std::string filter_in(const http::FormData& form) {
    return form.trimmed("state") + ' ' + form.trimmed("q");
}

std::string number_text(const Node& node) {
    return std::to_string(node.nodenum);
}

MachineLook look_to_choose_by(const ChangePage& page, const Node& node) {
    const auto look = page.looks.find(node.nodenum);
    return look == page.looks.end() ? MachineLook::ready : look->second;
}

bool has_searched_text(const ChangePage& page, const Node& node, const std::string& text) {
    return text.empty() || has_text(node.hostname, text) ||
           std::ranges::any_of(node.services, [&](const std::string& name) {
               return has_text(name, text) || has_text(page.labels.service(name), text);
           });
}

bool is_in_state(const ChangePage& page, const Node& node, const std::string& state) {
    return state.empty() || state == words_of(look_to_choose_by(page, node)).words;
}

std::set<std::string> chosen_in(const http::FormData& form) {
    const auto chosen = form.all("nodes");
    return {chosen.begin(), chosen.end()};
}

/// Empty for a machine that is as it should be. Of one that failed, also which of its services did.
std::string state_words_of(const ChangePage& page, const Node& node) {
    // Among those to choose from only because the form keeps it.
    if (node.leaves) return translated("stays");
    const MachineLook look = look_to_choose_by(page, node);
    if (look == MachineLook::ready || look == MachineLook::runs) return "";
    const auto failed = page.failed_services.find(node.nodenum);
    const bool are_known = look == MachineLook::failed && failed != page.failed_services.end();
    return are_known ? translated("failed: {0}", listed(page.labels.services(failed->second)))
                     : translated(words_of(look).words);
}

Json box_json(const ChangePage& page, const Node& node, const NeededMachines& needed,
              const std::set<std::string>& chosen) {
    const MachineLook look = look_to_choose_by(page, node);
    const auto reason = needed.find(number_text(node));
    const bool stays = is_never_removed(needed, node);
    Json box;
    box["value"] = number_text(node);
    box["label"] = short_name(node.hostname);
    box["with"] = listed(page.labels.services(node.services));
    box["state"] = words_of(look).css;
    box["state_words"] = state_words_of(page, node);
    box["is_disabled"] = stays;
    box["checked"] = !stays && chosen.contains(number_text(node));
    box["needed"] = reason == needed.end() ? "" : page.labels.in(reason->second.sentence);
    return box;
}

/// The states that machines with the searched text are in.
Json pickable_states_json(const ChangePage& page) {
    const std::string state = page.asked.trimmed("state");
    std::map<MachineLook, std::size_t> counts;
    std::size_t all = 0;
    for (const Node& node : page.nodes) {
        if (!has_searched_text(page, node, page.asked.trimmed("q"))) continue;
        ++counts[look_to_choose_by(page, node)];
        ++all;
    }
    Json options = Json::array();
    options.push_back({{"value", ""},
                       {"label", translated("All ({0})", grouped(all))},
                       {"selected", state.empty()}});
    for (const MachineLook look : machine_looks) {
        const std::string words = words_of(look).words;
        if (counts[look] == 0 && state != words) continue;
        options.push_back({{"value", words},
                           {"label", translated(words) + " (" + grouped(counts[look]) + ")"},
                           {"selected", state == words}});
    }
    return options;
}

/// Those of the list that can be removed together with what is chosen, as many as the rules of the
/// template leave.
std::vector<const Node*> removable_together(const ChangePage& page, const NeededMachines& needed,
                                            const std::set<std::string>& chosen) {
    const Constraints& rules = page.cluster.snapshot.cluster_template.constraints;
    long spare = std::ssize(page.nodes) - std::max(1, rules.size_min);
    std::map<std::string, long> spare_of;
    for (const auto& [name, rule] : rules.services) spare_of[name] = -rule.min;
    const auto add = [&](const Node& node, long count) {
        for (const std::string& name : node.services) {
            const auto of = spare_of.find(name);
            if (of != spare_of.end()) of->second += count;
        }
    };
    for (const Node& node : page.nodes) {
        const bool is_chosen = chosen.contains(number_text(node));
        spare -= is_chosen ? 1 : 0;
        if (!is_chosen) add(node, 1);
    }
    std::vector<const Node*> nodes;
    for (const Node* node : machines_to_choose(page)) {
        if (is_never_removed(needed, *node) || chosen.contains(number_text(*node))) continue;
        const bool can_go =
            spare > 0 && std::ranges::none_of(node->services, [&](const auto& name) {
                const auto of = spare_of.find(name);
                return of != spare_of.end() && of->second <= 0;
            });
        if (!can_go) continue;
        --spare;
        add(*node, -1);
        nodes.push_back(node);
    }
    return nodes;
}

}  // namespace

http::FormData settled_number(http::FormData sent) {
    const auto before = provisioner::base::parse_number(sent.trimmed("chosenBefore"));
    const std::string number = sent.trimmed("numMachines");
    const auto chosen = std::ssize(sent.all("nodes"));
    const bool is_typed = before && !number.empty() && number != std::to_string(*before);
    const bool clears_choice = is_typed && chosen == *before;
    const bool is_cleared = before && !is_typed && chosen == 0;
    std::erase_if(sent.fields, [&](const auto& field) {
        return field.first == "chosenBefore" || (clears_choice && field.first == "nodes") ||
               (is_cleared && field.first == "numMachines");
    });
    return sent;
}

bool is_look(const http::FormData& sent) {
    return sent.has("look") || (sent.has("filtered") && sent.first("filtered") != filter_in(sent));
}

bool was_look(const http::FormData& draft) {
    return draft.has(drawn_by_look);
}

http::FormData after_look(const ChangePage& page) {
    const std::string look = page.asked.trimmed("look");
    http::FormData form;
    // The number of a choice goes with it.
    const bool clears = look == "none" && page.asked.has("nodes");
    for (const auto& field : page.asked.fields) {
        const bool is_dropped =
            field.first == "look" || field.first == "page" ||
            (clears && (field.first == "nodes" || field.first == "numMachines"));
        if (!is_dropped) form.fields.push_back(field);
    }
    if (look == "all") {
        for (const Node* node : removable_together(page, needed_machines(page), chosen_in(form))) {
            form.fields.emplace_back("nodes", number_text(*node));
        }
    }
    form.fields.emplace_back("page",
                             look == "all" || look == "none" ? page.asked.trimmed("page") : look);
    form.fields.emplace_back(drawn_by_look, "yes");
    return form;
}

std::vector<const Node*> machines_to_choose(const ChangePage& page) {
    std::vector<const Node*> nodes;
    const std::string text = page.asked.trimmed("q");
    const std::string state = page.asked.trimmed("state");
    for (const Node& node : page.nodes) {
        if (has_searched_text(page, node, text) && is_in_state(page, node, state)) {
            nodes.push_back(&node);
        }
    }
    std::ranges::stable_sort(nodes, {}, [&](const Node* node) {
        return std::min(look_to_choose_by(page, *node), MachineLook::waiting);
    });
    return nodes;
}

std::vector<provisioner::solver::PresentNode> present_nodes(const ChangePage& page) {
    std::vector<provisioner::solver::PresentNode> nodes;
    for (const Node& node : page.nodes) {
        nodes.push_back({node.nodenum, node.hardware_type, node.image_type, node.services});
    }
    return nodes;
}

NeededMachines needed_machines(const ChangePage& page) {
    NeededMachines needed;
    const Snapshot& snapshot = page.cluster.snapshot;
    const provisioner::solver::ShrinkProblem problem{.cluster_template = snapshot.cluster_template,
                                                     .nodes = present_nodes(page)};
    for (auto& [number, reason] : provisioner::solver::staying_nodes(problem, snapshot.services)) {
        needed.emplace(std::to_string(number), reason);
    }
    return needed;
}

void add_machines(Json& choices, const ChangePage& page, const NeededMachines& needed) {
    const auto nodes = machines_to_choose(page);
    const auto chosen = chosen_in(page.asked);
    const bool has_pages = page.nodes.size() > most_open_choices;
    const auto number = provisioner::base::parse_number(page.asked.trimmed("page"));
    const Portion portion = portion_of(
        nodes.size(), has_pages ? choices_on_a_page : std::max<std::size_t>(nodes.size(), 1),
        static_cast<std::size_t>(std::clamp<std::int64_t>(number.value_or(1), 1, 1000)));
    std::set<std::string> shown;
    Json boxes = Json::array();
    for (std::size_t i = portion.begin(); i < portion.end(); ++i) {
        boxes.push_back(box_json(page, *nodes[i], needed, chosen));
        shown.insert(number_text(*nodes[i]));
    }
    choices["options"] = std::move(boxes);
    choices["picker"] = nullptr;
    if (!has_pages) return;
    Json unseen = Json::array();
    for (const Node& node : page.nodes) {
        const std::string value = number_text(node);
        if (chosen.contains(value) && !shown.contains(value)) {
            unseen.push_back({{"number", value}});
        }
    }
    Json picker;
    picker["chosen_words"] = chosen.empty() ? "" : translated("{0} chosen", grouped(chosen.size()));
    // Not how many are ticked here: that changes while somebody reads it.
    picker["chosen"] =
        unseen.empty() ? ""
                       : translated_count(unseen.size(), "{0} machine that is not shown is chosen.",
                                          "{0} machines that are not shown are chosen.");
    picker["kept"] = std::move(unseen);
    picker["filtered"] = filter_in(page.asked);
    picker["text"] = page.asked.trimmed("q");
    picker["states"] = pickable_states_json(page);
    picker["summary"] =
        nodes.empty()
            ? translated("No machine matches.")
            : translated("{0}–{1} of {2}", grouped(portion.begin() + 1), grouped(portion.end()),
                         translated_count(nodes.size(), "{0} machine", "{0} machines"));
    // How many, whatever of them is ticked: that changes while somebody reads it.
    const std::size_t removable = removable_together(page, needed, {}).size();
    picker["all"] = removable == 0 ? ""
                    : removable < nodes.size()
                        ? translated("Choose {0} of the {1}: no more can be removed",
                                     grouped(removable), grouped(nodes.size()))
                        : translated_count(removable, "Choose the {0} that matches",
                                           "Choose all {0} that match");
    picker["page"] = portion.page;
    picker["previous"] = portion.page > 1 ? std::to_string(portion.page - 1) : "";
    picker["next"] = portion.page < portion.pages() ? std::to_string(portion.page + 1) : "";
    choices["picker"] = std::move(picker);
}

bool is_never_removed(const NeededMachines& needed, const Node& node) {
    const auto reason = needed.find(number_text(node));
    return reason != needed.end() && reason->second.is_final;
}

std::size_t most_removable(const ChangePage& page, const NeededMachines& needed,
                           const std::optional<std::string>& group) {
    const auto& rules = page.cluster.snapshot.cluster_template.constraints;
    std::size_t most = 0;
    std::map<std::string, long> with;
    for (const Node& node : page.nodes) {
        for (const std::string& name : node.services) ++with[name];
        const bool is_asked = !group || services_word(node.services) == *group;
        most += is_asked && !is_never_removed(needed, node) ? 1 : 0;
    }
    const auto keep = [&](long present, long least) {
        most = std::min(most, static_cast<std::size_t>(std::max(0L, present - least)));
    };
    keep(std::ssize(page.nodes), std::max(1, rules.size_min));
    if (!group) return most;
    for (const std::string& name : services_in_word(*group)) {
        const auto rule = std::ranges::find(rules.services, name,
                                            &std::pair<std::string, ServiceConstraint>::first);
        if (rule != rules.services.end()) keep(with[name], rule->second.min);
    }
    return most;
}

int largest_shrink(const ChangePage& page, const NeededMachines& needed) {
    const std::string group = page.asked.trimmed("group");
    const auto most =
        most_removable(page, needed, group.empty() ? std::nullopt : std::optional(group));
    return std::max(1, static_cast<int>(most));
}

NamedTexts machine_groups(const ChangePage& page, const NeededMachines& needed) {
    std::map<std::string, std::size_t> counts;
    for (const Node& node : page.nodes) counts.try_emplace(services_word(node.services), 0);
    // What was asked for stays in the form.
    const std::string asked = page.asked.trimmed("group");
    for (auto& [word, count] : counts) count = most_removable(page, needed, word);
    std::erase_if(counts,
                  [&](const auto& group) { return group.second == 0 && group.first != asked; });
    if (counts.size() < 2 && asked.empty()) return {};
    NamedTexts groups{{"", translated("Any machines")}};
    for (const auto& [word, count] : counts) {
        groups.emplace_back(word, translated("Those with only {0} (at most {1})",
                                             said_services(word, page.labels), grouped(count)));
    }
    return groups;
}

std::optional<std::vector<std::string>> services_of_group(const std::string& group) {
    if (group.empty()) return std::nullopt;
    return services_in_word(group);
}

}  // namespace fcgi::pages
