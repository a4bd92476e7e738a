#include "fcgi/monitoring/readiness.hpp"

namespace fcgi::monitoring {

namespace {

std::string said(const std::string& problem) {
    return problem.empty() ? "ok" : problem;
}

}  // namespace

std::string schema_problem(std::optional<int> applied, int wanted) {
    if (!applied) return "no migration was applied";
    if (*applied < wanted) return "older than this program";
    if (*applied > wanted) return "newer than this program";
    return "";
}

provisioner::base::Json to_json(const Readiness& readiness) {
    return {{"ready", readiness.is_ready()},
            {"checks",
             {{"database", said(readiness.database)},
              {"schema", said(readiness.schema)},
              {"views", said(readiness.views)}}}};
}

}  // namespace fcgi::monitoring
