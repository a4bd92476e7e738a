#pragma once

#include <string>

#include "fcgi/pages/clusters/jobs/schedule.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// "12.5%", with two digits behind the dot at most.
std::string percent_words(double value);

/// The time axis: its marks are `step` apart, the first at `begin`.
struct TimeAxis {
    provisioner::base::Timestamp begin{};
    provisioner::base::Timestamp end{};
    provisioner::base::Timestamp::duration step{};
    /// Times that the axis passes over.
    Breaks breaks{};

    /// Where a moment stands, in percent; those outside stand at the edges, those in a break where
    /// it is passed over.
    double percent(provisioner::base::Timestamp at) const;
};

/// An axis with at most seven marks of a sensible step: 1, 2 or 5 of tenths of seconds, 1, 2, 5,
/// 10, 15 or 30 seconds or minutes, 1, 2, 3, 6 or 12 hours, or days. While the job runs, the axis
/// ends at a mark behind `end`, so that bars stay where they are from one look to the next.
/// Between the marks are times in which something was worked on: `breaks` are passed over.
TimeAxis axis_of(provisioner::base::Timestamp begin, provisioner::base::Timestamp end, bool runs,
                 const Breaks& breaks = {});

/// A mark of the axis: "0", "0.5 s", "30 s", "1:30 min", "2 min", "1:30 h", "2 d".
std::string words_of_mark(provisioner::base::Timestamp::duration since_begin);

/// Its marks: place, label, and on which side of the mark that stands.
provisioner::base::Json marks_json(const TimeAxis& axis);

/// Adds `breaks`, where the axis passes over one, and `breaks_words`, which say so; empty without.
void add_breaks(provisioner::base::Json& json, const TimeAxis& axis);

}  // namespace fcgi::pages
