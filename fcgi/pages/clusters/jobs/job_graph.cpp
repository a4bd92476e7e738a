#include "fcgi/pages/clusters/jobs/job_graph.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

constexpr std::size_t box_width = 192;
constexpr std::size_t box_height = 40;
constexpr std::size_t column_step = 224;
constexpr std::size_t row_step = 68;
constexpr std::size_t margin = 12;
constexpr std::size_t heading_height = 28;
/// Letters of 12 px in a box.
constexpr std::size_t longest_label = 28;
constexpr std::size_t most_failed_boxes = 8;

const char* look_of_node(const GraphNode& node) {
    if (node.failed > 0) return "failed";
    if (node.running > 0) return "running";
    if (node.done == node.tasks) return "done";
    return node.cancelled > 0 ? "stopped" : "expected";
}

std::string words_of_node(const GraphNode& node) {
    const auto number = [](int count) { return grouped(count); };
    std::vector<std::string> parts;
    if (node.failed > 0) parts.push_back(translated("{0} failed", number(node.failed)));
    if (node.running > 0) parts.push_back(translated("{0} running", number(node.running)));
    if (node.done > 0) parts.push_back(translated("{0} done", number(node.done)));
    if (node.cancelled > 0) parts.push_back(translated("{0} cancelled", number(node.cancelled)));
    const int waiting = node.tasks - node.failed - node.running - node.done - node.cancelled;
    if (waiting > 0) parts.push_back(translated("{0} waiting", number(waiting)));
    if (node.tasks == 1) return parts.front().substr(2);
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

/// "58 of 65 done, 2 failed": what fits into a box.
std::string short_words_of_node(const GraphNode& node) {
    if (node.tasks == 1) return words_of_node(node);
    const auto number = [](int count) { return grouped(count); };
    const std::string done = node.done == node.tasks
                                 ? translated("all {0}", number(node.tasks))
                                 : translated("{0} of {1}", number(node.done), number(node.tasks));
    if (node.failed > 0) return translated("{0} done, {1} failed", done, number(node.failed));
    if (node.running > 0) return translated("{0} done, {1} running", done, number(node.running));
    return translated("{0} done", done);
}

/// At most so many letters, with a mark where it was cut; the whole text is the box's title.
std::string cut(const std::string& text) {
    if (text.size() <= longest_label) return text;
    std::size_t end = longest_label - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

struct Place {
    std::size_t row = 0;
    std::size_t column = 0;
};

struct Drawing {
    std::vector<Place> places;
    std::vector<std::string> columns;
    std::size_t rows = 0;
    /// In boxes.
    std::size_t width = 0;
};

/// Columns in the order in which they come first; services have none. Of two boxes in one place the
/// later one goes down, and one of services to the right, so that none covers another.
Drawing placed(const JobGraph& graph, const std::vector<std::size_t>& rows) {
    Drawing drawing;
    std::set<std::pair<std::size_t, std::size_t>> taken;
    std::vector<std::size_t> order(graph.nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i]; });
    std::map<std::string, std::size_t> columns;
    for (const GraphNode& node : graph.nodes) {
        if (graph.is_of_services) break;
        if (columns.try_emplace(node.column, columns.size()).second) {
            drawing.columns.push_back(node.column);
        }
    }
    std::vector<std::vector<std::size_t>> before(graph.nodes.size());
    for (const auto& [first, second] : graph.edges) before[second].push_back(first);
    drawing.places.resize(graph.nodes.size());
    for (const std::size_t i : order) {
        Place place{.row = rows[i]};
        if (!graph.is_of_services) place.column = columns.at(graph.nodes[i].column);
        for (const std::size_t first : before[i]) {
            if (rows[first] < rows[i])
                place.row = std::max(place.row, drawing.places[first].row + 1);
        }
        while (!taken.insert({place.row, place.column}).second) {
            const bool is_beside =
                graph.is_of_services && place.column + 1 < most_services_in_a_row;
            place = {.row = place.row + (is_beside ? 0 : 1),
                     .column = is_beside              ? place.column + 1
                               : graph.is_of_services ? 0
                                                      : place.column};
        }
        drawing.places[i] = place;
        drawing.rows = std::max(drawing.rows, place.row + 1);
        drawing.width = std::max(drawing.width, place.column + 1);
    }
    return drawing;
}

std::size_t left_of(const Place& place) {
    return margin + place.column * column_step;
}
std::size_t top_of(const Place& place) {
    return heading_height + place.row * row_step;
}

