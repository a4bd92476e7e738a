#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// How a cell of the layout picture looks: what one machine has of one service.
enum class CellLook {
    none,
    planned,
    waiting,
    running,
    done,
    failed,
    stopped,
    // Of a change that is not made yet.
    stays,
    worked_on,
    comes,
    goes
};

/// One machine of the picture; `cells` go with the picture's columns.
struct PictureRow {
    std::string title{};
    std::string subtitle{};
    std::vector<CellLook> cells{};
};

/// Machines by services, as views/partials/_layout_picture draws it.
struct LayoutPicture {
    std::vector<std::string> columns{};
    std::vector<PictureRow> rows{};
};

/// Above this many machines a picture or a list of them ends with more_machines().
inline constexpr std::size_t machines_in_the_picture = 40;

/// "and 3 machines more" where there are more than machines_in_the_picture; else empty.
std::string more_machines(std::size_t machines);

/// Adds the members columns, rows and many (many columns: narrow ones with upright headings) to
/// `page`.
void add_to(provisioner::base::Json& page, const LayoutPicture& picture);

/// What the looks of a running cluster mean, for the legend.
provisioner::base::Json legend_json();

/// What the looks of a change that is not made yet mean.
provisioner::base::Json legend_of_changes_json();

}  // namespace fcgi::pages
