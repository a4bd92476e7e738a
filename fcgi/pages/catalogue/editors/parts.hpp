#pragma once

#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/form_field.hpp"

namespace fcgi::pages {

// The parts of the editors, by kind. Each draws its part of the page from an entry in wire form and
// writes what was sent into one.

/// A text control for a member of an entry.
FormField entry_field(const std::string& name, const std::string& label, const std::string& value,
                      const std::string& hint);

/// A control for a field of a plugin type. `value` may be null (no value); a secret shows nothing
/// of it. Defaults are filled in when `is_new`.
FormField plugin_control(const provisioner::model::PluginField& field, const std::string& name,
                         const provisioner::base::Json* value, bool is_new);

/// "Fill in Machines, or File with the machines." Empty when nothing is required.
std::string required_words(const provisioner::model::PluginParameters& parameters);

/// required_words() if there is a choice; else empty: controls that are always required say so.
std::string alternatives_words(const provisioner::model::PluginParameters& parameters);

/// The first of the alternatives that required_words() names; empty if nothing is required.
std::vector<std::string> first_alternative(const provisioner::model::PluginParameters& parameters);

/// Whether every alternative of what is required has the field.
bool is_always_required(const provisioner::model::PluginParameters& parameters,
                        const std::string& field);

/// Whether any alternative of what is required has the field.
bool is_named_in_required(const provisioner::model::PluginParameters& parameters,
                          const std::string& field);

/// The field of that name; null if there is none.
const provisioner::model::PluginField* field_named(
    const provisioner::model::PluginParameters& parameters, const std::string& name);

/// A JSON value as a control shows it.
std::string text_of_value(const provisioner::base::Json& value);

/// Names of a text with commas, blanks or line ends between them.
std::vector<std::string> names_in_text(const std::string& text);

// The table of providers of a hardware or image type has a row for each provider with settings, and
// one for one more provider: a choice with the name `added_provider`, and controls named as those
// of the provider "*".

/// The name of that choice.
inline constexpr auto added_provider = "added_provider";
/// `controls` gets the table's controls, for the list of problems.
provisioner::base::Json mapped_part(const EditPage& page, std::vector<NamedControl>& controls);
/// Takes over which rows the form had, and what its row for one more provider says of none.
void read_rows(const http::FormData& sent, EditPage& page);
/// Lines of "Other settings" that are no name=value, and settings without a provider. The fields
/// are the names of the controls.
provisioner::base::Problems problems_in_lines(const http::FormData& sent);
/// Providers that the row for one more names, or for which something was typed, without what offers
/// the entry there: a flavor or an image. None for an emptied row, which removes the provider.
provisioner::base::Problems problems_in_rows(const http::FormData& sent,
                                             provisioner::model::CatalogueKind kind);
void read_mapped(const http::FormData& sent, provisioner::model::CatalogueKind kind,
                 provisioner::base::Json& entry);

/// Type and fields of a provider.
provisioner::base::Json provider_part(const EditPage& page, std::vector<NamedControl>& controls);
void read_provider(const http::FormData& sent, const EditContext& context,
                   const provisioner::base::Json& stored, provisioner::base::Json& entry);

/// Dependencies and actions of a service.
provisioner::base::Json service_part(const EditPage& page, std::vector<NamedControl>& controls);
void read_service(const http::FormData& sent, const EditContext& context,
                  const provisioner::base::Json& stored, provisioner::base::Json& entry);
/// The links of a service as lines "label | address", and back. A line without a bar is a label.
std::string link_lines(const provisioner::base::Json& entry);
provisioner::base::Json links_in_text(const std::string& text);
/// Lines of a service's links without a label or without an address.
provisioner::base::Problems problems_with_links(const http::FormData& sent);
/// Gives an action whose automator was chosen just now, so that the form had none of its fields
/// yet, the required fields of another action with that automator: most services have one script.
void fill_new_actions(const http::FormData& sent, const EditContext& context,
                      provisioner::base::Json& entry);

}  // namespace fcgi::pages
