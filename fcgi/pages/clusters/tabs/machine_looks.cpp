#include "fcgi/pages/clusters/tabs/machine_looks.hpp"

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::store::ListedMachine;

MachineLooks::MachineLooks(const ClusterPage& page)
    : MachineLooks(at_work(page), page.lost, looks_of_places(page)) {}

MachineLooks::MachineLooks(const ClusterAtWork& cluster, const LostMachines& lost,
                           const PlaceLooks& places)
    : cluster_(cluster), lost_(lost) {
    for (const auto& [place, look] : places) {
        OfServices& services = services_[place.first];
        services.has_failed = services.has_failed || look == MachineLook::failed;
        services.is_unsettled = services.is_unsettled || look == MachineLook::running ||
                                look == MachineLook::waiting || look == MachineLook::unfinished ||
                                look == MachineLook::untouched || look == MachineLook::ready;
        services.has_running = services.has_running || look == MachineLook::runs;
        services.has_stopped = services.has_stopped || look == MachineLook::stopped;
    }
}

MachineLook MachineLooks::by_tasks(const ListedMachine& machine, MachinePart part) const {
    const auto lost = lost_.find(machine.node);
    return look_of(cluster_, lost == lost_.end() ? LostSince() : lost->second, machine, part);
}

MachineLook MachineLooks::of(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = by_tasks(machine, part);
    const bool is_settled = look == MachineLook::ready || is_left(look) || is_waiting(look);
    if (!is_settled || part == MachinePart::itself) return look;
    const auto found = services_.find(machine.node);
    const OfServices services = found == services_.end() ? OfServices() : found->second;
    if (services.has_failed) return MachineLook::failed;
    if (services.is_unsettled) return look;
    if (!services.has_running && !services.has_stopped) {
        const bool is_installed = look == MachineLook::ready && part == MachinePart::services &&
                                  !machine.services.empty();
        return is_installed ? MachineLook::installed : look;
    }
    if (services.has_running && services.has_stopped) return MachineLook::partly_stopped;
    return services.has_running ? MachineLook::runs : MachineLook::stopped;
}

std::string MachineLooks::left_words(const ListedMachine& machine, MachinePart part) const {
    const MachineLook of_tasks = by_tasks(machine, part);
    if (!(is_left(of_tasks) || is_waiting(of_tasks)) || of(machine, part) == of_tasks) return "";
    return translated(words_of(of_tasks).words);
}

}  // namespace fcgi::pages
