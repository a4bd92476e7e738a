#pragma once

#include <map>
#include <string>

#include "provisioner/model/audit/event.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// Where the user and the object of an event are shown; empty where they are gone, or where the
/// reader may not see them.
struct EventLinks {
    std::string user{};
    std::string object{};
};

/// Finds them. Whoever and whatever several events name is looked up once. A later user or group of
/// the same name is another one and is not linked.
class EventLinkFinder {
 public:
    /// Both are used as long as the object lives.
    EventLinkFinder(provisioner::store::Connection& connection,
                    const provisioner::model::Caller& reader)
        : connection_(connection), reader_(reader) {}

    EventLinks links_of(const provisioner::model::audit::Event& event);

 private:
    std::string user_href(const std::string& tenant, const std::string& name, std::int64_t id);
    std::string object_href(const provisioner::model::audit::Event& event);

    provisioner::store::Connection& connection_;
    const provisioner::model::Caller& reader_;
    std::map<std::string, std::string> known_{};
};

}  // namespace fcgi::pages
