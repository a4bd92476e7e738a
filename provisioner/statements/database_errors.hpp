#pragma once

namespace provisioner::statements {

/// What an error of the database means to whoever ran the statement.
enum class ErrorKind {
    /// The server gave the transaction up in favour of another one, or its statement. Roll back and
    /// run the whole transaction again.
    rolled_back,
    /// The server cannot do it now: it is away, full, read-only, overloaded, or somebody ended the
    /// statement. The statement itself is good; try later.
    unavailable,
    /// The server refuses these values: a constraint, a type, a size. Running it again with the
    /// same values fails again.
    refused_data,
    /// The statement, the schema or the settings are wrong: a bug, or a person must act.
    broken,
};

/// What an error number of MariaDB, MySQL or their client libraries means. 0 and numbers that are
/// not in the table are broken. Sources: the lists of error codes in the manuals of both servers.
constexpr ErrorKind kind_of(int code) {
    switch (code) {
        case 1020:  // record has changed since last read (MariaDB with innodb_snapshot_isolation)
        case 1180:  // error during COMMIT: what certification in Galera ends as, too
        case 1205:  // lock wait time-out; only the statement is rolled back
        case 1213:  // deadlock, and certification failure in Galera
        case 1412:  // table definition has changed, retry the transaction
        case 1613:  // XA: rolled back because it took too long
        case 1614:  // XA: rolled back because of a deadlock
        case 1615:  // prepared statement needs to be re-prepared
        case 1689:  // wait on a lock was aborted
        case 3101:  // group replication rolled the transaction back (MySQL)
        case 3572:  // a lock was not free and NOWAIT was asked for (MySQL)
            return ErrorKind::rolled_back;

        case 3:     // a file cannot be written; the disk may be full
        case 5:     // out of memory
        case 20:    // disk full
        case 23:    // out of file descriptors
        case 1016:  // a file cannot be opened; out of descriptors, for example
        case 1021:  // disk full
        case 1023:  // error when a file was closed
        case 1024:  // error when a file was read
        case 1026:  // error when a file was written
        case 1028:  // sort aborted, because it was killed or the temporary folder is full
        case 1030:  // error of the storage engine; 28, no space left, for example
        case 1037:  // out of memory
        case 1038:  // out of memory for sorting
        case 1040:  // too many connections
        case 1041:  // out of memory
        case 1042:  // the server cannot resolve the client's address
        case 1043:  // bad handshake: the server is starting or ending
        case 1047:  // the node of Galera is not part of a quorum
        case 1053:  // the server is shutting down
        case 1077:  // normal shutdown
        case 1078:  // the server got a signal
        case 1079:  // shutdown complete
        case 1114:  // the table is full: its disk, tablespace or limit; space may be made
        case 1129:  // this host is blocked because of connection errors
        case 1135:  // the server cannot create a thread
        case 1152:  // the connection was aborted
        case 1158:  // error when packets were read
        case 1159:  // time-out when packets were read
        case 1160:  // error when packets were written
        case 1161:  // time-out when packets were written
        case 1184:  // the connection was aborted
        case 1203:  // too many connections of this user
        case 1206:  // more locks than fit the buffer pool
        case 1223:  // a global read lock is held: a backup
        case 1226:  // the user's limit of statements or connections per hour is used up
        case 1290:  // the server runs with --read-only: a failover
        case 1317:  // the statement was killed
        case 1461:  // too many prepared statements
        case 1637:  // too many transactions at once
        case 1836:  // read-only mode
        case 1927:  // the connection was killed (MariaDB)
        case 1969:  // max_statement_time exceeded (MariaDB)
        case 3024:  // max_execution_time exceeded (MySQL)
        case 3032:  // the server is in offline mode (MySQL)
        case 3100:  // group replication cannot run the transaction's hook (MySQL)
        case 3169:  // the session was killed (MySQL)
        case 4031:  // the server closed a connection that was idle (MySQL)
            return ErrorKind::unavailable;

        case 1022:  // duplicate key
        case 1048:  // NULL in a column that takes none
        case 1062:  // duplicate key
        case 1118:  // the row is too large
        case 1153:  // larger than max_allowed_packet
        case 1197:  // larger than max_binlog_cache_size
        case 1216:  // foreign key: no such parent
        case 1217:  // foreign key: there are children
        case 1264:  // number out of the column's range
        case 1265:  // data truncated
        case 1292:  // wrong value for its type
        case 1300:  // no valid text in the character set
        case 1301:  // a function's result is larger than max_allowed_packet
        case 1364:  // no value for a column without a default
        case 1366:  // no valid text or number for the column
        case 1367:  // no valid number
        case 1406:  // text longer than the column
        case 1411:  // wrong value for a function
        case 1451:  // foreign key: there are children
        case 1452:  // foreign key: no such parent
        case 1586:  // duplicate key
        case 1690:  // a calculation's result is out of range
        case 2020:  // larger than the client library sends
        case 3140:  // no valid JSON (MySQL)
        case 3819:  // CHECK constraint (MySQL)
        case 3988:  // a character the other character set does not have (MySQL)
        case 4025:  // CHECK constraint (MariaDB)
        case 4038:  // no valid JSON (MariaDB)
            return ErrorKind::refused_data;

        default:
            break;
    }
    // The client libraries' own: no connection, or what came over it cannot be understood.
    constexpr int first_of_client = 2000;
    constexpr int last_of_client = 2999;
    const bool is_of_client = code >= first_of_client && code <= last_of_client;
    return is_of_client ? ErrorKind::unavailable : ErrorKind::broken;
}

}  // namespace provisioner::statements
