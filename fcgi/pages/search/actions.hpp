#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/search/search.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

/// The words of a text in small letters.
std::vector<std::string> search_words(const std::string& text);

/// Whether `word` begins one of the words of `text`; the word is in small letters.
bool begins_word_of(const std::string& text, const std::string& word);

/// Pages of the navigation and the header whose label contains `text`, as static/js/palette.js
/// finds them; of a view those inside of it. Pure.
SearchGroup found_pages(const Viewer& viewer, const std::string& text);

/// What the caller may do on this site and calls like `text`: each word of the text begins a word
/// of the action's name or of the other words that people use for it. Who views a tenant does not
/// find what concerns their own account. Pure.
SearchGroup found_actions(const provisioner::model::Caller& caller, const std::string& text,
                          std::size_t limit, bool is_viewing = false);

/// For a superadmin who views a tenant: what is found like that of their own account and of the
/// installation. These pages are outside of the view. Pure.
SearchGroup found_outside_of_view(const provisioner::model::Caller& superadmin,
                                  const std::string& text, std::size_t limit);

}  // namespace fcgi::pages
