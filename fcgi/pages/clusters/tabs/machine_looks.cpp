#include "fcgi/pages/clusters/tabs/machine_looks.hpp"

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::store::ListedMachine;

namespace {

MachineLook look_by_services(bool have_running, bool have_stopped) {
    if (have_running && have_stopped) return MachineLook::partly_stopped;
    return have_running ? MachineLook::runs : MachineLook::stopped;
}

}  // namespace

MachineLooks::MachineLooks(const ClusterPage& page)
    : MachineLooks(at_work(page), page.lost, names_that_run(page), looks_of_places(page)) {}

MachineLooks::MachineLooks(const ClusterAtWork& cluster, const LostMachines& lost,
                           const std::set<std::string>& run, const PlaceLooks& places)
    : cluster_(cluster), lost_(lost) {
    for (const auto& [place, look] : places) {
        OfServices& services = services_[place.first];
        const bool is_unstarted = look == MachineLook::waiting || look == MachineLook::unfinished ||
                                  look == MachineLook::untouched;
        services.has_failed = services.has_failed || look == MachineLook::failed;
        services.is_unsettled = services.is_unsettled || is_unstarted ||
                                look == MachineLook::running || look == MachineLook::ready;
        services.has_unstarted =
            services.has_unstarted || (is_unstarted && run.contains(place.second));
        services.has_running = services.has_running || look == MachineLook::runs;
        services.has_stopped = services.has_stopped || look == MachineLook::stopped;
    }
}

MachineLooks::OfServices MachineLooks::services_of(const ListedMachine& machine) const {
    const auto found = services_.find(machine.node);
    return found == services_.end() ? OfServices() : found->second;
}

MachineLook MachineLooks::by_tasks(const ListedMachine& machine, MachinePart part) const {
    const auto lost = lost_.find(machine.node);
    const MachineLook look =
        look_of(cluster_, lost == lost_.end() ? LostSince() : lost->second, machine, part);
    return services_of(machine).are_new() ? without_change(look) : look;
}

MachineLook MachineLooks::of(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = by_tasks(machine, part);
    const bool is_settled = look == MachineLook::ready || look == MachineLook::leaves ||
                            is_left(look) || is_waiting(look);
    if (!is_settled || part == MachinePart::itself) return look;
    const OfServices services = services_of(machine);
    if (services.has_failed) return MachineLook::failed;
    const bool is_of_machine = look == MachineLook::leaves && part == MachinePart::all;
    if (services.is_unsettled || is_of_machine) return look;
    if (!services.has_running && !services.has_stopped) {
        const bool is_installed = look == MachineLook::ready && part == MachinePart::services &&
                                  !machine.services.empty();
        return is_installed ? MachineLook::installed : look;
    }
    return look_by_services(services.has_running, services.has_stopped);
}

std::string MachineLooks::left_words(const ListedMachine& machine, MachinePart part) const {
    const MachineLook look = of(machine, part);
    if (look == MachineLook::leaves) {
        const OfServices services = services_of(machine);
        if (!services.has_running && !services.has_stopped) return "";
        return translated(
            words_of(look_by_services(services.has_running, services.has_stopped)).words);
    }
    if (machine.leaves && look != MachineLook::gone) {
        return translated(words_of(MachineLook::leaves).words);
    }
    const MachineLook of_tasks = by_tasks(machine, part);
    if (!(is_left(of_tasks) || is_waiting(of_tasks)) || look == of_tasks) return "";
    return translated(words_of(of_tasks).words);
}

}  // namespace fcgi::pages
