#pragma once

#include <string>

#include "provisioner/metrics/family.hpp"

namespace provisioner::metrics {

/// The Content-Type of to_text().
constexpr auto content_type = "text/plain; version=0.0.4; charset=utf-8";

/// The families in the text format of Prometheus, version 0.0.4: HELP, TYPE and samples of each,
/// in the given order. A family without samples is left out. Label values and help texts are
/// escaped; bytes that are not UTF-8 become U+FFFD. Histograms get cumulated buckets, _sum and
/// _count.
std::string to_text(const Families& families);

}  // namespace provisioner::metrics
