#pragma once

#include <cstddef>
#include <string>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/changes/change_page.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// Shrink in a cluster whose latest job failed on some machines: the way on without them. The form
// has them chosen at first. Sentences that other changes say, too.

/// The form before anybody has answered it: with the failed machines chosen, if the cluster can do
/// without all of them.
http::FormData first_choice(const ChangePage& page);

/// What the latest job has left and what becomes of it, with the ways to finish it: {"words",
/// "ways"}. Machines that are chosen are always explained. Null if nothing is to be said here.
provisioner::base::Json unfinished_json(const ChangePage& page);

/// Whether the form asks to keep machines that a job was removing.
bool asks_to_keep(const ChangePage& page);

/// Whether it asks for nothing else: no machine is chosen, and no number.
bool only_keeps(const ChangePage& page);

/// Whether the page is the way that keeps the machines that a job was removing.
bool is_way_to_keep(const ChangePage& page);

/// "sim-1002 and sim-1003": the machines that can be kept.
std::string names_of_keepable(const ChangePage& page);

/// Takes the machines that stay because the form asks so among those of the page, with the look of
/// machines that run. To be called once `asked` is set.
void let_keepable_stay(ChangePage& page);

/// That what the latest job has left is done on the machines that stay.
std::string words_on_remaining_tasks();

/// That so many machines, at least one, go in any case.
std::string words_on_leaving(std::size_t machines);

}  // namespace fcgi::pages
