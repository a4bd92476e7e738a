#include "fcgi/pages/clusters/lease_page.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/clusters/lease.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

std::string lease_rules(const LeasePage& page) {
    const LeaseDuration& lease = page.cluster.snapshot.cluster_template.lease;
    if (lease.max.count() == 0) return translated("The template sets no limit.");
    const auto most = translated("at most {0} after the cluster was created", spoken(lease.max));
    const std::string rules =
        lease.step.count() == 0
            ? translated("The lease may end {0}.", most)
            : translated("You can extend the lease by {0} at a time. It may end {1}.",
                         spoken(lease.step), most);
    const auto latest = provisioner::operations::latest_end(page.cluster);
    if (latest <= page.now) return rules;
    return translated("{0} The latest end now is {1}.", rules,
                      moment(latest, page.now).at("absolute").get<std::string>());
}

/// Ends that users ask for most, each with the moment it stands for; only those that are allowed. A
/// cluster without an end is deleted by each of them, and they say so.
Json lease_choices(const LeasePage& page) {
    using std::chrono::hours;
    const LeaseDuration& lease = page.cluster.snapshot.cluster_template.lease;
    const Timestamp latest = provisioner::operations::latest_end(page.cluster);
    const bool has_end = page.cluster.expires_at.has_value();
    const Timestamp begin = page.cluster.expires_at.value_or(page.now);
    Json choices = Json::array();
    const auto add = [&](const std::string& label, Timestamp end) {
        const std::string value = input_of(end);
        const bool is_new =
            std::ranges::none_of(choices, [&](const Json& one) { return one["value"] == value; });
        if (end <= page.now || end <= begin || !is_new) return;
        const auto until = moment(end, page.now).at("absolute").get<std::string>().substr(0, 16);
        choices.push_back(
            {{"label", label},
             {"value", value},
             {"until", has_end ? translated("until {0}", until) : translated("on {0}", until)}});
    };
    std::set<std::chrono::milliseconds> lengths{hours{24}, hours{7 * 24}, hours{30 * 24}};
    if (lease.step.count() != 0) lengths.insert(lease.step);
    const auto longest = std::chrono::floor<std::chrono::milliseconds>(latest - begin);
    for (const auto length : lengths) {
        // A step may be longer than any calendar, and than any number of microseconds.
        if (length > longest) continue;
        add(has_end ? translated("{0} longer", spoken(length))
                    : translated("Delete in {0}", spoken(length)),
            begin + length);
    }
    if (lease.max.count() != 0) add(translated("As long as allowed"), latest);
    if (has_end && provisioner::operations::may_have_no_end(page.cluster)) {
        choices.push_back({{"label", translated("No expiry")},
                           {"value", no_expiry},
                           {"until", translated("until somebody deletes it")}});
    }
    return choices;
}

/// Of an end that is too late the latest one is said.
provisioner::base::Problems problems_of_lease(const LeasePage& page) {
    const Timestamp latest = provisioner::operations::latest_end(page.cluster);
    provisioner::base::Problems problems = page.problems;
    for (auto& problem : problems) {
        const bool is_too_late =
            problem.message == "New expire time cannot be greater than allowed increment" ||
            problem.message == "Cluster cannot be prolonged beyond its max duration";
        if (!is_too_late || latest <= page.now) continue;
        problem.message = translated("The lease can end at {0} at the latest.",
                                     moment(latest, page.now).at("absolute").get<std::string>());
    }
    return problems;
}

}  // namespace

Json to_json(const LeasePage& page) {
    const FormField expires{.id = "inputExpireTime",
                            .name = "expireTime",
                            .label = translated("Ends at (UTC)"),
                            .value = page.expires,
                            .hint = lease_rules(page),
                            .type = "datetime-local",
                            .required = true};
    Json blocked = blocked_json(
        page.cluster, page.job,
        {ClusterStatus::active, ClusterStatus::inconsistent, ClusterStatus::incomplete});
    const auto problems = problems_of_lease(page);
    // Why it cannot be done is said once.
    auto json = problems_json(translated("Couldn't change the lease"),
                              blocked.is_null() ? problems : provisioner::base::Problems(),
                              {{"expireTime", "inputExpireTime", translated("Ends at")}});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["fields"] = Json::array({to_json(expires, problems)});
    json["blocked"] = std::move(blocked);
    json["has_end"] = page.cluster.expires_at.has_value();
    json["choices"] = lease_choices(page);
    json["has_choices"] = !json["choices"].empty();
    return json;
}

std::string input_of(Timestamp moment) {
    std::string text = provisioner::base::to_sql(moment).substr(0, 16);
    text[10] = 'T';
    return text;
}

std::optional<Timestamp> moment_in(const std::string& input) {
    constexpr std::size_t with_minutes = 16;
    constexpr std::size_t with_seconds = 19;
    const bool complete = input.size() == with_minutes || input.size() == with_seconds;
    if (!complete || input[10] != 'T') return std::nullopt;
    std::string text = input.size() == with_minutes ? input + ":00" : input;
    text[10] = ' ';
    try {
        return provisioner::base::from_sql(text);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

}  // namespace fcgi::pages
