#pragma once

namespace provisioner::statements {

/// A part of SET for each connection, empty for MySQL. MariaDB (10.11) crashes when a query with a
/// grouped subselect in FROM is killed while it is optimized: a null pointer in
/// st_join_table::choose_best_splitting, reached only with this optimization.
constexpr auto without_crashes = " /*M!100300 , optimizer_switch = 'split_materialized=off' */";

}  // namespace provisioner::statements
