#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using namespace std::chrono;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

std::string two_units(long long large, const char* unit, long long rest, const char* small) {
    const auto text = counted(large, unit);
    return rest == 0 ? text : text + ' ' + counted(rest, small);
}

std::string largest_unit(seconds span) {
    const auto minutes_in = (span.count() + 30) / 60;
    if (minutes_in < 60) return counted(std::max<long long>(minutes_in, 1), "minute");
    const auto hours_in = (minutes_in + 30) / 60;
    if (hours_in < 36) return counted(hours_in, "hour");
    return counted((hours_in + 12) / 24, "day");
}

}  // namespace

std::string relative(Timestamp at, Timestamp now) {
    const auto ago = duration_cast<seconds>(now - at);
    if (abs(ago) < seconds(45)) return ago < seconds(0) ? "in a moment" : "just now";
    return ago > seconds(0) ? largest_unit(ago) + " ago" : "in " + largest_unit(-ago);
}

std::string spoken(milliseconds duration) {
    const auto all = duration_cast<seconds>(duration).count();
    if (duration < milliseconds(100)) return "< 0.1 s";
    if (all < 1) return "0." + std::to_string(duration.count() / 100) + " s";
    if (all < 120) return std::to_string(all) + " s";
    if (all < 3600) return counted(static_cast<std::size_t>(all / 60), "minute");
    if (all < 86400) return two_units(all / 3600, "hour", all % 3600 / 60, "minute");
    return two_units(all / 86400, "day", all % 86400 / 3600, "hour");
}

Json moment(Timestamp at, Timestamp now) {
    const auto iso = provisioner::base::to_rfc3339(at);
    Json json;
    json["iso"] = iso;
    json["absolute"] = iso.substr(0, 10) + ' ' + iso.substr(11, 8) + " UTC";
    json["relative"] = relative(at, now);
    return json;
}

using namespace provisioner::model;

std::string grouped(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string counted(std::size_t number, const std::string& thing) {
    return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

std::string size_words(const Constraints& constraints) {
    const auto least = static_cast<std::size_t>(constraints.size_min);
    if (constraints.size_min == constraints.size_max) return counted(least, "machine");
    if (constraints.size_max == no_maximum) return counted(least, "machine") + " or more";
    return std::to_string(least) + " to " +
           counted(static_cast<std::size_t>(constraints.size_max), "machine");
}

std::string lease_words(const LeaseDuration& lease) {
    return lease.initial.count() == 0 ? "no end" : spoken(lease.initial);
}

Json plan_json(const std::vector<std::pair<Action, int>>& counts, std::size_t tasks,
               std::size_t stages) {
    Json list = Json::array();
    for (const auto& [action, count] : counts) {
        if (count == 0) continue;
        list.push_back(Json{{"count", count}, {"action", provisioner::base::to_word(action)}});
    }
    Json json;
    json["plan_sentence"] = counted(tasks, "task") + " in " + counted(stages, "stage");
    json["tasks"] = std::move(list);
    return json;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

std::string title_of(const EntityHeader& header) {
    return header.label.value_or(header.name);
}

}  // namespace fcgi::pages
