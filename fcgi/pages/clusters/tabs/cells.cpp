#include "fcgi/pages/clusters/tabs/cells.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/tabs/machine_looks.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::store::ListedMachine;

namespace {

/// Cells of a line, and units of the picture from one to the next. A page has several lines side by
/// side where it is wide; a line fits on a phone.
constexpr int cells_in_a_line = 25;
constexpr int cell_step = 12;
constexpr int cell_gap = 2;

using Cells = std::vector<MachineLook>;

/// "M0 6h34M60 6h10": cells 0 to 2 and cell 5, when the line begins with cell 0; empty when none of
/// its cells has that look.
std::string strokes(const Cells& cells, std::size_t begin, MachineLook look) {
    const std::size_t end_of_line = std::min(cells.size(), begin + cells_in_a_line);
    constexpr auto y = cell_step / 2;
    std::string d;
    for (std::size_t i = begin; i < end_of_line; ++i) {
        if (cells[i] != look) continue;
        std::size_t end = i;
        while (end < end_of_line && cells[end] == look) ++end;
        const auto x = static_cast<int>(i - begin) * cell_step;
        const auto length = static_cast<int>(end - i) * cell_step - cell_gap;
        d += 'M' + std::to_string(x) + ' ' + std::to_string(y) + 'h' + std::to_string(length);
        i = end - 1;
    }
    return d;
}

/// Machines in the order of their cells.
struct CellGroup {
    Cells cells;
    std::vector<std::int64_t> numbers;
};
/// Machines that run the same services, by services_word().
using CellGroups = std::map<std::string, CellGroup>;

/// "1000-1049,1051": numbers of machines in ascending order.
std::string ranges_of(std::span<const std::int64_t> numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (end > i + 1) text += '-' + std::to_string(numbers[end - 1]);
        i = end;
    }
    return text;
}

/// A picture for each line of cells, so that an update has only the one that changed.
Json lines_json(const CellGroup& of, const std::string& group) {
    const auto& [cells, numbers] = of;
    Json lines = Json::array();
    for (std::size_t begin = 0; begin < cells.size(); begin += cells_in_a_line) {
        const auto end = std::min(cells.size(), begin + cells_in_a_line);
        Json paths = Json::array();
        for (const MachineLook look : machine_looks) {
            std::string d = strokes(cells, begin, look);
            if (d.empty()) continue;
            paths.push_back({{"look", words_of(look).css},
                             {"words", translated(words_of(look).words)},
                             {"d", std::move(d)}});
        }
        lines.push_back({{"line", group + "-" + std::to_string(lines.size() + 1)},
                         {"numbers", ranges_of(std::span(numbers).subspan(begin, end - begin))},
                         {"width", cells_in_a_line * cell_step - cell_gap},
                         {"height", cell_step},
                         {"paths", std::move(paths)}});
    }
    return lines;
}

/// `list` is the address of the same machines as a list, to which a state is added. `number` is
/// what ids of the page end with.
Json group_json(const std::string& number, const std::string& title, const std::string& list,
                const CellGroup& group) {
    Json states = Json::array();
    for (const MachineLook look : machine_looks) {
        const auto count = std::ranges::count(group.cells, look);
        if (count == 0) continue;
        const LookWords& words = words_of(look);
        states.push_back({{"look", words.css},
                          {"words", translated(words.words)},
                          {"count", grouped(count)},
                          {"href", list + "&state=" + http::percent_encode(words.words)}});
    }
    return {{"number", number},
            {"services", title},
            {"count", translated_count(group.cells.size(), "{0} machine", "{0} machines")},
            {"lines", lines_json(group, number)},
            {"states", std::move(states)}};
}

/// All machines as they are themselves. Empty where that says nothing: none of them has such tasks
/// under way, and none has failed or is lost.
CellGroup machines_themselves(const ClusterPage& page, const MachineLooks& looks) {
    CellGroup group;
    bool says_something = false;
    for (const ListedMachine& machine : page.machines) {
        const MachineLook look = looks.of(machine, MachinePart::itself);
        const bool is_settled = look == MachineLook::ready || look == MachineLook::gone;
        says_something = says_something || !is_settled || (page.changes() && machine.own.tasks > 0);
        group.cells.push_back(look);
        group.numbers.push_back(machine.nodenum);
    }
    return says_something ? group : CellGroup();
}

}  // namespace

Json cells_json(const ClusterPage& page) {
    CellGroups groups;
    const MachineLooks looks(page);
    for (const ListedMachine& machine : page.machines) {
        CellGroup& group = groups[services_word(machine.services)];
        group.cells.push_back(looks.of(machine, MachinePart::services));
        group.numbers.push_back(machine.nodenum);
    }
    std::vector<const CellGroups::value_type*> by_size;
    for (const auto& group : groups) by_size.push_back(&group);
    std::ranges::stable_sort(by_size, [](const auto* left, const auto* right) {
        return left->second.cells.size() > right->second.cells.size();
    });
    const std::string list = page.href() + "/machines?";
    Json json = Json::array();
    const CellGroup themselves = machines_themselves(page, looks);
    if (!themselves.cells.empty()) {
        json.push_back(group_json("machine", translated("The machines themselves"),
                                  list + "part=machine", themselves));
    }
    int number = 0;
    for (const auto* group : by_size) {
        json.push_back(
            group_json(std::to_string(++number), said_services(group->first, page.labels),
                       list + "services=" + http::percent_encode(group->first) + "&part=services",
                       group->second));
    }
    return json;
}

Json legend_of_cells_json(const Json& groups) {
    std::set<std::string> there;
    for (const Json& group : groups) {
        for (const Json& state : group.at("states")) there.insert(state.at("words"));
    }
    Json legend = Json::array();
    for (const MachineLook look : machine_looks) {
        std::string words = translated(words_of(look).words);
        if (!there.contains(words)) continue;
        legend.push_back({{"look", words_of(look).css}, {"words", std::move(words)}});
    }
    return legend;
}

}  // namespace fcgi::pages
