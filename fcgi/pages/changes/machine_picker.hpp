#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/changes/change_page.hpp"
#include "provisioner/solver/changes/resize.hpp"

namespace fcgi::pages {

// The machines of a cluster that shrinks, to choose from: filtered, in pages, those in trouble
// first. What is chosen and out of sight travels in hidden fields, so it works without scripts.
// Fields of the form: `nodes` (the chosen), `chosenBefore` (how many were chosen when the form was
// drawn, which is what its number said then), `q` and `state` (the filter), `filtered` (the filter
// that the list was drawn with), `look` (a button: filter, all, none or the number of a page).

/// Fewer machines stand in one list without a filter.
constexpr std::size_t most_open_choices = 20;
/// Machines on one page of the list.
constexpr std::size_t choices_on_a_page = 50;

/// The form as it is meant, without `chosenBefore`. A number that was typed over a choice clears
/// the choice, unless that was changed, too; the number of a choice that was cleared counts no
/// more.
http::FormData settled_number(http::FormData sent);

/// Whether the form only asks for another look at the machines: a button of the list was pressed,
/// or the filter was changed and the list not drawn with it yet.
bool is_look(const http::FormData& sent);

/// Whether a draft is what after_look() has made.
bool was_look(const http::FormData& draft);

/// The form after that: with the machines that "all" or "none" chooses, and the page to draw.
http::FormData after_look(const ChangePage& page);

/// The machines that match the filter: those in trouble first, then by number.
std::vector<const provisioner::model::Node*> machines_to_choose(const ChangePage& page);

/// The machines as the solver knows them.
std::vector<provisioner::solver::PresentNode> present_nodes(const ChangePage& page);

/// Numbers and reasons of machines that are needed, by what stands in the field `nodes`.
using NeededMachines = std::map<std::string, provisioner::solver::StayingReason>;

/// Asks the solver, so it is worked out once for a page.
NeededMachines needed_machines(const ChangePage& page);

/// Adds to the JSON of the choices the check boxes of a page, and the member "picker": null where
/// all machines stand in one list, else the filter, the pages and what is chosen.
void add_machines(provisioner::base::Json& choices, const ChangePage& page,
                  const NeededMachines& needed);

/// Whether no choice of machines can remove this one.
bool is_never_removed(const NeededMachines& needed, const provisioner::model::Node& node);

/// The most machines that one change may remove: of all, or of a group by its services_word(). More
/// rules may still leave fewer.
std::size_t most_removable(const ChangePage& page, const NeededMachines& needed,
                           const std::optional<std::string>& group = std::nullopt);

/// The same of the group that the form asks for, at least 1.
int largest_shrink(const ChangePage& page, const NeededMachines& needed);

/// The machines that run the same services and can be removed, as the field `group` names them: ""
/// for any. Empty if there is nothing to choose.
NamedTexts machine_groups(const ChangePage& page, const NeededMachines& needed);

/// The services that the field names; nothing for any.
std::optional<std::vector<std::string>> services_of_group(const std::string& group);

}  // namespace fcgi::pages
