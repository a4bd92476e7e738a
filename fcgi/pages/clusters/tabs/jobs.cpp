#include "fcgi/pages/clusters/tabs/jobs.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/jobs/schedule.hpp"
#include "fcgi/pages/failure_words.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using std::chrono::milliseconds;

namespace {

std::string status_of(const Job& job) {
    if (job.aborted) return job.finished_at ? "aborted" : translated("being aborted");
    if (is_left_unfinished(job)) return translated("not finished");
    return provisioner::base::to_word(job.status);
}

const char* look_of(const Job& job) {
    switch (job.status) {
        case JobStatus::complete:
            return "done";
        case JobStatus::failed:
            return is_left_unfinished(job) ? "terminated" : "failed";
        case JobStatus::paused:
            return "paused";
        default:
            return "running";
    }
}

milliseconds in_milliseconds(Timestamp::duration duration) {
    return std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(duration));
}

}  // namespace

std::string worked_time(const ClusterPage& page, const Job& job) {
    const auto end = job.finished_at.value_or(page.now);
    const auto idle = idle_between(job.created_at, end, breaks_of(page.breaks, job.id));
    return spoken(in_milliseconds(end - job.created_at - idle));
}

std::string worked_words(Timestamp begin, Timestamp end,
                         const std::vector<provisioner::store::JobBreak>& breaks) {
    const auto idle = idle_between(begin, end, breaks);
    const std::string worked = spoken(in_milliseconds(end - begin - idle));
    if (idle <= Timestamp::duration(0)) return worked;
    return translated("{0}, idle for {1}", worked, spoken(in_milliseconds(idle)));
}

std::string worked_words(const ClusterPage& page, const Job& job) {
    return worked_words(job.created_at, job.finished_at.value_or(page.now),
                        breaks_of(page.breaks, job.id));
}

std::string asker_words(const Asker& asker) {
    if (asker.name.empty()) return "";
    if (asker.user.value != 0) return translated("Started by {0}", asker.name);
    if (asker.name == asked_by_lost_machine) {
        return translated("Started because the provider lost the machine");
    }
    return translated("Started because the lease ended");
}

Json job_summary_json(const ClusterPage& page, const Job& job) {
    Json json;
    json["number"] = job.id.value;
    json["href"] = page.href() + "/jobs/" + std::to_string(job.id.value);
    json["what"] = heading_of(job, page.labels);
    json["look"] = look_of(job);
    json["words"] = status_of(job);
    json["asked_by"] = asker_words(job.asked_by);
    json["retries"] = retries_json(page.retries, job, page.now);
    json["changed"] = configured_words(page.retries, job);
    json["began"] = moment(job.created_at, page.now);
    json["took"] = worked_words(page, job);
    json["lasted"] = (job.finished_at ? translated("took ") : translated("running for ")) +
                     worked_words(page, job);
    json["tasks"] = job.tasks_total == 0
                        ? ""
                        : translated("{0} of {1}", grouped(job.tasks_done),
                                     translated_count(job.tasks_total, "{0} task", "{0} tasks"));
    // Of many failures the first is not the reason.
    const auto in_list = page.kinds_of_jobs.find(job.id);
    const auto& kinds = in_list == page.kinds_of_jobs.end() ? page.kinds : in_list->second;
    const bool is_failure = !job.message.empty() && !job.aborted;
    const std::string counted = is_failure ? failure_words(kinds, page.labels) : "";
    const std::string stop = stop_words(page.retries, job);
    json["message"] = !stop.empty()     ? stop
                      : counted.empty() ? reason_said_once(job.message, page.labels)
                                        : counted;
    return json;
}

std::string query_of_kind(Action action, const std::string& service) {
    return "?action=" + provisioner::base::to_word(action) +
           "&service=" + http::percent_encode(service.empty() ? machine_itself : service);
}

void add_news(Json& json, const Job& job, int failed) {
    const std::string done = translated("{0} of {1} done", grouped(job.tasks_done),
                                        translated_count(job.tasks_total, "{0} task", "{0} tasks"));
    json["failed"] = failed;
    json["news"] = failed == 0 ? done : translated("{0}, {1} failed", done, grouped(failed));
}

void add_failed(Json& json, const std::string& job, int failed) {
    json["failed_words"] = failed == 0
                               ? std::string()
                               : translated_count(failed, "{0} failed task", "{0} failed tasks");
    json["failed_href"] = failed == 0 ? "" : job + "?state=failed#tasks";
}

Json jobs_json(const ClusterPage& page, const std::vector<Job>& jobs) {
    Json list = Json::array();
    for (const Job& job : jobs) list.push_back(job_summary_json(page, job));
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["jobs"] = std::move(list);
    json["has_jobs"] = !jobs.empty();
    return json;
}

}  // namespace fcgi::pages
