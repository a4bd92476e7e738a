#pragma once

#include <string>

#include "fcgi/pages/changes/change_page.hpp"

namespace fcgi::pages {

// What a change, its page and its buttons are called.

/// Whether machines or services go.
bool takes_away(Change change);

/// Whether its preview has to warn: machines or services go, and a shrink does not only keep some.
bool is_dangerous(const ChangePage& page);

/// Whether the change does what a failed job has left, too.
bool goes_on(const ChangePage& page);

/// "Grow shop"
std::string name_of_change(const ChangePage& page);

/// How many machines go with the previewed change besides those that it is called after.
std::size_t others_going(const ChangePage& page);

/// The name of the way out that the page is, if the change goes on after a failed job: "Go on
/// without Cache and remove 2 machines"; else empty. The preview's button has the same.
std::string way_here(const ChangePage& page);

/// What is said below the heading.
std::string lede_of(const ChangePage& page);

/// The last part of its address: "services/add".
const char* path_of(Change change);

/// "Couldn't add machines"
std::string words_of_refusal(Change change);

/// The buttons of the preview: the one that makes the change, with the machines that go, too, and
/// the one that does not.
std::string button_of(const ChangePage& page);
std::string keep_of(const ChangePage& page);

}  // namespace fcgi::pages
