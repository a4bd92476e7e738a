#include "fcgi/pages/jobs/task_reads.hpp"

#include <algorithm>
#include <deque>

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/jobs/task_page.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int most_pieces_at_once = 100;
/// An attempt keeps about 1 MiB; a page of many attempts shows the last of them.
constexpr std::size_t most_on_page = std::size_t{4} << 20;
constexpr std::size_t most_in_file = std::size_t{64} << 20;
constexpr std::size_t longest_line_in_file = 1 << 20;
constexpr std::size_t longest_find = 200;

/// How much of a log is read.
struct LogLimits {
    std::size_t bytes;
    std::size_t line;
};

void read_log(store::Connection& connection, TaskPage& page, const LogLimits& limits) {
    std::deque<store::TranscriptPiece> kept;
    std::size_t size = 0;
    std::int64_t after = 0;
    bool is_more = true;
    while (is_more) {
        auto pieces = store::transcript_after(connection, page.task.id, after, most_pieces_at_once);
        is_more = std::ssize(pieces) == most_pieces_at_once;
        if (!pieces.empty()) after = pieces.back().id;
        for (auto& piece : pieces) {
            size += piece.body.size();
            kept.push_back(std::move(piece));
        }
        while (size > limits.bytes) {
            size -= kept.front().body.size();
            page.skipped += kept.front().body.size();
            kept.pop_front();
        }
    }
    TaskLog log(limits.line);
    for (const auto& piece : kept) log.add(piece);
    page.log = log.lines();
}

std::optional<TaskPage> read_task(const Request& request, const auth::Visitor& visitor, App& app,
                                  const LogLimits& limits) {
    const auto id = id_in(request);
    const auto task_id = id_in<model::TaskId>(request, "task");
    return app.database.read([&](store::Connection& c) -> std::optional<TaskPage> {
        auto cluster = store::find_cluster(c, visitor.who(), id);
        if (!cluster) return std::nullopt;
        const auto task = store::find_task(c, id, task_id);
        if (!task) return std::nullopt;
        TaskPage page{.cluster = *std::move(cluster), .task = *task, .now = app.clock.now()};
        for (model::Node& node : store::nodes_ever_of(c, id)) {
            if (node.id == task->node) page.node = std::move(node);
        }
        read_log(c, page, limits);
        return page;
    });
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
    auto page = read_task(request, visitor, app, {.bytes = most_on_page, .line = longest_line});
    if (!page) return nothing_there(app, visitor, "task");
    page->query = log_query_in(request);
    if (page->query.line == 0) {
        const auto matches = lines_with(page->log, page->query.find);
        if (!matches.empty()) return http::see_other(page->href_of(matches.front()));
    }
    return drawn(app, visitor, 200, "jobs/task",
                 {.title = page->title() + " on " + page->node.hostname,
                  .section = "clusters",
                  .script = "live.js"},
                 to_json(*page));
}

Response download_task_log(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto page =
        read_task(request, visitor, app, {.bytes = most_in_file, .line = longest_line_in_file});
    if (!page) return nothing_there(app, visitor, "task");
    Response response = http::text(200, text_of(page->log));
    response.headers.emplace_back("Content-Disposition",
                                  "attachment; filename=\"" + file_name_of(*page) + "\"");
    return response;
}

}  // namespace fcgi::pages
