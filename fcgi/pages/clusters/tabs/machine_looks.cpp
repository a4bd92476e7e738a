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
        services.is_unsettled = services.is_unsettled || look == MachineLook::waiting ||
                                look == MachineLook::unfinished || look == MachineLook::untouched ||
                                look == MachineLook::running || look == MachineLook::ready;
        services.has_running = services.has_running || look == MachineLook::runs;
        services.has_stopped = services.has_stopped || look == MachineLook::stopped;
        services.has_unknown = services.has_unknown || look == MachineLook::unknown;
    }
}

MachineLook MachineLooks::look_of_served(const OfServices& services) {
    const bool has_others = services.has_running || services.has_unknown || services.is_unsettled;
    if (services.has_stopped) {
        return has_others ? MachineLook::partly_stopped : MachineLook::stopped;
    }
    return services.has_unknown ? MachineLook::unknown : MachineLook::runs;
}

MachineLooks::OfServices MachineLooks::services_of(const ListedMachine& machine) const {
    const auto found = services_.find(machine.node);
    return found == services_.end() ? OfServices() : found->second;
}

MachineLook MachineLooks::by_tasks(const ListedMachine& machine, MachinePart part) const {
    const auto lost = lost_.find(machine.node);
    return look_of(cluster_, lost == lost_.end() ? LostSince() : lost->second, machine, part);
}

MachineLook MachineLooks::of(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = by_tasks(machine, part);
    const bool is_settled = look == MachineLook::ready || look == MachineLook::leaves ||
                            is_left(look) || is_waiting(look);
    if (!is_settled || part == MachinePart::itself) return look;
    const OfServices services = services_of(machine);
    if (services.has_failed) return MachineLook::failed;
    const bool is_of_machine = look == MachineLook::leaves && part == MachinePart::all;
    if (is_of_machine) return look;
    // Of a machine that served, that something does not says more than what is not finished.
    const bool is_down = services.has_stopped || services.has_unknown;
    if (services.is_unsettled && !(is_down && machine.was_set_up)) return look;
    if (services.have_served()) return look_of_served(services);
    const bool is_installed =
        look == MachineLook::ready && part == MachinePart::services && !machine.services.empty();
    return is_installed ? MachineLook::installed : look;
}

std::string MachineLooks::left_words(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = of(machine, part);
    if (look == MachineLook::leaves) {
        const OfServices services = services_of(machine);
        if (!services.have_served()) return "";
        return translated(words_of(look_of_served(services)).words);
    }
    if (machine.leaves && look != MachineLook::gone) {
        return translated(words_of(MachineLook::leaves).words);
    }
    const MachineLook of_tasks = by_tasks(machine, part);
    if (!(is_left(of_tasks) || is_waiting(of_tasks)) || look == of_tasks) return "";
    return translated(words_of(of_tasks).words);
}

}  // namespace fcgi::pages
