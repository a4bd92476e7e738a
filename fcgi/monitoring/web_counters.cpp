#include "fcgi/monitoring/web_counters.hpp"

#include <algorithm>

namespace fcgi::monitoring {

using provisioner::metrics::Family;
using provisioner::metrics::Type;

namespace {

constexpr std::array<std::string_view, 5> method_words{"GET", "POST", "PUT", "DELETE", "other"};
constexpr std::array<std::string_view, 5> code_words{"1xx", "2xx", "3xx", "4xx", "5xx"};
constexpr std::array<std::string_view, 4> areas{"api", "page", "monitoring", "none"};

std::string_view first_segment(std::string_view path) {
    if (path.starts_with('/')) path.remove_prefix(1);
    return path.substr(0, path.find('/'));
}

template <std::size_t size>
std::size_t index_of(const std::array<std::string_view, size>& words, std::string_view word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return std::min<std::size_t>(static_cast<std::size_t>(found - words.begin()), size - 1);
}

}  // namespace

std::string class_of(std::string_view pattern) {
    const std::string_view first = first_segment(pattern);
    if (first == "healthz" || first == "readyz" || first == "metrics") return "monitoring";
    if (first == "status") return "api/status";
    if (first == "v2") {
        return "api/" + std::string(first_segment(pattern.substr(pattern.find("v2") + 2)));
    }
    return "page/" + (first.empty() ? "home" : std::string(first));
}

WebCounters::WebCounters(const std::vector<std::string>& patterns)
    : times_{Times(request_bounds), Times(request_bounds), Times(request_bounds),
             Times(request_bounds)} {
    for (const std::string& pattern : patterns) {
        const std::string name = class_of(pattern);
        const auto found = std::find(classes_.begin(), classes_.end(), name);
        class_of_route_.push_back(static_cast<std::size_t>(found - classes_.begin()));
        if (found == classes_.end()) classes_.push_back(name);
    }
    classes_.emplace_back("none");
    for (const std::string& name : classes_) {
        area_of_class_.push_back(index_of(areas, first_segment(name)));
    }
    requests_ = std::vector<provisioner::metrics::Counter>(classes_.size() * methods * codes);
}

void WebCounters::answered(std::size_t route, std::string_view method, int status,
                           std::chrono::nanoseconds took) {
    const std::size_t which =
        route < class_of_route_.size() ? class_of_route_[route] : classes_.size() - 1;
    const auto code = static_cast<std::size_t>(std::clamp(status / 100, 1, 5) - 1);
    requests_[(which * methods + index_of(method_words, method)) * codes + code].add();
    times_[area_of_class_[which]].observe(took);
}

// A class and method that nobody used has no samples; one that was used has all of its codes, so
// that the first failure is an increase.
Family WebCounters::requests() const {
    Family family{.name = "cooperage_http_requests_total",
                  .help = "Requests answered, by class of route, method and class of status.",
                  .type = Type::counter,
                  .labels = {"class", "method", "code"}};
    for (std::size_t pair = 0; pair < classes_.size() * methods; ++pair) {
        const auto* const first = &requests_[pair * codes];
        const bool is_used =
            std::any_of(first, first + codes, [](const auto& count) { return count.value() > 0; });
        for (std::size_t code = 1; is_used && code < codes; ++code) {
            family.samples.push_back(
                {.labels = {classes_[pair / methods], std::string(method_words[pair % methods]),
                            std::string(code_words[code])},
                 .value = static_cast<double>(first[code].value())});
        }
    }
    return family;
}

Family WebCounters::durations() const {
    Family family{.name = "cooperage_http_request_duration_seconds",
                  .help = "Time from a request's arrival to its answer, without sending it.",
                  .type = Type::histogram,
                  .labels = {"area"}};
    family.bounds.assign(request_bounds.begin(), request_bounds.end());
    for (std::size_t area = 0; area < areas.size(); ++area) {
        family.samples.push_back({.labels = {std::string(areas[area])},
                                  .value = times_[area].sum(),
                                  .buckets = times_[area].buckets()});
    }
    return family;
}

provisioner::metrics::Families WebCounters::families() const {
    return {requests(), durations(),
            provisioner::metrics::gauge("cooperage_web_threads_busy",
                                        "Threads that answer a request at this moment.",
                                        static_cast<double>(busy.value()))};
}

}  // namespace fcgi::monitoring
