#pragma once

#include <string>
#include <vector>

namespace provisioner::migrate {

/// One file of sql/migrations.
struct Migration {
    /// The four digits the file's name begins with.
    int version = 0;
    /// The file's name, for example "0001_initial.sql".
    std::string name;
    /// Its SQL.
    std::string text;
};

/// What an installation's schema is made of.
struct SchemaFiles {
    /// In any order.
    std::vector<Migration> migrations;
    /// What they add up to, as SQL; empty: nobody says.
    std::string whole;
};

/// What the database says it has run.
struct Applied {
    int version = 0;
    std::string name;
    std::string checksum;
};

/// The statements of an SQL text, without comments of their own line, split at ';' outside quotes
/// and comments. Connector/C++ cannot run several at once.
std::vector<std::string> split_statements(const std::string& text);

/// The migrations still to run, in order. Throws std::runtime_error naming the file when one that
/// was applied is missing or has changed since, when two have the same number, or when one comes
/// before the newest applied.
std::vector<Migration> pending(std::vector<Migration> files, const std::vector<Applied>& applied);

}  // namespace provisioner::migrate
