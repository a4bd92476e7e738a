#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

/// One labelled control of a form, as views/partials/_field draws it.
struct FormField {
    enum class Control { input, select, textarea };

    std::string id{};
    std::string name{};
    std::string label{};
    std::string value{};
    std::string hint{};
    Control control = Control::input;
    /// An input's type.
    std::string type = "text";
    std::string autocomplete{};
    bool required = false;
    /// An input of type number.
    std::optional<int> min{};
    std::optional<int> max{};
    /// A select's (value, label) pairs.
    std::vector<std::pair<std::string, std::string>> options{};
    /// A textarea's height.
    int rows = 3;
    /// A textarea that holds code.
    bool code = false;
};

/// The field with the messages of the problems that concern it: those whose field is the control's
/// name, or begins with it and a dot.
provisioner::base::Json to_json(const FormField& field,
                                const provisioner::base::Problems& problems);

/// The messages for `name`, joined by a blank; empty when there is none.
std::string messages_for(const std::string& name, const provisioner::base::Problems& problems);

/// What views/partials/_problems draws: every problem with a link to the control it concerns.
/// `controls` maps control names to (id, label); problems of other fields are shown without a link.
struct NamedControl {
    std::string name{};
    std::string id{};
    std::string label{};
};
provisioner::base::Json problems_json(const std::string& title,
                                      const provisioner::base::Problems& problems,
                                      const std::vector<NamedControl>& controls);

}  // namespace fcgi::pages