/// A line from below the one box to above the other. Within a column it goes round what stands
/// between them.
std::string line_between(const Place& from, const Place& to) {
    const std::size_t x1 = left_of(from) + box_width / 2;
    const std::size_t y1 = top_of(from) + box_height;
    const std::size_t x2 = left_of(to) + box_width / 2;
    const std::size_t y2 = top_of(to);
    const auto point = [](std::size_t x, std::size_t y) {
        return std::to_string(x) + ' ' + std::to_string(y);
    };
    const std::string begin = 'M' + point(x1, y1);
    if (from.column == to.column && to.row > from.row + 1) {
        const std::size_t side = left_of(from) + box_width + (column_step - box_width) / 2;
        return begin + 'C' + point(side + 10, y1 + 14) + ' ' + point(side + 10, y2 - 14) + ' ' +
               point(x2, y2);
    }
    const std::size_t middle = (y1 + y2) / 2;
    return begin + 'C' + point(x1, middle) + ' ' + point(x2, middle) + ' ' + point(x2, y2);
}

Json boxes_json(const JobGraph& graph, const Drawing& drawing) {
    Json boxes = Json::array();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        const Place& place = drawing.places[i];
        boxes.push_back({{"number", i + 1},
                         {"x", left_of(place)},
                         {"y", top_of(place)},
                         {"text_x", left_of(place) + 12},
                         {"text_y", top_of(place) + 17},
                         {"words_y", top_of(place) + 32},
                         {"look", look_of_node(node)},
                         {"label", cut(node.what)},
                         {"what", node.what},
                         {"column", node.column},
                         {"words", words_of_node(node)},
                         {"short_words", cut(short_words_of_node(node))},
                         {"href", node.href}});
    }
    return boxes;
}

/// The boxes in which something failed, in the order of the plan: where the picture leads at once.
void add_failed_boxes(Json& json, const JobGraph& graph) {
    Json boxes = Json::array();
    std::size_t more = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        if (node.failed == 0) continue;
        if (boxes.size() == most_failed_boxes) {
            ++more;
            continue;
        }
        boxes.push_back(
            {{"number", i + 1},
             {"words",
              graph.is_of_kinds ? node.what : translated("{0} on {1}", node.what, node.column)}});
    }
    json["has_failed_boxes"] = !boxes.empty();
    json["failed_boxes"] = std::move(boxes);
    json["more_failed"] = more == 0 ? "" : translated("and {0} more", grouped(more));
}

/// The table, what failed first, with at most `most` names of what a row waits for.
Json table_json(const JobGraph& graph, std::size_t most) {
    std::vector<std::vector<std::string>> waits_for(graph.nodes.size());
    std::vector<std::size_t> unnamed(graph.nodes.size(), 0);
    for (const auto& [before, after] : graph.edges) {
        const GraphNode& node = graph.nodes[before];
        if (waits_for[after].size() == most) {
            ++unnamed[after];
        } else {
            waits_for[after].push_back(
                graph.is_of_kinds ? node.what : translated("{0} on {1}", node.what, node.column));
        }
    }
    std::vector<std::size_t> order(graph.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_partition(order, [&](std::size_t i) { return graph.nodes[i].failed > 0; });
    Json rows = Json::array();
    for (const std::size_t i : order) {
        const GraphNode& node = graph.nodes[i];
        if (unnamed[i] > 0) waits_for[i].push_back(translated("{0} more", grouped(unnamed[i])));
        rows.push_back({{"number", i + 1},
                        {"what", node.what},
                        {"column", node.column},
                        {"words", words_of_node(node)},
                        {"href", node.href},
                        {"waits_for", listed(waits_for[i])}});
    }
    return rows;
}

std::string explanation_of(const JobGraph& whole, const JobGraph& drawn) {
    if (drawn.nodes.empty()) {
        return translated(
            "There are too many kinds of tasks to draw ({0}). The table also lists indirect "
            "dependencies. Reload the page to see progress.",
            grouped(whole.nodes.size()));
    }
    if (drawn.is_of_services) {
        return translated(
            "Each box is all tasks on one service, for there are too many kinds of tasks to draw "
            "({0}). The table has each kind and also lists indirect dependencies. Reload the page "
            "to see progress.",
            grouped(whole.nodes.size()));
    }
    if (drawn.is_of_kinds) {
        return translated(
            "Each box is all tasks of one action on one service, below those that they wait for.");
    }
    return translated("Each box is a task, below those it waits for.");
}

}  // namespace

