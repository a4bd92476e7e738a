#pragma once

#include <string_view>

namespace provisioner::statements {

/// Whether a change is a DELETE of one table. One that counts no rows has to be sent again: the
/// server may not have looked. MariaDB (10.11) answers such a DELETE, when it is killed (KILL
/// QUERY) before its first row, at times as if there were no such rows, and not with error 1317;
/// nothing else tells the two apart. To send it again is harmless, for the first one has changed
/// nothing. No other kind of change does this, nor a DELETE of several tables. Test:
/// tests/integration/provisioner/store/database/failures_test.cpp.
constexpr bool is_deletion(std::string_view change) {
    const std::size_t begin = change.find_first_not_of(" \n");
    return begin != std::string_view::npos && change.substr(begin).starts_with("DELETE FROM");
}

}  // namespace provisioner::statements
