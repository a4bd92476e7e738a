#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/clusters/machine_list.hpp"

namespace fcgi::pages {

// How pages show the state of a machine: the tabs of a cluster and the list of all machines. Pure.

/// The state of a machine, as its tasks of the latest job have it.
enum class MachineLook {
    failed,
    lost,
    running,
    /// The job goes on, and nothing works on it now.
    waiting,
    /// The same of a change of what was there before, which goes on as it was until then.
    change_waits,
    /// Something is done, and the job does no more of it.
    unfinished,
    /// The same, and nothing is done.
    untouched,
    /// The job changes what was there before, which goes on as it was, and does no more of it.
    change_left,
    /// A job takes the machine away. It goes on as it was until then, or as that job has left it.
    leaves,
    /// An abort has cut a start or stop of one of its services short, and none is stopped.
    unknown,
    /// Its services were stopped; nothing else is left to say.
    stopped,
    /// Some of them were.
    partly_stopped,
    /// Its services run.
    runs,
    /// Its services are there and never run.
    installed,
    /// All is done, and of its services nothing is known or none ever runs.
    ready,
    gone
};

/// All of them, in the order in which they are listed.
inline constexpr std::array machine_looks{
    MachineLook::failed,    MachineLook::lost,         MachineLook::running,
    MachineLook::waiting,   MachineLook::change_waits, MachineLook::unfinished,
    MachineLook::untouched, MachineLook::change_left,  MachineLook::leaves,
    MachineLook::unknown,   MachineLook::stopped,      MachineLook::partly_stopped,
    MachineLook::runs,      MachineLook::installed,    MachineLook::ready,
    MachineLook::gone};

/// Which tasks of a machine its state is about.
enum class MachinePart {
    all,
    /// Those of no service: they make, prepare or delete the machine.
    itself,
    /// Those of its services; a machine without such tasks is in the state of itself.
    services
};

/// What the state of a machine depends on besides its tasks.
struct ClusterAtWork {
    provisioner::model::ClusterStatus status = provisioner::model::ClusterStatus::pending;
    /// Of the latest job; nothing if there is none.
    std::optional<provisioner::model::Operation> operation{};
};

/// Whether the job has ended before the end of what it does on a machine.
bool is_left(MachineLook look);

/// Whether the job goes on, and nothing works on the machine now.
bool is_waiting(MachineLook look);

/// When a machine was first missed; nothing for machines that are not lost.
using LostSince = std::optional<provisioner::base::Timestamp>;

/// Machines that are not there any more, with the first look that missed them.
using LostMachines = std::map<provisioner::model::NodeId, provisioner::base::Timestamp>;

/// Whether the latest job changes what serves on the machine meanwhile: a job has set it up before.
/// A deletion changes nothing.
bool is_changed(const ClusterAtWork& cluster, const provisioner::store::ListedMachine& machine);

/// The state of what these tasks of the latest job work on; `is_change`: it was there before.
MachineLook look_of_work(const ClusterAtWork& cluster, const provisioner::store::MachineTasks& work,
                         bool is_change);

/// The state of one machine, or of a part of it, as the tasks have it: never `runs` or `stopped`.
/// Pages take it from MachineLooks.
MachineLook look_of(const ClusterAtWork& cluster, const LostSince& lost,
                    const provisioner::store::ListedMachine& machine,
                    MachinePart part = MachinePart::all);

/// Whether lists of a state have a machine of that look. Those of `leaves` have all machines that
/// wait to be deleted, also where something else is said of them ("failed"); lists by the state of
/// a part only those that look so.
bool is_in_state(MachineLook look, const provisioner::store::ListedMachine& machine,
                 MachineLook state, MachinePart part = MachinePart::all);

/// A CSS class of site.css and the word for people.
struct LookWords {
    MachineLook look{};
    const char* css;
    const char* words;
};
const LookWords& words_of(MachineLook look);

/// What lists say of a machine: name, address, hardware, services, its state as a badge ("ready"),
/// what is said beside it (what is done on it: "install cache", or what is left behind: "Cache not
/// removed", or `left`), how many tasks are done
/// with the class of a bar that shows it (empty when all are), and since when it is lost (null: it
/// is not in that state). Hardware and services have their labels.
provisioner::base::Json state_json(MachineLook look, const std::string& left, const LostSince& lost,
                                   const provisioner::store::ListedMachine& machine,
                                   const Labels& labels, provisioner::base::Timestamp now);

}  // namespace fcgi::pages
