#pragma once

#include <cstddef>
#include <string>

#include "fcgi/http/json_body.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// JSON that a person typed, or what is wrong with it and where: "Line 3, column 7: ...". Limits
/// are those of bodies of the API (http::read_json): depth and number of values.
provisioner::base::expected<provisioner::base::Json, std::string> read_typed_json(
    const std::string& text, std::size_t most_values = http::json_value_limit);

/// The line, from 1, of the member at a path such as "links.0.url" in a text that is JSON; the
/// first of several, and 1 without such a member.
int line_of_member(const std::string& text, const std::string& path);

/// A problem of `field` for each member of a typed entry that nothing knows, with its line in
/// `text`; of more than 20 the last says how many there are. Of an entry that cannot be read those
/// beside what is wrong.
provisioner::base::Problems unknown_in_text(provisioner::model::CatalogueKind kind,
                                            const provisioner::base::Json& entry,
                                            const std::string& text, const std::string& field);

/// Problems of members as those of `field`, which shows them as a text: each begins with the path
/// of its member. Those without a path, of a version, a note or a confirmation stay as they are.
provisioner::base::Problems problems_in_text(provisioner::base::Problems problems,
                                             const std::string& field);

/// JSON for people to read and change: indented by two.
std::string typed_json(const provisioner::base::Json& json);

}  // namespace fcgi::pages
