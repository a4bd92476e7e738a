#include "fcgi/pages/layout_picture.hpp"

#include <array>
#include <stdexcept>
#include <string_view>

#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

constexpr std::size_t columns_that_fit_lying = 7;

struct LookWords {
    CellLook look;
    const char* css;
    const char* words;
};

constexpr std::array look_words{
    LookWords{CellLook::none, "none", "not here"},
    LookWords{CellLook::planned, "planned", "here"},
    LookWords{CellLook::waiting, "waiting", "waiting"},
    LookWords{CellLook::running, "running", "running"},
    LookWords{CellLook::done, "done", "ready"},
    LookWords{CellLook::failed, "failed", "failed"},
    LookWords{CellLook::stopped, "stopped", "gone"},
    LookWords{CellLook::stays, "done", "stays"},
    LookWords{CellLook::worked_on, "running", "changed"},
    LookWords{CellLook::comes, "planned", "new"},
    LookWords{CellLook::goes, "failed", "removed"},
};

const LookWords& words_of_look(CellLook look) {
    for (const LookWords& candidate : look_words) {
        if (candidate.look == look) return candidate;
    }
    throw std::logic_error("a look has no words");
}

Json cell_json(CellLook look) {
    const auto& words = words_of_look(look);
    Json cell;
    cell["look"] = words.css;
    cell["words"] = words.words;
    return cell;
}

Json legend_of(std::initializer_list<CellLook> looks) {
    Json legend = Json::array();
    for (const CellLook look : looks) legend.push_back(cell_json(look));
    return legend;
}

}  // namespace

std::string more_machines(std::size_t machines) {
    if (machines <= machines_in_the_picture) return "";
    return "and " + counted(machines - machines_in_the_picture, "machine") + " more";
}

void add_to(Json& page, const LayoutPicture& picture) {
    Json columns = Json::array();
    for (const auto& column : picture.columns) columns.push_back(Json{{"service", column}});
    Json rows = Json::array();
    for (const PictureRow& row : picture.rows) {
        Json cells = Json::array();
        for (const CellLook look : row.cells) cells.push_back(cell_json(look));
        Json item;
        item["number"] = rows.size() + 1;
        item["title"] = row.title;
        item["subtitle"] = row.subtitle;
        item["cells"] = std::move(cells);
        rows.push_back(std::move(item));
    }
    page["columns"] = std::move(columns);
    page["rows"] = std::move(rows);
    page["many"] = picture.columns.size() > columns_that_fit_lying;
}

Json legend_json() {
    return legend_of({CellLook::waiting, CellLook::running, CellLook::done, CellLook::failed});
}

Json legend_of_changes_json() {
    return legend_of({CellLook::stays, CellLook::worked_on, CellLook::comes, CellLook::goes});
}

}  // namespace fcgi::pages
