#pragma once

#include <string>

#include "provisioner/store/database/statement.hpp"

namespace provisioner::store {

/// Which machines people mean by a text: those whose host name contains it, whatever the case. A
/// text that looks like an address is also looked for in the addresses. The id that the API shows
/// is compared as a whole.
class NodeCondition {
 public:
    explicit NodeCondition(const std::string& text);
    /// The machines that have the whole text as an address.
    static NodeCondition with_address(const std::string& address);

    /// " AND ..." about the table node, to be appended to a condition; empty for an empty text.
    const std::string& sql() const { return sql_; }
    /// Whether addresses are read, which no index has.
    bool reads_addresses() const { return times_ == 2; }
    /// Binds the `?` of sql().
    void bind(Statement& statement) const;

 private:
    NodeCondition() = default;

    std::string sql_;
    /// The value of each `?`.
    std::string pattern_;
    int times_ = 0;
};

}  // namespace provisioner::store
