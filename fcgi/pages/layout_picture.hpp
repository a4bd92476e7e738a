#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The look of one cell of the layout picture: the state of one service on one machine, or of the
/// machine itself. Each look has a CSS class and a word for screen readers. Three kinds of pages
/// use it, each with its own looks.
enum class CellLook {
    /// The machine does not have the service.
    none,
    /// Preview of a new cluster: the machine will have it.
    planned,
    /// Existing cluster, by the tasks of its latest job: tasks remain, none of them runs.
    waiting,
    /// The same of a change of what was there before.
    change_waits,
    /// The same when the job has ended: some of them are done.
    unfinished,
    /// None of them is.
    untouched,
    /// The same of a change of what was there before.
    change_left,
    /// A job takes the machine away and has not done so yet.
    leaves,
    /// A start or stop of the service was cut short.
    unknown,
    /// A task runs.
    running,
    /// All tasks are done, or there are none.
    done,
    /// A task has failed.
    failed,
    /// The machine is not there any more.
    lost,
    /// A service that is there and never runs.
    installed,
    /// A service that runs.
    runs,
    /// A service that was stopped.
    stopped,
    /// Deleted with its machine.
    gone,
    /// Preview of a change: not affected.
    stays,
    /// It stays, and tasks run on it.
    worked_on,
    /// It will be added.
    comes,
    /// It will be removed.
    goes
};

/// One machine of the picture.
struct PictureRow {
    /// The short host name, or "Machine 3" in a preview.
    std::string title{};
    /// The hardware type: its name until use_labels().
    std::string subtitle{};
    /// The page of the machine; empty in a preview.
    std::string href{};
    /// One for each column of the picture, in the same order.
    std::vector<CellLook> cells{};
};

/// Machines by services, as views/partials/_layout_picture draws it. tabs/picture.cpp builds it for
/// existing clusters, the preview pages for planned ones.
struct LayoutPicture {
    /// Services: names until use_labels(). The picture of an existing cluster has the column
    /// "machine" first.
    std::vector<std::string> columns{};
    /// Each row has as many cells as there are columns.
    std::vector<PictureRow> rows{};
};

/// Up to this many machines the picture of a preview has a row for each.
inline constexpr std::size_t most_single_machines = 12;
/// More rows are left out; more_machines() names the rest.
inline constexpr std::size_t rows_of_the_picture = 40;

/// Fits the picture of a preview, whatever the number of its machines: above
/// `most_single_machines` equal machines share a row ("57 machines"), where the first of them was,
/// and at most `rows_of_the_picture` stay. The number of machines that are in no row.
std::size_t fit_for_preview(LayoutPicture& picture);

/// "and 3 more machines" for 3; empty for 0.
std::string more_machines(std::size_t machines);

/// Puts what people read in place of the names of services and hardware types.
void use_labels(LayoutPicture& picture, const Labels& labels);

/// Adds the members `columns`, `rows` and `many` to `page`. `many` asks for narrow columns with
/// upright headings; it is true for more than seven columns.
void add_to(provisioner::base::Json& page, const LayoutPicture& picture);

/// The legend of an existing cluster's picture: [{look, words}], what the picture has.
provisioner::base::Json legend_json(const LayoutPicture& picture);

/// The legend of the picture of a previewed change, in the same form.
provisioner::base::Json legend_of_changes_json();

}  // namespace fcgi::pages
