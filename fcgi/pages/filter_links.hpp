#pragma once

#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// What chooses the entries that a list shows. Pure.

/// Whether `text` has `searched` in it; capital and small letters are the same.
bool has_text(const std::string& text, const std::string& searched);

/// The path with the parameters that have a value: "/clusters?tenants=all&q=a%20b". Values are
/// encoded here.
std::string address_with(const std::string& path,
                         const std::vector<std::pair<std::string, std::string>>& parameters);

/// {label, href, current}; `current`: the list shows this now.
provisioner::base::Json filter_link(const std::string& label, const std::string& href,
                                    bool current);

/// What a page says of a value in its address that it does not know: `Unknown status “bogus”;
/// showing all.` `what` names the parameter, `instead` what is done without it. Goes into
/// Frame::notes.
std::string unknown_value(const std::string& what, const std::string& value,
                          const std::string& instead);

/// Empties the value of a filter that the page does not know, and names it in `notes`. An empty one
/// is nothing unknown.
void forget_unknown(std::string& value, const std::string& what, std::vector<std::string>& notes);

/// The links between what is of the viewer's tenant and what is of all tenants.
provisioner::base::Json scope_links(const std::string& tenant, const std::string& of_tenant,
                                    const std::string& of_all, bool is_of_all);

}  // namespace fcgi::pages
