#include "provisioner/daemon/tasks/account_files.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(account_files)

namespace {

fs::path new_folder() {
    static int number = 0;
    fs::path folder = tests::server().folder() + "/account-files-" + std::to_string(++number);
    fs::create_directory(folder);
    return folder;
}

/// A tenant with user data "setup" that are kept in a folder.
struct Files {
    Files() {
        operations::save_live_resource(fresh.database, contents,
                                       {.tenant = caller.tenant.id,
                                        .kind = model::PluginKind::provider,
                                        .plugin = "digitalocean",
                                        .resource_type = "user_data"},
                                       "setup", "#cloud-config\n", tests::some_time());
    }

    /// What the daemon would give to machines; a reader that has seen nothing yet.
    std::string user_data() {
        model::Account account;
        account.tenant = caller.tenant.id;
        account.provider_type = "digitalocean";
        account.fields = {{"user_data_resource", "setup"}};
        daemon::AccountFiles files(contents);
        fresh.database.read([&](store::Connection& connection) { files.add(connection, account); });
        const auto found = account.files.find("user_data_resource");
        return found == account.files.end() ? "" : found->second;
    }

    /// The one file below the folder.
    fs::path kept() const {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) return entry.path();
        }
        throw std::runtime_error("no file is kept");
    }

    void change(const std::string& statement) {
        queue::execute(*queue::connect(fresh.root), statement);
    }

    fs::path folder = new_folder();
    tests::FreshDatabase fresh{"resources.folder = " + folder.string() +
                               "\nresources.store = files\n"};
    contents::Contents contents{fresh.config, fresh.database};
    model::Caller caller = tests::a_caller(fresh.database);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_that_was_replaced_where_it_is_kept_is_not_used) {
    Files files;
    BOOST_TEST(files.user_data() == "#cloud-config\n");

    std::ofstream(files.kept()) << "#cloud-configX";
    BOOST_TEST(files.user_data() == "");
    std::ofstream(files.kept()) << "#cloud-config\nmore";
    BOOST_TEST(files.user_data() == "");
    std::ofstream(files.kept()) << "#cloud-config\n";
    BOOST_TEST(files.user_data() == "#cloud-config\n");
}

BOOST_AUTO_TEST_CASE(a_name_of_the_database_leads_to_no_other_file_of_the_machine) {
    Files files;
    const fs::path other = fs::path("/tmp") / ("t" + files.kept().filename().string().substr(0, 9));
    fs::copy_file(files.kept(), other);

    files.change("UPDATE content SET name = '" + other.string() + "'");
    BOOST_TEST(files.user_data() == "");
    files.change("UPDATE content SET name = '../../../../../" + other.string().substr(1) + "'");
    BOOST_TEST(files.user_data() == "");

    fs::remove(other);
}

BOOST_AUTO_TEST_CASE(a_link_is_not_followed) {
    Files files;
    const fs::path other = files.folder.string() + "-other";
    fs::rename(files.kept(), other);
    fs::path name;
    for (const auto& entry : fs::directory_iterator(files.folder)) name = entry.path();
    const std::string bucket = name.filename();

    files.change("UPDATE content SET name = '" + bucket + std::string(30, 'a') + "'");
    fs::create_symlink(other, name / (bucket + std::string(30, 'a')));
    BOOST_TEST(files.user_data() == "");
    fs::remove(name / (bucket + std::string(30, 'a')));
    fs::rename(other, name / (bucket + std::string(30, 'a')));
    BOOST_TEST(files.user_data() == "#cloud-config\n");
}

BOOST_AUTO_TEST_SUITE_END()
