#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

/// One labelled control of a form, as views/partials/_field draws it.
///
/// Controls have the names of the API's members. A Problem of an operation therefore finds its
/// control by its field. The message appears beside the control and in the list at the top of the
/// page.
struct FormField {
    /// The HTML element. What is fixed is shown and sent, and nobody can change it.
    enum class Control { input, select, textarea, checks, fixed };

    /// The element's id, unique on the page. Links in the list of problems lead to it.
    std::string id{};
    /// The name it is sent under. Problems whose field is this name belong to the control.
    std::string name{};
    /// The visible label.
    std::string label{};
    /// The present value; for a select, the value of the chosen option.
    std::string value{};
    /// A sentence below the label; empty for none.
    std::string hint{};
    /// What is worth knowing of the value although it is valid; empty for nothing.
    std::string caution{};
    Control control = Control::input;
    /// An input's type attribute.
    std::string type = "text";
    /// An input's inputmode attribute, for the keyboards of phones; empty for none.
    std::string inputmode{};
    /// An input's autocomplete attribute; empty for none.
    std::string autocomplete{};
    /// Whether the browser refuses to send the form without it. Other inputs and textareas are
    /// marked as optional.
    bool required = false;
    /// Whether an input has the cursor when the page is loaded, unless there are problems: for
    /// pages that are about this one control.
    bool takes_focus = false;
    /// Limits of an input of type number; nothing means no limit.
    std::optional<int> min{};
    std::optional<int> max{};
    /// The most characters of an input; nothing means no limit.
    std::optional<int> longest{};
    /// The options of a select, or of a group of check boxes, as (value, label) in the order shown.
    std::vector<std::pair<std::string, std::string>> options{};
    /// The values of the check boxes that are ticked.
    std::vector<std::string> ticked{};
    /// A textarea's height in lines.
    int rows = 3;
    /// Whether a textarea holds code: fixed-width font, no spell check.
    bool code = false;
    /// What an input offers while one types; other values are fine. Empty for none.
    std::vector<std::string> suggestions{};
    /// For a secret that is stored: the name of a check box that removes it. Empty for no such box.
    std::string clear_name{};
    /// Whether that box is ticked.
    bool is_cleared = false;
    /// For a select on which other controls depend: where its button sends the form to be drawn
    /// anew. Empty for no such button.
    std::string redraw{};
    /// What that button says.
    std::string redraw_label{};
};

/// The data of the partial, with the messages of the problems that concern the field. A problem
/// concerns it if its field is the control's name, or begins with the name and a dot.
provisioner::base::Json to_json(const FormField& field,
                                const provisioner::base::Problems& problems);

/// The messages of the problems that concern `name`, joined by a blank; empty if there are none.
std::string messages_for(const std::string& name, const provisioner::base::Problems& problems);

/// A control that the list of problems can link to.
struct NamedControl {
    /// As FormField::name: the field of the problems that belong to it.
    std::string name{};
    /// The id of the element that the link leads to; for a group of check boxes, the group's.
    std::string id{};
    /// The text of the link.
    std::string label{};
};
/// The data of views/partials/_problems: every problem, with a link to its control if `controls`
/// has it. Problems without such a control are shown as plain text. `title` is the heading of the
/// list.
provisioner::base::Json problems_json(const std::string& title,
                                      const provisioner::base::Problems& problems,
                                      const std::vector<NamedControl>& controls);

/// A form: problems_json() with a link to each field, and the member `fields`. `others` are
/// controls of the form that are no fields.
provisioner::base::Json form_json(const std::string& title, const std::vector<FormField>& fields,
                                  const provisioner::base::Problems& problems,
                                  const std::vector<NamedControl>& others = {});

/// The data of views/partials/_filter: what narrows a long list while one types, where scripts run.
/// `list` is the id of the element whose members with `data-item` are narrowed; `label` says what
/// they are: "Filter services". Null for a list of fewer than 15.
provisioner::base::Json filter_json(const std::string& list, const std::string& label,
                                    std::size_t items);

/// Names as typed: one per line, or with commas between them; none is empty.
std::vector<std::string> names_in(const std::string& text);

}  // namespace fcgi::pages
