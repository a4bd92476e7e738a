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
/// kind most often, if there is one. "start web failed on 2 machines" if all are of one kind. Empty
/// for one task or none: then one reason says it all.
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
    if (most->tasks == 1) {
        return provisioner::messages::translated("{0} different tasks failed", grouped(failed));
    }
    const auto as_many = std::ranges::count_if(kinds, [&](const auto& count) {
        return count.state == provisioner::model::TaskState::failed && count.tasks == most->tasks;
    });
    if (as_many > 1) {
        return provisioner::messages::translated("{0} tasks of several kinds failed",
                                                 grouped(failed));
    }
    return provisioner::messages::translated("{0} tasks failed, most often {1} ({2})",
                                             grouped(failed), what_it_does(like, labels),
                                             grouped(most->tasks));
}

}  // namespace fcgi::pages
