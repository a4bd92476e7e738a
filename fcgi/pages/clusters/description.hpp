#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// The most characters that forms take for it: as many as can be read. The API takes more.
inline constexpr int longest_typed_description = 1000;

/// The form for the description of a cluster: views/clusters/description.
struct DescriptionPage {
    provisioner::model::Cluster cluster{};
    /// The text in the form.
    std::string description{};
    /// Why it was refused; those of field "description" are shown beside the control.
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const DescriptionPage& page);

/// GET /clusters/{id}/description: the form with the present description.
http::Response show_description(const http::Request& request, const auth::Visitor& visitor,
                                App& app);
/// POST /clusters/{id}/description: replaces it, 303 to the cluster's settings; the form if it is
/// refused, with the status of with_status_of().
http::Response change_description(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

}  // namespace fcgi::pages
