#include "fcgi/pages/clusters/tabs/machine_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::store::ListedMachine;
using provisioner::store::MachineTasks;

namespace {

constexpr std::array machine_words{
    LookWords{MachineLook::failed, "failed", for_translation("failed")},
    LookWords{MachineLook::lost, "failed", for_translation("lost")},
    LookWords{MachineLook::running, "running", for_translation("in progress")},
    LookWords{MachineLook::waiting, "waiting", for_translation("waiting")},
    LookWords{MachineLook::change_waits, "waiting", for_translation("change waiting")},
    LookWords{MachineLook::unfinished, "left", for_translation("not finished")},
    LookWords{MachineLook::untouched, "waiting", for_translation("not started")},
    LookWords{MachineLook::change_left, "left", for_translation("change not finished")},
    LookWords{MachineLook::leaves, "waiting", for_translation("waits to be deleted")},
    LookWords{MachineLook::unknown, "waiting", for_translation("unknown")},
    LookWords{MachineLook::stopped, "stopped", for_translation("stopped")},
    LookWords{MachineLook::partly_stopped, "stopped", for_translation("partly stopped")},
    LookWords{MachineLook::runs, "done", for_translation("running")},
    LookWords{MachineLook::installed, "done", for_translation("installed")},
    LookWords{MachineLook::ready, "done", for_translation("ready")},
    LookWords{MachineLook::gone, "terminated", for_translation("deleted")},
};

MachineTasks tasks_of(const ListedMachine& machine, MachinePart part) {
    const MachineTasks& own = machine.own;
    const bool has_others = machine.tasks > own.tasks;
    if (part == MachinePart::itself) return own;
    if (part == MachinePart::services && !has_others) return own;
    MachineTasks work{.tasks = machine.tasks,
                      .done = machine.done,
                      .running = machine.running,
                      .failed = machine.failed - machine.failed_removals,
                      .cancelled = machine.cancelled + machine.failed_removals};
    if (part == MachinePart::all) return work;
    work.tasks -= own.tasks;
    work.done -= own.done;
    work.running -= own.running;
    work.failed -= own.failed;
    work.cancelled -= own.cancelled;
    return work;
}

bool is_over_on(const ListedMachine& machine) {
    return machine.done + machine.failed + machine.cancelled == machine.tasks;
}

/// "Cache not removed"; empty while the job goes on there.
std::string left_behind_words(const ListedMachine& machine, const Labels& labels) {
    if (machine.left_behind.empty() || !is_over_on(machine)) return "";
    return translated("{0} not removed", listed(labels.services(machine.left_behind)));
}

std::string what_is_done_on(const ListedMachine& machine, const Labels& labels) {
    Task task;
    task.action = machine.action;
    task.service = machine.service;
    return what_it_does(task, labels);
}

}  // namespace

bool is_left(MachineLook look) {
    return look == MachineLook::unfinished || look == MachineLook::untouched ||
           look == MachineLook::change_left;
}

bool is_waiting(MachineLook look) {
    return look == MachineLook::waiting || look == MachineLook::change_waits;
}

bool is_in_state(MachineLook look, const ListedMachine& machine, MachineLook state,
                 MachinePart part) {
    if (look == state) return true;
    return state == MachineLook::leaves && part == MachinePart::all && machine.leaves &&
           look != MachineLook::gone;
}

bool is_changed(const ClusterAtWork& cluster, const ListedMachine& machine) {
    return machine.was_set_up && cluster.operation != Operation::cluster_delete;
}

MachineLook look_of_work(const ClusterAtWork& cluster, const MachineTasks& work, bool is_change) {
    const bool changes = cluster.status == ClusterStatus::pending;
    if (work.failed > 0) return MachineLook::failed;
    if (work.running > 0) return MachineLook::running;
    if (cluster.status == ClusterStatus::terminated) return MachineLook::gone;
    if (work.done < work.tasks) {
        // A job under way runs no more of a machine whose retry was not asked for.
        const bool is_over = work.done + work.cancelled == work.tasks;
        if (changes && !is_over) {
            return is_change ? MachineLook::change_waits : MachineLook::waiting;
        }
        if (is_change) return MachineLook::change_left;
        const bool is_new = cluster.operation == Operation::cluster_create ||
                            cluster.operation == Operation::cluster_grow;
        return work.done > 0 || !is_new ? MachineLook::unfinished : MachineLook::untouched;
    }
    return cluster.operation == Operation::cluster_delete ? MachineLook::gone : MachineLook::ready;
}

MachineLook look_of(const ClusterAtWork& cluster, const LostSince& lost,
                    const ListedMachine& machine, MachinePart part) {
    if (machine.is_deleted) return MachineLook::gone;
    if (lost && cluster.status != ClusterStatus::pending) return MachineLook::lost;
    const MachineLook look =
        look_of_work(cluster, tasks_of(machine, part), is_changed(cluster, machine));
    const bool says_more =
        look == MachineLook::failed || look == MachineLook::running || look == MachineLook::gone;
    return machine.leaves && !says_more ? MachineLook::leaves : look;
}

const LookWords& words_of(MachineLook look) {
    for (const LookWords& candidate : machine_words) {
        if (candidate.look == look) return candidate;
    }
    throw std::logic_error("a state of machines has no words");
}

Json state_json(MachineLook look, const std::string& left, const LostSince& lost,
                const ListedMachine& machine, const Labels& labels, Timestamp now) {
    Json json;
    json["nodenum"] = machine.nodenum;
    json["hostname"] = machine.hostname;
    json["short_name"] = short_name(machine.hostname);
    json["address"] = machine.address;
    json["hardware_type"] = labels.hardware_type(machine.hardware_type);
    json["services"] = listed(labels.services(machine.services));
    json["state"] = words_of(look).css;
    json["state_words"] = translated(words_of(look).words);
    const std::string left_behind = left_behind_words(machine, labels);
    json["left"] = look == MachineLook::running && machine.running > 0
                       ? what_is_done_on(machine, labels)
                   : left_behind.empty() ? left
                                         : left_behind;
    json["total"] = std::max(machine.tasks, 1);
    json["done"] = machine.tasks == 0 ? 1 : machine.done;
    json["tasks_words"] =
        machine.tasks == 0 ? ""
                           : translated("{0} of {1}", grouped(machine.done),
                                        translated_count(machine.tasks, "{0} task", "{0} tasks"));
    // What is finished needs no bar.
    json["bar"] = machine.done == machine.tasks          ? ""
                  : look == MachineLook::failed          ? "bad"
                  : is_left(look) || is_over_on(machine) ? "over"
                                                         : "pending";
    json["lost"] = lost && look == MachineLook::lost ? moment(*lost, now) : Json();
    return json;
}

}  // namespace fcgi::pages
