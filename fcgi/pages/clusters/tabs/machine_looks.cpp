#include "fcgi/pages/clusters/tabs/machine_looks.hpp"

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::store::ListedMachine;

MachineLooks::MachineLooks(const ClusterPage& page)
    : page_(page), places_(looks_of_places(page)), run_(services_that_run(page)) {}

MachineLook MachineLooks::of(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = look_of(page_, machine, part);
    const bool is_settled = look == MachineLook::ready || is_left(look);
    if (!is_settled || part == MachinePart::itself) return look;
    int running = 0;
    int stopped = 0;
    bool is_known = true;
    for (const std::string& name : machine.services) {
        const auto place = places_.find({machine.node, name});
        if (place == places_.end()) {
            is_known = is_known && !run_.contains({machine.node, name});
            continue;
        }
        if (place->second == PlaceLook::failed) return MachineLook::failed;
        running += place->second == PlaceLook::running ? 1 : 0;
        stopped += place->second == PlaceLook::stopped ? 1 : 0;
        is_known = is_known && place->second != PlaceLook::at_work;
    }
    if (!is_known) return look;
    if (running + stopped == 0) {
        const bool is_installed = look == MachineLook::ready && part == MachinePart::services &&
                                  !machine.services.empty();
        return is_installed ? MachineLook::installed : look;
    }
    if (running > 0 && stopped > 0) return MachineLook::partly_stopped;
    return running > 0 ? MachineLook::runs : MachineLook::stopped;
}

std::string MachineLooks::left_words(const ListedMachine& machine, MachinePart part) const {
    const MachineLook of_tasks = look_of(page_, machine, part);
    if (!is_left(of_tasks) || of(machine, part) == of_tasks) return "";
    return translated(words_of(of_tasks).words);
}

}  // namespace fcgi::pages
