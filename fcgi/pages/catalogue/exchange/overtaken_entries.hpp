#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

namespace fcgi::pages {

/// The versions that the form of an import has shown, by choice_value(); 0: there was none.
using SeenVersions = std::map<std::string, provisioner::model::SeenVersion>;
SeenVersions seen_versions(const http::FormData& sent);

/// The ticked entries that are not as the form has shown them. Pure.
std::map<provisioner::model::EntryName, OvertakenEntry::How> overtaken_entries(
    const DraftPage& page, const SeenVersions& seen);

/// Notes them with who did that, and takes their ticks away: they are looked at again.
void note_overtaken(App& app, const auth::Visitor& visitor, const SeenVersions& seen,
                    DraftPage& page);

/// Whether all that was ticked is as in the import already: it was sent twice. Pure.
bool is_done_already(const DraftPage& page);

/// What the page of an import says that was not done because of them. Pure.
provisioner::base::Problems problems_of_overtaken(const DraftPage& page);

}  // namespace fcgi::pages
