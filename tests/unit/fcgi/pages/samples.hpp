#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"

namespace samples {

/// One state of a page: which view, and everything it is drawn from, the frame included.
struct Sample {
    /// Names the state: "cluster being created".
    std::string name;
    std::string view;
    provisioner::base::Json data;
};

/// Samples of home, search, tenants, provisioners and queues; part of all(), as those below.
std::vector<Sample> of_overview();
/// Of machines of clusters that wait to be deleted.
std::vector<Sample> of_leaving_machines();
/// Of the login and identity providers.
std::vector<Sample> of_sign_in();
/// Of users and their own pages.
std::vector<Sample> of_people();
/// Of groups and permissions.
std::vector<Sample> of_access();
/// Of unknown machines, login keys, prices and provisioners.
std::vector<Sample> of_machines();
/// Of the audit log.
std::vector<Sample> of_audit();

/// At least one sample of every page, made by the page's own to_json; together they have every
/// member of it filled.
std::vector<Sample> all();

}  // namespace samples
