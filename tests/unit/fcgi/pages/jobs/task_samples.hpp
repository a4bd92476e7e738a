#pragma once

#include <string>

#include "fcgi/pages/jobs/task_page.hpp"
#include "tests/unit/fcgi/pages/clusters/cluster_builder.hpp"

namespace samples {

// Pages of tasks with their logs.

TaskPage task_page();
/// Colours, both streams, two attempts, a gap, a line that was overwritten and one that is very
/// long; what was searched for stands in some of them.
TaskPage task_page_with_log(LogQuery query);
/// 2,345 lines of a task that runs.
TaskPage task_page_long(LogQuery query);
TaskPage task_page_ended(TaskPage page, TaskState state, const char* message);
/// Of a run before a retry with another configuration.
TaskPage replaced_task_page();
TaskPage failed_task_page();

}  // namespace samples
