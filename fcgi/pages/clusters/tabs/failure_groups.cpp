#include "fcgi/pages/clusters/tabs/failure_groups.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/progress.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::model::Task;
using provisioner::model::TaskState;

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// What may stand in the name of a host, an address, a path's part or an id.
bool is_of_a_name(char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || is_digit(c) || c == '-' || c == '_' || c == '.' || c == ':';
}

}  // namespace

std::string without_particulars(const std::string& message) {
    std::string plain;
    for (std::size_t at = 0; at < message.size();) {
        std::size_t end = at;
        while (end < message.size() && is_of_a_name(message[end])) ++end;
        if (end == at) {
            plain += message[at++];
            continue;
        }
        const auto word = message.substr(at, end - at);
        const bool is_particular = std::ranges::any_of(word, is_digit);
        // A sentence ends with the same sign whatever stood before it.
        const char last = word.back();
        plain += is_particular ? "#" : word;
        if (is_particular && (last == '.' || last == ':')) plain += last;
        at = end;
    }
    return plain;
}

std::set<provisioner::model::NodeId> machines_of(const FailureGroup& group) {
    std::set<provisioner::model::NodeId> machines;
    for (const Task* task : group.tasks) machines.insert(task->node);
    return machines;
}

std::set<provisioner::model::NodeId> machines_like(const std::vector<FailureGroup>& groups,
                                                   provisioner::model::TaskId task) {
    for (const FailureGroup& group : groups) {
        const bool has_it =
            std::ranges::any_of(group.tasks, [&](const Task* one) { return one->id == task; });
        if (has_it) return machines_of(group);
    }
    return {};
}

std::vector<FailureGroup> failure_groups(const std::vector<Task>& tasks) {
    std::vector<const Task*> failed;
    for (const Task& task : tasks) {
        if (task.state == TaskState::failed) failed.push_back(&task);
    }
    return groups_that_say_the_same(failed);
}

std::vector<FailureGroup> groups_that_say_the_same(const std::vector<const Task*>& tasks) {
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    std::vector<FailureGroup> groups;
    for (const Task* task : tasks) {
        const std::string what = what_it_does(*task);
        const auto [found, is_new] =
            known.try_emplace({what, without_particulars(task->message)}, groups.size());
        if (is_new) groups.push_back({.what = what, .message = task->message, .tasks = {}});
        groups[found->second].tasks.push_back(task);
    }
    std::ranges::stable_sort(groups, [](const FailureGroup& left, const FailureGroup& right) {
        return left.tasks.size() > right.tasks.size();
    });
    return groups;
}

std::string joined_outputs(const std::vector<AttemptOutput>& attempts) {
    std::string text;
    for (std::size_t first = 0, last = 0; first < attempts.size(); first = ++last) {
        const std::string plain = without_particulars(attempts[first].text);
        while (last + 1 < attempts.size() &&
               without_particulars(attempts[last + 1].text) == plain) {
            ++last;
        }
        if (!text.empty() && text.back() != '\n') text += '\n';
        if (first != last) {
            text += translated("[attempts {0} to {1}]", attempts[first].attempt,
                               attempts[last].attempt) +
                    '\n';
        } else if (attempts.size() > 1) {
            text += translated("[attempt {0}]", attempts[first].attempt) + '\n';
        }
        text += attempts[last].text;
    }
    return text;
}

}  // namespace fcgi::pages
