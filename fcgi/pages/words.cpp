#include "fcgi/pages/words.hpp"

#include <cctype>
#include <sstream>

#include "provisioner/base/utf8.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace std::chrono;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

std::string minutes_words(long long count) {
    return translated_count(static_cast<unsigned long>(count), "{0} minute", "{0} minutes");
}

std::string hours_words(long long count) {
    return translated_count(static_cast<unsigned long>(count), "{0} hour", "{0} hours");
}

std::string days_words(long long count) {
    return translated_count(static_cast<unsigned long>(count), "{0} day", "{0} days");
}

std::string two_units(const std::string& large, long long rest, const std::string& small) {
    return rest == 0 ? large : large + ' ' + small;
}

std::string largest_unit(seconds span) {
    const auto minutes_in = (span.count() + 30) / 60;
    if (minutes_in < 60) return minutes_words(std::max<long long>(minutes_in, 1));
    const auto hours_in = (minutes_in + 30) / 60;
    if (hours_in < 36) return hours_words(hours_in);
    return days_words((hours_in + 12) / 24);
}

}  // namespace

std::string relative(Timestamp at, Timestamp now) {
    const auto ago = duration_cast<seconds>(now - at);
    if (abs(ago) < seconds(45)) {
        return ago < seconds(0) ? translated("in a moment") : translated("just now");
    }
    return ago > seconds(0) ? translated("{0} ago", largest_unit(ago))
                            : translated("in {0}", largest_unit(-ago));
}

std::string spoken(milliseconds duration) {
    const auto all = duration_cast<seconds>(duration).count();
    if (duration < milliseconds(100)) return "< 0.1 s";
    if (all < 1) return translated("0.{0} s", duration.count() / 100);
    if (all < 120) return translated("{0} s", all);
    if (all < 3600) return minutes_words(all / 60);
    const auto hours = all / 3600;
    const auto minutes = all % 3600 / 60;
    if (hours < 24) return two_units(hours_words(hours), minutes, minutes_words(minutes));
    return two_units(days_words(hours / 24), hours % 24, hours_words(hours % 24));
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

std::string size_words(const Constraints& constraints) {
    const auto least = static_cast<unsigned long>(constraints.size_min);
    if (constraints.size_min == constraints.size_max) {
        return translated_count(least, "{0} machine", "{0} machines");
    }
    if (constraints.size_max == no_maximum) {
        return translated_count(least, "{0} machine or more", "{0} machines or more");
    }
    if (constraints.size_min == 0) {
        return translated_count(static_cast<unsigned long>(constraints.size_max),
                                "at most {0} machine", "at most {0} machines");
    }
    return translated_count(static_cast<unsigned long>(constraints.size_max), "{1} to {0} machine",
                            "{1} to {0} machines", grouped(least));
}

std::string lease_words(const LeaseDuration& lease) {
    return lease.initial.count() == 0 ? translated("no expiry") : spoken(lease.initial);
}

Json plan_json(const std::vector<std::pair<Action, int>>& counts, std::size_t tasks,
               std::size_t stages) {
    Json list = Json::array();
    for (const auto& [action, count] : counts) {
        if (count == 0) continue;
        list.push_back(
            Json{{"count", grouped(count)}, {"action", provisioner::base::to_word(action)}});
    }
    Json json;
    json["plan_sentence"] = tasks == 0
                                ? translated("Nothing has to be done on the machines.")
                                : translated("{0} in {1}, counted by action",
                                             translated_count(tasks, "{0} task", "{0} tasks"),
                                             translated_count(stages, "{0} stage", "{0} stages"));
    json["has_tasks"] = !list.empty();
    json["tasks"] = std::move(list);
    return json;
}

std::string with_capital(std::string text) {
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return text;
}

std::string one_line(const std::string& text, std::size_t limit) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    if (line.size() <= limit) return line;
    return std::string(provisioner::base::utf8_prefix(line, limit)) + "…";
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? translated(" and ") : ", ";
        text += names[i];
    }
    return text;
}

std::string listed(std::vector<std::string> names, std::size_t most) {
    if (names.size() > most) {
        const std::size_t more = names.size() - most;
        names.resize(most);
        names.push_back(translated("{0} more", grouped(more)));
    }
    return listed(names);
}

std::string joined_sentences(const std::string& text, const std::string& next) {
    if (text.empty() || next.empty()) return text + next;
    const bool has_end = std::string_view(".!?").find(text.back()) != std::string_view::npos;
    return text + (has_end ? " " : ". ") + next;
}

std::string label_and_name(const std::string& label, const std::string& name) {
    return label.empty() || label == name ? name : translated("{0} ({1})", label, name);
}

std::vector<std::pair<std::string, std::string>> entry_choices(const std::vector<Json>& entries) {
    std::vector<std::pair<std::string, std::string>> choices;
    for (const Json& entry : entries) {
        auto name = provisioner::base::text_at(entry, "name");
        auto words = label_and_name(provisioner::base::text_at(entry, "label"), name);
        choices.emplace_back(std::move(name), std::move(words));
    }
    return choices;
}

std::string title_of(const EntityHeader& header) {
    return header.label.value_or(header.name);
}

}  // namespace fcgi::pages
