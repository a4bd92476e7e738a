#include "provisioner/store/clusters/node_condition.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

bool looks_like_an_address(const std::string& text) {
    return text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos &&
           text.find_first_of(".:") != std::string::npos;
}

bool looks_like_a_uuid(const std::string& text) {
    return text.size() == 36 && text.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

}  // namespace

NodeCondition::NodeCondition(const std::string& text) {
    if (text.empty()) return;
    const std::string like = " COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'";
    pattern_ = containing(text);
    times_ = 1;
    if (looks_like_a_uuid(text)) {
        sql_ = " AND node.uuid = ?";
        pattern_ = text;
    } else if (looks_like_an_address(text)) {
        // Hosts may be named by numbers, so an address is looked for in both.
        sql_ = " AND (node.addresses" + like + " OR node.hostname" + like + ")";
        times_ = 2;
    } else {
        sql_ = " AND node.hostname" + like;
    }
}

NodeCondition NodeCondition::with_address(const std::string& address) {
    NodeCondition condition;
    condition.sql_ = " AND node.addresses COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'";
    // Addresses are texts of a JSON document.
    condition.pattern_ = containing('"' + address + '"');
    condition.times_ = 1;
    return condition;
}

void NodeCondition::bind(Statement& statement) const {
    for (int i = 0; i < times_; ++i) statement << pattern_;
}

}  // namespace provisioner::store
