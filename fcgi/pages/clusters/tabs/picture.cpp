#include "fcgi/pages/clusters/tabs/picture.hpp"

#include <set>
#include <stdexcept>

#include "fcgi/pages/clusters/tabs/machine_looks.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::store::ListedMachine;

namespace {

CellLook machine_cell(MachineLook look) {
    switch (look) {
        case MachineLook::failed:
            return CellLook::failed;
        case MachineLook::lost:
            return CellLook::lost;
        case MachineLook::running:
            return CellLook::running;
        case MachineLook::waiting:
            return CellLook::waiting;
        case MachineLook::change_waits:
            return CellLook::change_waits;
        case MachineLook::unfinished:
            return CellLook::unfinished;
        case MachineLook::untouched:
            return CellLook::untouched;
        case MachineLook::change_left:
            return CellLook::change_left;
        case MachineLook::leaves:
            return CellLook::leaves;
        case MachineLook::unknown:
            return CellLook::unknown;
        case MachineLook::stopped:
        case MachineLook::partly_stopped:
            return CellLook::stopped;
        case MachineLook::runs:
            return CellLook::runs;
        case MachineLook::installed:
            return CellLook::installed;
        case MachineLook::ready:
            return CellLook::done;
        case MachineLook::gone:
            return CellLook::gone;
    }
    throw std::logic_error("a state of machines has no cell");
}

}  // namespace

LayoutPicture picture_of_page(const ClusterPage& page) {
    std::set<std::string> services;
    for (const ListedMachine& machine : page.machines) {
        services.insert(machine.services.begin(), machine.services.end());
    }
    LayoutPicture picture{.columns = {translated("Machine")}, .rows = {}};
    picture.columns.insert(picture.columns.end(), services.begin(), services.end());
    const PlaceLooks looks = looks_of_places(page);
    const MachineLooks machines(at_work(page), page.lost, looks);
    for (const ListedMachine& machine : page.machines) {
        PictureRow row{.title = short_name(machine.hostname),
                       .subtitle = machine.hardware_type,
                       .href = page.href() + "/machines/" + std::to_string(machine.nodenum),
                       .cells = {machine_cell(machines.of(machine, MachinePart::itself))}};
        for (const std::string& service : services) {
            const auto look = looks.find({machine.node, service});
            row.cells.push_back(look == looks.end() ? CellLook::none : machine_cell(look->second));
        }
        picture.rows.push_back(std::move(row));
    }
    use_labels(picture, page.labels);
    return picture;
}

}  // namespace fcgi::pages
