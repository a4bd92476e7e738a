#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

// What somebody has to read before a form is carried out, and the tick that says so: `checked`.
// Pages show both at their top, in a box with the button that carries the form out.

/// What a form sends along as `checked` once somebody has read these: others are asked about anew.
std::string word_of_checked(const std::vector<std::string>& to_check);

/// Whether the form says that these were read; true if there are none.
bool are_checked(const http::FormData& sent, const std::vector<std::string>& to_check);

/// Of a form that does not, and the tick that it leads to.
provisioner::base::Problem problem_of_unchecked();
NamedControl control_of_checked();

/// Whether the tick is all that is missing: then the box says so, and nothing else does.
bool is_question(const provisioner::base::Problems& problems);

/// The problems that a page shows beside the box: none if is_question().
provisioner::base::Problems beside_question(provisioner::base::Problems problems);

/// The box: views/partials/_to_check. Without anything to check it is not shown.
struct CheckBox {
    /// Its heading: "Not saved yet: please check".
    std::string title{};
    std::vector<std::string> to_check{};
    /// Where the page shows what a sentence is about, for some of them.
    std::map<std::string, std::string> links{};
    /// Shown below without a need to confirm them.
    std::vector<std::string> notes{};
    /// The button: its words and what it sends, as the form's own button does.
    std::string act{};
    std::string name{};
    std::string value{};
    /// Where the button sends the form; empty: where the form says.
    std::string target{};
    /// The id of the form if the box stands outside of it.
    std::string form{};
    /// Whether it has the focus (is_question).
    bool is_asked = false;
};
provisioner::base::Json to_json(const CheckBox& box);

}  // namespace fcgi::pages
