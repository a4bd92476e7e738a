#include "fcgi/pages/clusters/jobs/time_axis.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using std::chrono::milliseconds;

namespace {

using AxisStep = Timestamp::duration;

constexpr std::array<AxisStep, 26> axis_steps{
    100ms, 200ms, 500ms, 1s, 2s, 5s, 10s, 15s, 30s, 1min, 2min, 5min, 10min,
    15min, 30min, 1h,    2h, 3h, 6h, 12h, 24h, 48h, 120h, 240h, 480h, 1200h};
constexpr int most_steps = 6;
/// Labels of marks behind that end at their mark.
constexpr double edge_percent = 93;

}  // namespace

std::string percent_words(double value) {
    const auto hundredths = static_cast<long>(value * 100 + 0.5);
    const long rest = hundredths % 100;
    std::string text = std::to_string(hundredths / 100);
    if (rest != 0) text += (rest < 10 ? ".0" : ".") + std::to_string(rest);
    if (rest != 0 && rest % 10 == 0) text.pop_back();
    return text + '%';
}

double TimeAxis::percent(Timestamp at) const {
    const auto whole = static_cast<double>((end - begin).count());
    if (whole <= 0) return 0;
    const auto worked = at - begin - idle_between(begin, at, breaks);
    return std::clamp(100 * static_cast<double>(worked.count()) / whole, 0.0, 100.0);
}

TimeAxis axis_of(Timestamp begin, Timestamp end, bool runs, const Breaks& breaks) {
    end -= idle_between(begin, end, breaks);
    const Timestamp::duration length = std::max<Timestamp::duration>(end - begin, 100ms);
    Timestamp::duration step = axis_steps.back();
    for (const Timestamp::duration candidate : axis_steps) {
        if (length <= candidate * most_steps) {
            step = candidate;
            break;
        }
    }
    while (length > step * most_steps) step *= 2;
    if (runs) end = begin + step * ((length + step) / step);
    return {.begin = begin,
            .end = std::max(end, begin + Timestamp::duration(100ms)),
            .step = step,
            .breaks = breaks};
}

std::string words_of_mark(Timestamp::duration since_begin) {
    const auto all = std::chrono::duration_cast<milliseconds>(since_begin).count();
    const auto seconds = all / 1000;
    const auto two_parts = [](long long large, long long small, const char* unit) {
        std::string text = std::to_string(large);
        if (small != 0) text += (small < 10 ? ":0" : ":") + std::to_string(small);
        return text + unit;
    };
    if (all == 0) return "0";
    if (seconds < 60 && all % 1000 != 0) {
        return translated("{0}.{1} s", seconds, all % 1000 / 100);
    }
    if (seconds < 60) return translated("{0} s", seconds);
    if (seconds < 3600) return two_parts(seconds / 60, seconds % 60, " min");
    if (seconds < 86400) return two_parts(seconds / 3600, seconds % 3600 / 60, " h");
    const auto hours = seconds % 86400 / 3600;
    return translated("{0} d{1}", seconds / 86400,
                      (hours == 0 ? "" : ' ' + std::to_string(hours) + " h"));
}

Json marks_json(const TimeAxis& axis) {
    Json marks = Json::array();
    const TimeAxis whole{.begin = axis.begin, .end = axis.end, .step = axis.step};
    for (Timestamp at = axis.begin; at <= axis.end; at += axis.step) {
        const double x = whole.percent(at);
        marks.push_back({{"x", percent_words(x)},
                         {"label", words_of_mark(at - axis.begin)},
                         {"anchor", at == axis.begin   ? "start"
                                    : x > edge_percent ? "end"
                                                       : "middle"}});
    }
    return marks;
}

void add_breaks(Json& json, const TimeAxis& axis) {
    Json breaks = Json::array();
    Timestamp::duration idle{};
    for (const auto& one : axis.breaks) {
        breaks.push_back({{"x", percent_words(axis.percent(one.begin))}});
        idle += one.end - one.begin;
    }
    json["breaks"] = std::move(breaks);
    json["breaks_words"] =
        axis.breaks.empty()
            ? ""
            : translated_count(axis.breaks.size(),
                               "The dashed line marks {1} in which nothing ran.",
                               "The {0} dashed lines mark {1} in which nothing ran.",
                               spoken(std::chrono::duration_cast<milliseconds>(idle)));
}

}  // namespace fcgi::pages
