#include "fcgi/pages/layout_picture.hpp"

#include <array>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;

using provisioner::messages::translated_count;

using provisioner::base::Json;

namespace {

constexpr std::size_t columns_that_fit_lying = 7;

struct LookWords {
    CellLook look;
    const char* css;
    const char* words;
};

constexpr std::array look_words{
    LookWords{CellLook::none, "none", for_translation("not here")},
    LookWords{CellLook::planned, "planned", for_translation("here")},
    LookWords{CellLook::waiting, "waiting", for_translation("waiting")},
    LookWords{CellLook::change_waits, "waiting", for_translation("change waiting")},
    LookWords{CellLook::unfinished, "left", for_translation("not finished")},
    LookWords{CellLook::untouched, "waiting", for_translation("not started")},
    LookWords{CellLook::change_left, "left", for_translation("change not finished")},
    LookWords{CellLook::leaves, "waiting", for_translation("waits to be deleted")},
    LookWords{CellLook::unknown, "waiting", for_translation("unknown")},
    LookWords{CellLook::running, "running", for_translation("in progress")},
    LookWords{CellLook::done, "done", for_translation("ready")},
    LookWords{CellLook::failed, "failed", for_translation("failed")},
    LookWords{CellLook::lost, "failed", for_translation("lost")},
    LookWords{CellLook::installed, "done", for_translation("installed")},
    LookWords{CellLook::runs, "done", for_translation("running")},
    LookWords{CellLook::stopped, "stopped", for_translation("stopped")},
    LookWords{CellLook::gone, "gone", for_translation("deleted")},
    LookWords{CellLook::stays, "done", for_translation("stays")},
    LookWords{CellLook::worked_on, "running", for_translation("changed")},
    LookWords{CellLook::comes, "planned", for_translation("new")},
    LookWords{CellLook::goes, "failed", for_translation("removed")},
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
    cell["words"] = translated(words.words);
    return cell;
}

Json legend_of(std::initializer_list<CellLook> looks) {
    Json legend = Json::array();
    for (const CellLook look : looks) legend.push_back(cell_json(look));
    return legend;
}

}  // namespace

std::size_t fit_for_preview(LayoutPicture& picture) {
    std::vector<std::size_t> counts(picture.rows.size(), 1);
    if (picture.rows.size() > most_single_machines) {
        std::map<std::pair<std::string, std::vector<CellLook>>, std::size_t> places;
        std::vector<PictureRow> rows;
        counts.clear();
        for (PictureRow& row : picture.rows) {
            const auto [place, is_new] = places.try_emplace({row.subtitle, row.cells}, rows.size());
            if (!is_new) {
                ++counts[place->second];
                continue;
            }
            rows.push_back(std::move(row));
            counts.push_back(1);
        }
        for (std::size_t at = 0; at < rows.size(); ++at) {
            if (counts[at] == 1) continue;
            rows[at].title = translated_count(counts[at], "{0} machine", "{0} machines");
        }
        picture.rows = std::move(rows);
    }
    if (picture.rows.size() <= rows_of_the_picture) return 0;
    picture.rows.resize(rows_of_the_picture);
    return std::accumulate(counts.begin() + rows_of_the_picture, counts.end(), std::size_t{0});
}

std::string more_machines(std::size_t machines) {
    if (machines == 0) return "";
    return translated_count(machines, "and {0} more machine", "and {0} more machines");
}

void use_labels(LayoutPicture& picture, const Labels& labels) {
    picture.columns = labels.services(std::move(picture.columns));
    for (PictureRow& row : picture.rows) row.subtitle = labels.hardware_type(row.subtitle);
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
        item["href"] = row.href;
        item["cells"] = std::move(cells);
        rows.push_back(std::move(item));
    }
    page["columns"] = std::move(columns);
    page["rows"] = std::move(rows);
    page["many"] = picture.columns.size() > columns_that_fit_lying;
}

Json legend_json(const LayoutPicture& picture) {
    std::set<CellLook> looks;
    for (const PictureRow& row : picture.rows) looks.insert(row.cells.begin(), row.cells.end());
    looks.erase(CellLook::none);
    Json legend = Json::array();
    for (const CellLook look : looks) legend.push_back(cell_json(look));
    return legend;
}

Json legend_of_changes_json() {
    return legend_of({CellLook::stays, CellLook::worked_on, CellLook::comes, CellLook::goes});
}

}  // namespace fcgi::pages
