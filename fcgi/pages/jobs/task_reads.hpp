#pragma once

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::pages {

/// GET /clusters/{id}/tasks/{task}: a task and what it printed. `?line=N` shows the part with that
/// line, `?find=text` leads to the first line with that text, `?wrap=no` does not wrap long lines.
http::Response show_task(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /clusters/{id}/tasks/{task}/log: all that is kept of it as a text file, without escape
/// sequences.
http::Response download_task_log(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

}  // namespace fcgi::pages
