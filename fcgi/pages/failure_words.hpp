#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

/// "52 tasks failed, most often start web (19)": how many of these tasks of a job failed, and which
/// kind most often; "install web and start cache failed" if there is no such kind. "start web
/// failed on 2 machines" if all are of one kind. Empty for one task or none: then one reason says
/// it all.
inline std::string failure_words(const std::vector<provisioner::store::KindCount>& kinds,
                                 const Labels& labels) {
    int failed = 0;
    const provisioner::store::KindCount* most = nullptr;
    for (const auto& count : kinds) {
        if (count.state != provisioner::model::TaskState::failed) continue;
        failed += count.tasks;
        if (most == nullptr || count.tasks > most->tasks) most = &count;
    }
    if (failed <= 1) return "";
    provisioner::model::Task like;
    like.action = most->kind.action;
    like.service = most->kind.service;
    if (most->tasks == failed) {
        return provisioner::messages::translated("{0} failed on {1} machines",
                                                 what_it_does(like, labels), grouped(failed));
    }
    std::vector<std::string> as_many;
    for (const auto& count : kinds) {
        if (count.state != provisioner::model::TaskState::failed) continue;
        if (count.tasks != most->tasks) continue;
        like.action = count.kind.action;
        like.service = count.kind.service;
        as_many.push_back(what_it_does(like, labels));
    }
    if (as_many.size() > 1) {
        constexpr std::size_t most_named = 2;
        const std::size_t more = as_many.size() > most_named ? as_many.size() - most_named : 0;
        if (more > 0) {
            as_many.resize(most_named);
            as_many.push_back(provisioner::messages::translated("{0} more", more));
        }
        // Of single tasks the most are all.
        return most->tasks == 1
                   ? provisioner::messages::translated("{0} failed", listed(as_many))
                   : provisioner::messages::translated("{0} tasks failed, among them {1}",
                                                       grouped(failed), listed(as_many));
    }
    return provisioner::messages::translated("{0} tasks failed, most often {1} ({2})",
                                             grouped(failed), what_it_does(like, labels),
                                             grouped(most->tasks));
}

}  // namespace fcgi::pages
