#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// The number in the placeholder of a path, with or without leading zeros. 0, which no row has, if
/// it is not a number; the lookup then finds nothing and the page answers 404. Throws
/// std::logic_error if the route has no such placeholder.
///
/// The API answers 400 to such a path instead (cluster_id_in), because the wire contract says so.
template <class Id = provisioner::model::ClusterId>
Id id_in(const http::Request& request, const std::string& placeholder = "id") {
    return Id{provisioner::base::parse_number(request.path_value(placeholder)).value_or(0)};
}

}  // namespace fcgi::pages
