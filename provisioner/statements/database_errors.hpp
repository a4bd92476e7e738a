#pragma once

#include <algorithm>
#include <array>

namespace provisioner::statements {

/// What a caller can do about an error of the database. The tables below classify by error number
/// alone, so both client libraries share them. Each side makes its own exception of it:
///
///     kind          store (CppDB)                         queue (Connector/C++)
///     rolled_back   DatabaseUnavailable, repeatable       tried again inside, then QueueError
///     unavailable   DatabaseUnavailable                   QueueError, transient
///     refused_data  DatabaseError                         QueueError
///     broken        DatabaseError, without a number       QueueError
///                   DatabaseUnavailable
///
/// 1153 (a value too large) becomes TooLargeForDatabase in the store. An unlisted number is broken,
/// so a new one is seen instead of being retried for ever. Tests:
/// tests/unit/provisioner/store/database/database_errors_test.cpp.
enum class ErrorKind {
    /// The server ended the transaction, or its statement, in favour of another one. Roll back and
    /// run the whole transaction again, at once.
    rolled_back,
    /// The server cannot do it at present: it is away, full, read-only or overloaded, or somebody
    /// killed the statement. The statement is correct; try again later.
    unavailable,
    /// The server refuses these values: constraint, type or size. The same values will fail again;
    /// other rows of a batch may succeed alone.
    refused_data,
    /// Statement, schema or settings are wrong: a bug, or a person must act. Trying again is
    /// useless.
    broken,
};

/// The server knows the account but refuses its password.
constexpr int access_denied = 1045;

/// Another transaction holds a lock; the server is well.
constexpr int lock_timeout = 1205;
constexpr int deadlock = 1213;

/// Error numbers after which the transaction can be run again at once. Of both servers unless one
/// is named; ascending. After some of them (1205) the server has undone only the statement: the
/// caller must roll back before it begins again. On a Galera cluster a conflict with another node
/// appears as 1213 or, during COMMIT, as 1180.
constexpr std::array rolled_back_codes{
    1020,          // record has changed since last read (MariaDB with innodb_snapshot_isolation)
    1180,          // error during COMMIT: what certification in Galera ends as, too
    lock_timeout,  // lock wait time-out; only the statement is rolled back
    deadlock,      // deadlock, and certification failure in Galera
    1412,          // table definition has changed, retry the transaction
    1467,          // no auto-increment value: its lock was waited for when the statement was ended
    1613,          // XA: rolled back because it took too long
    1614,          // XA: rolled back because of a deadlock
    1615,          // prepared statement needs to be re-prepared
    1689,          // wait on a lock was aborted
    3101,          // group replication rolled the transaction back (MySQL)
    3572,          // a lock was not free and NOWAIT was asked for (MySQL)
};

/// Error numbers that come from the server's state, ascending. They pass without a change of the
/// program: the server restarts, a failover ends, an operator frees space. Errors of the client
/// library (2000 to 2999) are not listed: kind_of() treats them as a range.
constexpr std::array unavailable_codes{
    3,     // a file cannot be written; the disk may be full
    5,     // out of memory
    20,    // disk full
    23,    // out of file descriptors
    1016,  // a file cannot be opened; out of descriptors, for example
    1021,  // disk full
    1023,  // error when a file was closed
    1024,  // error when a file was read
    1026,  // error when a file was written
    1028,  // sort aborted, because it was killed or the temporary folder is full
    1030,  // error of the storage engine; 28, no space left, for example
    1037,  // out of memory
    1038,  // out of memory for sorting
    1040,  // too many connections
    1041,  // out of memory
    1042,  // the server cannot resolve the client's address
    1043,  // bad handshake: the server is starting or ending
    1047,  // the node of Galera is not part of a quorum
    1053,  // the server is shutting down
    1077,  // normal shutdown
    1078,  // the server got a signal
    1079,  // shutdown complete
    1105,  // an error the server does not know itself
    1114,  // the table is full: its disk, tablespace or limit; space may be made
    1129,  // this host is blocked because of connection errors
    1135,  // the server cannot create a thread
    1152,  // the connection was aborted
    1158,  // error when packets were read
    1159,  // time-out when packets were read
    1160,  // error when packets were written
    1161,  // time-out when packets were written
    1184,  // the connection was aborted
    1203,  // too many connections of this user
    1206,  // more locks than fit the buffer pool
    1223,  // a global read lock is held: a backup
    1226,  // the user's limit of statements or connections per hour is used up
    1290,  // the server runs with --read-only: a failover
    1317,  // the statement was killed
    1461,  // too many prepared statements
    1637,  // too many transactions at once
    1836,  // read-only mode
    1927,  // the connection was killed (MariaDB)
    1969,  // max_statement_time exceeded (MariaDB)
    3024,  // max_execution_time exceeded (MySQL)
    3032,  // the server is in offline mode (MySQL)
    3100,  // group replication cannot run the transaction's hook (MySQL)
    3169,  // the session was killed (MySQL)
    4031,  // the server closed a connection that was idle (MySQL)
};

/// Error numbers for values that the server refuses, ascending. A batch that meets one is sent
/// again row by row (daemon/claims/reporter.cpp), so that only the refused item suffers. 2020 is
/// the client library's: it is an exception to the range in kind_of(), which therefore looks here
/// first.
constexpr std::array refused_data_codes{
    1022,  // duplicate key
    1048,  // NULL in a column that takes none
    1062,  // duplicate key
    1118,  // the row is too large
    1153,  // larger than max_allowed_packet
    1197,  // larger than max_binlog_cache_size
    1216,  // foreign key: no such parent
    1217,  // foreign key: there are children
    1264,  // number out of the column's range
    1265,  // data truncated
    1292,  // wrong value for its type
    1300,  // no valid text in the character set
    1301,  // a function's result is larger than max_allowed_packet
    1364,  // no value for a column without a default
    1366,  // no valid text or number for the column
    1367,  // no valid number
    1406,  // text longer than the column
    1411,  // wrong value for a function
    1451,  // foreign key: there are children
    1452,  // foreign key: no such parent
    1586,  // duplicate key
    1690,  // a calculation's result is out of range
    2020,  // larger than the client library sends
    3140,  // no valid JSON (MySQL)
    3819,  // CHECK constraint (MySQL)
    3988,  // a character the other character set does not have (MySQL)
    4025,  // CHECK constraint (MariaDB)
    4038,  // no valid JSON (MariaDB)
};

/// Kind of an error number of MariaDB, MySQL or their client libraries. 0 (no number known) and
/// unlisted numbers are broken. So are missing rights, tables and columns (1044, 1045, 1049, 1054,
/// 1146), on purpose: they do not pass by waiting. Sources: the error references of both servers'
/// manuals (mariadb.com/kb, "MariaDB Error Codes"; dev.mysql.com, "MySQL Error Message Reference").
constexpr ErrorKind kind_of(int code) {
    const auto is_in = [code](const auto& codes) {
        return std::find(codes.begin(), codes.end(), code) != codes.end();
    };
    if (is_in(rolled_back_codes)) return ErrorKind::rolled_back;
    if (is_in(unavailable_codes)) return ErrorKind::unavailable;
    if (is_in(refused_data_codes)) return ErrorKind::refused_data;
    // The client libraries' own errors: no connection, or an answer that cannot be understood.
    constexpr int first_of_client = 2000;
    constexpr int last_of_client = 2999;
    const bool is_of_client = code >= first_of_client && code <= last_of_client;
    return is_of_client ? ErrorKind::unavailable : ErrorKind::broken;
}

}  // namespace provisioner::statements
