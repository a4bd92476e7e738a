#include "tests/integration/provisioner/contents/places.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <random>

#include "provisioner/operations/plugins/file_sync.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace tests {

using namespace provisioner;
using model::ContentPlace;
namespace fs = std::filesystem;

S3StandIn& bucket() {
    static S3StandIn stand_in;
    return stand_in;
}

namespace {

fs::path new_folder() {
    static int number = 0;
    fs::path folder = server().folder() + "/contents-" + std::to_string(++number);
    fs::create_directory(folder);
    return folder;
}

store::ResourceShelf make_shelf(store::Database& database) {
    const auto caller = a_caller(database);
    model::PluginType type;
    type.header.name = "shell";
    type.kind = model::PluginKind::automator;
    type.resource_types.push_back({.name = "scripts", .format = "file", .permissions = "0755"});
    database.write([&](store::Connection& connection) {
        store::save_plugin_type(connection, type, some_time());
    });
    return {.tenant = caller.tenant.id,
            .kind = model::PluginKind::automator,
            .plugin = "shell",
            .resource_type = "scripts"};
}

/// Objects of cases before are not ours.
void empty_bucket(const contents::Contents& contents) {
    const auto keys = bucket().objects();
    for (const std::string& key : keys) {
        contents.at(ContentPlace::s3).remove(key.substr(key.rfind('/') + 1));
    }
}

}  // namespace

Places::Places(ContentPlace place)
    : folder(new_folder()),
      fresh("resources.folder = " + folder.string() + "\n" + bucket().settings(server().folder()) +
            "resources.store = " + base::to_word(place) + "\n"),
      contents(fresh.config, fresh.database),
      shelf(make_shelf(fresh.database)) {
    empty_bucket(contents);
}

Places::~Places() {
    fs::remove_all(folder);
}

model::Caller Places::caller() const {
    model::Caller caller;
    caller.tenant.id = shelf.tenant;
    return caller;
}

store::ResourceVersion Places::upload(const std::string& bytes) const {
    contents::TextSource source(bytes);
    const auto version = operations::upload_resource(fresh.database, contents, caller(), shelf, "f",
                                                     source, bytes.size(), now);
    return version.value();
}

void Places::remove(int version) const {
    BOOST_REQUIRE(
        operations::delete_resource(fresh.database, caller(), shelf, "f", version).has_value());
}

model::Content Places::content_of(int version) const {
    BOOST_REQUIRE(
        operations::stage_resource(fresh.database, caller(), shelf, "f", version).has_value());
    operations::sync_resources(fresh.database, caller());
    return fresh.database
        .read([&](store::Connection& connection) {
            return store::live_resources(connection, shelf.tenant, shelf.kind, shelf.plugin);
        })
        .at(0)
        .content;
}

std::string Places::bytes_of(int version) const {
    return contents::text_of(*contents.open(content_of(version)));
}

store::StoredContent Places::arrive(ContentPlace place, const std::string& bytes) const {
    contents::TextSource source(bytes);
    return contents.take_in(source, bytes.size(), place, now);
}

std::vector<std::string> Places::kept_in(ContentPlace place) const {
    std::vector<std::string> names;
    if (place == ContentPlace::files) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) names.push_back(entry.path().filename());
        }
    } else if (place == ContentPlace::s3) {
        const auto keys = bucket().objects();
        for (const std::string& key : keys) {
            BOOST_TEST(key.starts_with("some/where/"));
            names.push_back(key.substr(key.rfind('/') + 1));
        }
    } else {
        const auto connection = queue::connect(fresh.config);
        const std::unique_ptr<sql::Statement> statement(connection->createStatement());
        const std::unique_ptr<sql::ResultSet> row(statement->executeQuery(
            "SELECT DISTINCT name FROM content JOIN content_piece ON content_id = id"));
        while (row->next()) names.emplace_back(row->getString(1).c_str());
    }
    std::sort(names.begin(), names.end());
    return names;
}

long Places::number(const std::string& sql) const {
    const auto connection = queue::connect(fresh.config);
    const std::unique_ptr<sql::Statement> statement(connection->createStatement());
    const std::unique_ptr<sql::ResultSet> row(statement->executeQuery(sql));
    row->next();
    return static_cast<long>(row->getInt64(1));
}

long Places::rows() const {
    return number("SELECT COUNT(*) FROM content");
}

void Places::change(const std::string& sql) const {
    const auto connection = queue::connect(fresh.root);
    const std::unique_ptr<sql::Statement> statement(connection->createStatement());
    statement->execute(sql);
}

void Places::let_time_pass() const {
    change("UPDATE content SET touched_at = touched_at - INTERVAL 2 HOUR");
}

std::string some_bytes(std::size_t size) {
    std::string bytes("\x1f\x8b\0'\"\\?%\r\n\xff\xfe\x80", 13);
    std::mt19937 random(static_cast<unsigned>(size));
    bytes.reserve(size + sizeof(std::uint32_t));
    while (bytes.size() < size) {
        const auto more = static_cast<std::uint32_t>(random());
        bytes.append(reinterpret_cast<const char*>(&more), sizeof more);
    }
    bytes.resize(size);
    return bytes;
}

std::size_t BreakingSource::read(char* into, std::size_t size) {
    if (left_ == 0) throw std::domain_error("the source broke");
    const std::size_t count = std::min({size, left_, std::size_t{70'000}});
    std::fill_n(into, count, 'x');
    left_ -= count;
    return count;
}

}  // namespace tests