std::vector<std::size_t> rows_of(const JobGraph& graph) {
    std::vector<std::vector<std::size_t>> followers(graph.nodes.size());
    std::vector<std::size_t> waits_for(graph.nodes.size(), 0);
    for (const auto& [before, after] : graph.edges) {
        if (before == after) continue;
        followers[before].push_back(after);
        ++waits_for[after];
    }
    std::vector<std::size_t> rows(graph.nodes.size(), 0);
    std::vector<bool> is_placed(graph.nodes.size(), false);
    for (std::size_t left = graph.nodes.size(); left > 0; --left) {
        // In a circle the one that comes first in the plan begins.
        std::size_t next = graph.nodes.size();
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            if (is_placed[i]) continue;
            if (waits_for[i] == 0) {
                next = i;
                break;
            }
            if (next == graph.nodes.size()) next = i;
        }
        is_placed[next] = true;
        for (const std::size_t follower : followers[next]) {
            if (is_placed[follower]) continue;
            rows[follower] = std::max(rows[follower], rows[next] + 1);
            --waits_for[follower];
        }
    }
    return rows;
}

JobGraph without_implied_edges(const JobGraph& graph, const std::vector<std::size_t>& rows) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::set<std::size_t>> followers(count);
    for (const auto& [before, after] : graph.edges) {
        if (rows[before] < rows[after]) followers[before].insert(after);
    }
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return rows[i]; });
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
    JobGraph made{.nodes = graph.nodes,
                  .is_of_kinds = graph.is_of_kinds,
                  .is_of_services = graph.is_of_services};
    for (const std::size_t i : order) {
        std::vector<std::size_t> near(followers[i].begin(), followers[i].end());
        std::ranges::stable_sort(near, {}, [&](std::size_t follower) { return rows[follower]; });
        for (const std::size_t follower : near) {
            // Then all that it reaches is reached, too.
            if (reaches[i][follower]) continue;
            made.edges.emplace_back(i, follower);
            reaches[i][follower] = true;
            for (std::size_t other = 0; other < count; ++other) {
                if (reaches[follower][other]) reaches[i][other] = true;
            }
        }
    }
    std::ranges::sort(made.edges);
    return made;
}

Json job_graph_json(const ClusterPage& page, const Job& job, const JobGraph& whole) {
    const bool is_whole = whole.nodes.size() <= most_boxes;
    JobGraph drawn = is_whole || !whole.is_of_kinds ? whole : by_service(whole);
    if (drawn.nodes.size() > most_boxes) drawn = {};
    const auto rows = rows_of(drawn);
    drawn = without_implied_edges(drawn, rows);
    const Drawing drawing = placed(drawn, rows);
    Json lines = Json::array();
    for (const auto& [before, after] : drawn.edges) {
        const Place& from = drawing.places[before];
        const Place& to = drawing.places[after];
        if (from.row < to.row) lines.push_back({{"d", line_between(from, to)}});
    }
    Json headings = Json::array();
    for (std::size_t i = 0; i < drawing.columns.size(); ++i) {
        headings.push_back(
            {{"x", left_of({.row = 0, .column = i})}, {"label", cut(drawing.columns[i])}});
    }
    const std::string here = page.href() + "/jobs/" + std::to_string(job.id.value);
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["job"] = job_summary_json(page, job);
    int failed = 0;
    for (const GraphNode& node : whole.nodes) failed += node.failed;
    add_failed(json, here, failed);
    json["back"] = here;
    json["follow"] = job.finished_at || !is_whole ? "no" : "yes";
    json["has_graph"] = !whole.nodes.empty();
    json["is_drawn"] = !drawn.nodes.empty();
    json["explained"] = explanation_of(whole, drawn);
    json["width"] = 2 * margin + drawing.width * column_step;
    json["height"] = heading_height + drawing.rows * row_step;
    json["box_width"] = box_width;
    json["box_height"] = box_height;
    json["lines"] = std::move(lines);
    json["boxes"] = boxes_json(drawn, drawing);
    add_failed_boxes(json, drawn);
    json["rows"] =
        is_whole ? table_json(drawn, drawn.nodes.size()) : table_json(whole, most_waited_for_named);
    json["headings"] = std::move(headings);
    return json;
}

}  // namespace fcgi::pages
