#include "fcgi/pages/jobs/task_reads.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/jobs/task_page.hpp"
#include "fcgi/pages/progress.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;

using http::Request;
using http::Response;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int most_pieces_at_once = 500;
/// A node may print in many small pieces; older ones are left out.
constexpr int most_pieces = 20'000;
/// An attempt keeps about 1 MiB; a page of many attempts shows the last of them.
constexpr std::size_t most_on_page = std::size_t{4} << 20;
constexpr std::size_t most_in_file = std::size_t{64} << 20;
constexpr std::size_t longest_line_in_file = 1 << 20;
constexpr std::size_t longest_find = 200;

/// The page without its log, and the sizes of what was printed. The log itself is read afterwards,
/// some pieces at a time, so that no connection is held while lines are made of it.
struct FoundTask {
    TaskPage page{};
    store::TranscriptSizes sizes{};
};

std::optional<model::Node> node_in(std::vector<model::Node> nodes, model::NodeId id) {
    const auto found = std::ranges::find(nodes, id, &model::Node::id);
    if (found == nodes.end()) return std::nullopt;
    return std::move(*found);
}

/// How the task ended, and what else failed in its job.
void read_failures(store::Connection& connection, TaskPage& page) {
    page.status_code = store::status_code_of(connection, page.task);
    std::map<model::NodeId, std::string> hosts;
    for (const model::Node& node : store::nodes_ever_of(connection, page.cluster.id)) {
        hosts[node.id] = node.hostname;
    }
    for (model::Task& task : store::failed_tasks_of(connection, page.task.job)) {
        std::string host = hosts[task.node];
        page.failed.push_back({.task = std::move(task), .hostname = std::move(host)});
    }
}

std::optional<FoundTask> find_task(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto id = id_in(request);
    const auto task_id = id_in<model::TaskId>(request, "task");
    return app.database.read([&](store::Connection& c) -> std::optional<FoundTask> {
        auto cluster = store::find_cluster(c, visitor.who(), id);
        if (!cluster) return std::nullopt;
        const auto task = store::find_shown_task(c, id, task_id);
        if (!task) return std::nullopt;
        FoundTask found{.page = {.cluster = *std::move(cluster), .task = *task}};
        found.page.now = app.clock.now();
        found.page.labels.add(model::CatalogueKind::service, texts_of_services(found.page.cluster));
        found.page.on_machine = store::tasks_on(c, task->job, task->node);
        const auto job = store::find_job(c, task->job);
        if (job) found.page.job_title = pages::heading_of(*job, found.page.labels);
        found.page.is_left_unfinished = model::is_left_unfinished(job);
        if (task->state == model::TaskState::failed && task->is_replaced()) {
            found.page.status_code = store::status_code_of(c, *task);
        } else if (task->state == model::TaskState::failed) {
            found.page.may_retry = visitor.who().may(model::Right::use_clusters) &&
                                   task->job == found.page.cluster.latest_job &&
                                   may_be_retried(found.page.cluster, job);
            read_failures(c, found.page);
        }
        auto node = node_in(store::nodes_of(c, id), task->node);
        found.page.is_listed = node.has_value();
        if (!node) node = node_in(store::nodes_ever_of(c, id), task->node);
        if (node) found.page.node = *std::move(node);
        found.sizes = store::transcript_sizes(c, task_id, most_pieces);
        return found;
    });
}

/// Where the last `most` bytes begin: how many bytes are before it, and behind which piece.
struct LogEnd {
    std::size_t skipped = 0;
    std::int64_t after = 0;
};

LogEnd end_of(const store::TranscriptSizes& sizes, std::size_t most) {
    LogEnd end;
    std::size_t kept = 0;
    for (auto size = sizes.newest.rbegin(); size != sizes.newest.rend(); ++size) {
        if (kept + size->bytes > most) {
            end.after = size->id;
            break;
        }
        kept += size->bytes;
    }
    // Where the list of pieces ends, everything before it is left out.
    const bool is_cut = end.after == 0 && kept < sizes.bytes && !sizes.newest.empty();
    if (is_cut) end.after = sizes.newest.front().id - 1;
    end.skipped = sizes.bytes - kept;
    return end;
}

/// Calls `take` with each piece behind one, until it says no.
template <class Take>
void read_pieces(App& app, model::TaskId task, std::int64_t after, const Take& take) {
    bool is_more = true;
    while (is_more) {
        const auto pieces = app.database.read([&](store::Connection& connection) {
            return store::transcript_after(connection, task, after, most_pieces_at_once);
        });
        is_more = std::ssize(pieces) == most_pieces_at_once;
        if (!pieces.empty()) after = pieces.back().id;
        for (const auto& piece : pieces) {
            if (!take(piece)) return;
        }
    }
}

LogQuery log_query_in(const Request& request) {
    const auto line = provisioner::base::parse_number(request.query_value("line").value_or(""));
    LogQuery query;
    query.line = static_cast<int>(std::clamp<std::int64_t>(line.value_or(0), 0, 1'000'000'000));
    const std::string find = provisioner::base::to_utf8(request.query_value("find").value_or(""));
    query.find = provisioner::base::utf8_prefix(find, longest_find);
    query.wrap = request.query_value("wrap") != "no";
    return query;
}

}  // namespace

Response show_task(const Request& request, const auth::Visitor& visitor, App& app) {
    auto found = find_task(request, visitor, app);
    if (!found) return no_such_cluster(request, visitor, app, id_in(request), translated("task"));
    TaskPage& page = found->page;
    const LogEnd end = end_of(found->sizes, most_on_page);
    page.skipped = end.skipped;
    TaskLog log(longest_line);
    read_pieces(app, page.task.id, end.after, [&](const auto& piece) {
        log.add(piece);
        return true;
    });
    page.log = log.lines();
    page.query = log_query_in(request);
    if (page.query.line == 0) {
        const auto matches = lines_with(page.log, page.query.find);
        if (!matches.empty()) return http::see_other(page.href_of(matches.front()));
    }
    return drawn(app, visitor, 200, "jobs/task",
                 {.title = page.window_title(), .section = "clusters", .script = "live.js"},
                 to_json(page));
}

Response download_task_log(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = find_task(request, visitor, app);
    if (!found) return no_such_cluster(request, visitor, app, id_in(request), translated("task"));
    const LogEnd end = end_of(found->sizes, most_in_file);
    const auto& sizes = found->sizes.newest;
    const bool has_attempts = !sizes.empty() && sizes.back().attempt > 1;
    // Nothing is dropped: finished lines leave the log piece by piece.
    TaskLog log(longest_line_in_file, most_in_file, has_attempts);
    std::string text;
    bool is_whole = true;
    if (end.skipped > 0) {
        text = translated("[The first {0} bytes are left out]\n", end.skipped);
    }
    read_pieces(app, found->page.task.id, end.after, [&](const auto& piece) {
        // What is no text grows: each byte of it becomes three.
        is_whole = text.size() <= most_in_file;
        if (!is_whole) return false;
        log.add(piece);
        text += log.finished();
        return true;
    });
    for (const LogLine& line : log.lines()) text += text_of(line);
    if (!is_whole) text += "\n[The rest is left out]\n";
    Response response = http::text(200, std::move(text));
    response.headers.emplace_back("Content-Disposition",
                                  "attachment; filename=\"" + file_name_of(found->page) + "\"");
    return response;
}

}  // namespace fcgi::pages
