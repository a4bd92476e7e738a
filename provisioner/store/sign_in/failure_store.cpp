#include "provisioner/store/sign_in/failure_store.hpp"

#include <algorithm>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto add_row = R"sql(
    INSERT INTO sign_in_failure (subject, failures, last_at)
    VALUES (?, 1, ?)
    ON DUPLICATE KEY UPDATE failures = IF(last_at < ?, 1, failures + 1), last_at = ?
)sql";

std::string select_failures(std::size_t subjects) {
    return "SELECT subject, failures, last_at FROM sign_in_failure WHERE subject IN (" +
           repeated("?", subjects) + ") ORDER BY subject LIMIT 100";
}

FailureCounts read_failures(Connection& connection, const std::string& text,
                            const std::vector<std::string>& subjects) {
    Statement statement = connection.sql(text);
    for (const std::string& subject : subjects) statement << subject;
    Rows row = statement.query();
    FailureCounts found;
    while (row.next()) {
        found[row.get<std::string>("subject")] = {.count = row.get<int>("failures"),
                                                  .last_at = time_column(row, "last_at")};
    }
    return found;
}

int delete_older(Connection& connection, const std::string& which, base::Timestamp moment,
                 int limit) {
    Statement statement = connection.sql("DELETE FROM sign_in_failure WHERE " + which +
                                         " AND last_at < ? ORDER BY last_at LIMIT ?")
                          << base::to_sql(moment) << limit;
    statement.exec();
    return static_cast<int>(statement.affected());
}

int delete_beyond(Connection& connection, const std::string& which, int most, int limit) {
    int rows = 0;
    {
        Rows count =
            connection.sql("SELECT COUNT(*) AS rows_there FROM sign_in_failure WHERE " + which)
            << one_row;
        rows = count.get<int>("rows_there");
    }
    if (rows <= most) return 0;
    Statement statement =
        connection.sql("DELETE FROM sign_in_failure WHERE " + which + " ORDER BY last_at LIMIT ?")
        << std::min(limit, rows - most);
    statement.exec();
    return static_cast<int>(statement.affected());
}

}  // namespace

FailureCounts failures_of(Connection& connection, const std::vector<std::string>& subjects) {
    return read_failures(connection, select_failures(subjects.size()), subjects);
}

FailureCounts lock_failures(Connection& connection, const std::vector<std::string>& subjects,
                            base::Timestamp now) {
    std::vector<std::string> sorted = subjects;
    std::sort(sorted.begin(), sorted.end());
    const std::string moment = base::to_sql(now);
    // A row that is not there cannot be locked at READ COMMITTED. Each of these statements locks
    // its row, in the order of the subjects.
    for (const std::string& subject : sorted) {
        connection.sql(
            "INSERT INTO sign_in_failure (subject, failures, last_at) VALUES (?, 0, ?) "
            "ON DUPLICATE KEY UPDATE failures = failures")
            << subject << moment << exec;
    }
    return read_failures(connection, select_failures(sorted.size()) + " FOR UPDATE", sorted);
}

void save_failures(Connection& connection, const std::string& subject, const Failures& failures) {
    connection.sql("UPDATE sign_in_failure SET failures = ?, last_at = ? WHERE subject = ?")
        << failures.count << base::to_sql(failures.last_at) << subject << exec;
}

int add_failure(Connection& connection, const std::string& subject, base::Timestamp now,
                base::Timestamp since) {
    const std::string moment = base::to_sql(now);
    connection.sql(add_row) << subject << moment << base::to_sql(since) << moment << exec;
    const auto counts = failures_of(connection, {subject});
    return counts.at(subject).count;
}

void take_back_failure(Connection& connection, const std::string& subject) {
    connection.sql(
        "UPDATE sign_in_failure SET failures = failures - 1 WHERE subject = ? AND failures > 0")
        << subject << exec;
}

void delete_failures_of(Connection& connection, const std::string& subject) {
    connection.sql("DELETE FROM sign_in_failure WHERE subject = ?") << subject << exec;
}

void remember_subject(Connection& connection, const std::string& subject, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    connection.sql(
        "INSERT INTO sign_in_failure (subject, failures, last_at) VALUES (?, -1, ?) "
        "ON DUPLICATE KEY UPDATE failures = -1, last_at = ?")
        << subject << moment << moment << exec;
}

int delete_failures(Connection& connection, base::Timestamp moment, int limit) {
    return delete_older(connection, "failures >= 0", moment, limit);
}

int delete_failures_beyond(Connection& connection, int most, int limit) {
    return delete_beyond(connection, "failures >= 0", most, limit);
}

int delete_remembered(Connection& connection, base::Timestamp moment, int limit) {
    return delete_older(connection, "failures < 0", moment, limit);
}

int delete_remembered_beyond(Connection& connection, int most, int limit) {
    return delete_beyond(connection, "failures < 0", most, limit);
}

}  // namespace provisioner::store
