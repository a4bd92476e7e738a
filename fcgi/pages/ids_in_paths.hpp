#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// The number at `placeholder` of the path; 0, which is nobody's number, when it is none.
template <class Id = provisioner::model::ClusterId>
Id id_in(const http::Request& request, const std::string& placeholder = "id") {
    return Id{provisioner::base::parse_number(request.path_value(placeholder)).value_or(0)};
}

}  // namespace fcgi::pages
