#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/form_field.hpp"

/// The builder's controls and the rows of its form, for template_page.cpp.
namespace fcgi::pages::builder {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name);

/// The names, and after them those that are chosen without being there.
Names with_chosen(Names names, const Names& chosen);

/// All that is offered if none is compatible by name, else those, in the order of the offer: so
/// they stand in one order before and after the form was sent.
Names fitting(const Names& compatible, const Names& offered);

/// The services that clusters of the template can have.
Names usable_services(const TemplatePage& page);

/// Boxes with the members value, text, beside (the name where the text lacks it) and checked;
/// chosen names that are not offered come last.
provisioner::base::Json choices_json(const Labels& labels, provisioner::model::CatalogueKind kind,
                                     const Names& offered, const Names& chosen);

/// Names as options of a select, each with its label.

NamedTexts select_options(const Labels& labels, provisioner::model::CatalogueKind kind,
                          const Names& names);
/// Without labels.
NamedTexts select_options(const Names& names);

/// Controls with the id "t-<name>".
FormField text_control(const std::string& name, const std::string& label, const std::string& value,
                       const std::string& hint = "");
FormField number_control(const std::string& name, const std::string& label,
                         const std::string& value, const std::string& hint = "");
/// `none` is the text of the choice of nothing.
FormField select_control(const std::string& name, const std::string& label,
                         const std::string& value, NamedTexts options, const std::string& none,
                         const std::string& hint = "");

/// A row for each item; that of a rule has a box for each service.
provisioner::base::Json groups_rows_json(const TemplatePage& page);
provisioner::base::Json limit_rows_json(const TemplatePage& page);
provisioner::base::Json include_rows_json(const TemplatePage& page);
provisioner::base::Json link_rows_json(const TemplatePage& page);

}  // namespace fcgi::pages::builder
