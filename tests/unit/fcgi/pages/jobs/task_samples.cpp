#include "task_samples.hpp"

namespace samples {

namespace {

provisioner::store::TranscriptPiece printed(int attempt, const char* stream,
                                            const std::string& body, std::int64_t missing = 0) {
    return {.id = 1, .attempt = attempt, .stream = stream, .body = body, .missing = missing};
}

}  // namespace

TaskPage task_page() {
    const auto cluster = ClusterBuilder().in_the_middle();
    TaskPage page{.cluster = cluster.cluster,
                  .node = cluster.nodes.front(),
                  .is_listed = true,
                  .job_title = "Creating the cluster",
                  .task = cluster.tasks.at(33),
                  .now = now};
    for (const int number : {-1, 0, 1}) {
        page.on_machine.push_back(page.task);
        page.on_machine.back().id.value += number;
        page.on_machine.back().started_at = now;
    }
    return page;
}

TaskPage task_page_with_log(LogQuery query) {
    TaskPage page = task_page();
    page.query = std::move(query);
    std::string colours;
    for (int i = 0; i < 16; ++i) {
        const std::string ink = std::to_string((i < 8 ? 30 : 82) + i);
        const std::string ground = std::to_string((i < 8 ? 40 : 92) + i);
        colours += "\x1b[" + ink + "mcolour " + std::to_string(i) + "\x1b[0m \x1b[" + ground +
                   "m ground \x1b[0m" + (i % 4 == 3 ? "\n" : "  ");
    }
    TaskLog log(400);
    log.add(printed(1, "note", "connected to 10.0.0.7\n"));
    log.add(printed(1, "out", "Reading package lists...\nGet:1 http://deb.example.test nginx\n"));
    log.add(printed(1, "err", "E: Could not get lock /var/lib/dpkg/lock, held by apt 4711\n"));
    log.add(printed(2, "out", "  10 %\r  60 %\r 100 % [" + std::string(60, '#') + "]\n" + colours));
    log.add(printed(2, "out",
                    "\x1b[1mbold\x1b[22m \x1b[2mfaint\x1b[22m \x1b[3mitalic\x1b[23m "
                    "\x1b[4munderlined\x1b[24m \x1b[7minverse\x1b[27m \x1b[7;31minverse red"
                    "\x1b[0m <b>no markup</b>\n"));
    log.add(printed(2, "out", "more\n", 1'234'567));
    log.add(printed(2, "out", "a very long line: " + std::string(12'000, 'x') + "\n"));
    log.add(printed(2, "err", "\x1b[31mE: nginx: dependency problems - leaving it\x1b[0m\n"));
    page.log = log.lines();
    return page;
}

TaskPage task_page_long(LogQuery query) {
    TaskPage page = task_page();
    page.query = std::move(query);
    page.skipped = 1'500'000;
    TaskLog log(longest_line);
    for (int i = 1; i <= 2345; ++i) {
        log.add(printed(1, i % 9 == 0 ? "err" : "out",
                        "Unpacking package " + std::to_string(i) + " of 3000\n"));
    }
    page.log = log.lines();
    return page;
}

TaskPage task_page_ended(TaskPage page, TaskState state, const char* message) {
    page.task.state = state;
    page.task.finished_at = now;
    page.task.message = message;
    return page;
}

TaskPage replaced_task_page() {
    auto page = task_page_ended(task_page(), TaskState::failed, "exit code 78: web: port");
    page.task.attempts_before = page.task.attempt + 1;
    return page;
}

TaskPage failed_task_page() {
    const auto cluster = ClusterBuilder().failed();
    auto page = task_page_with_log({.line = 3, .find = "e:"});
    page.node = cluster.nodes[1];
    page.task = cluster.tasks[14];
    page.task.message =
        "install cache ended with exit code 100: E: Unable to locate package redis-sever";
    page.status_code = 100;
    page.may_retry = true;
    page.failed = {{.task = page.task, .hostname = page.node.hostname},
                   {.task = cluster.tasks[24], .hostname = cluster.nodes[2].hostname}};
    return page;
}

}  // namespace samples
