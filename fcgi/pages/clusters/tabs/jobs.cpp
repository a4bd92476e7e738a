#include "fcgi/pages/clusters/tabs/jobs.hpp"

#include <algorithm>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

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
    return provisioner::base::to_word(job.status);
}

const char* look_of(const Job& job) {
    switch (job.status) {
        case JobStatus::complete:
            return "done";
        case JobStatus::failed:
            return job.aborted ? "terminated" : "failed";
        case JobStatus::paused:
            return "paused";
        default:
            return "running";
    }
}

milliseconds time_of(const Job& job, Timestamp now) {
    const auto end = job.finished_at.value_or(now);
    return std::max(milliseconds(0),
                    std::chrono::duration_cast<milliseconds>(end - job.created_at));
}

}  // namespace

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
    json["what"] = heading_of(job.operation);
    json["look"] = look_of(job);
    json["words"] = status_of(job);
    json["asked_by"] = asker_words(job.asked_by);
    json["began"] = moment(job.created_at, page.now);
    json["took"] = spoken(time_of(job, page.now));
    json["lasted"] = (job.finished_at ? translated("took ") : translated("running for ")) +
                     spoken(time_of(job, page.now));
    json["tasks"] = job.tasks_total == 0
                        ? ""
                        : translated("{0} of {1}", grouped(job.tasks_done),
                                     translated_count(job.tasks_total, "{0} task", "{0} tasks"));
    json["message"] = job.message;
    return json;
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
