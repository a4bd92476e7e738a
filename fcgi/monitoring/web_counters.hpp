#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/metrics/counters.hpp"
#include "provisioner/metrics/family.hpp"

namespace fcgi::monitoring {

/// Durations of requests in seconds.
constexpr std::array<double, 12> request_bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                0.1,   0.25,   0.5,   1,    2.5,   10};

/// The class of a route by its pattern: "api/clusters" for "/v2/clusters/{id}", "page/clusters"
/// for "/clusters/{id}", "page/home" for "/", "monitoring" for what serves monitoring. As many as
/// the table has nouns, whatever is asked.
std::string class_of(std::string_view pattern);

/// Counts answered requests. Counting takes no lock and no memory. Any thread may call any
/// function.
class WebCounters {
 public:
    /// `patterns`: those of the table of routes, in its order.
    explicit WebCounters(const std::vector<std::string>& patterns);

    /// A request was answered. `route` is the number of its route; one that is none counts as class
    /// "none".
    void answered(std::size_t route, std::string_view method, int status,
                  std::chrono::nanoseconds took);

    /// Requests that occupy a thread at this moment.
    provisioner::metrics::Level busy;

    provisioner::metrics::Families families() const;

 private:
    static constexpr std::size_t methods = 5;
    static constexpr std::size_t codes = 5;
    using Times = provisioner::metrics::Histogram<request_bounds.size()>;

    provisioner::metrics::Family requests() const;
    provisioner::metrics::Family durations() const;

    /// The last one is "none".
    std::vector<std::string> classes_;
    /// Route -> position in classes_.
    std::vector<std::size_t> class_of_route_;
    /// By class, method and first digit of the status.
    std::vector<provisioner::metrics::Counter> requests_;
    /// "api", "page", "monitoring" and "none"; and the one of each class.
    std::array<Times, 4> times_;
    std::vector<std::size_t> area_of_class_;
};

}  // namespace fcgi::monitoring
