#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/migrate/audit.hpp"
#include "provisioner/migrate/audit_keys.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/audit/seal_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;

namespace {

/// An installation that seals its audit log.
struct Sealed {
    Sealed()
        : folder(tests::server().folder() + "/audit_key"),
          fresh("audit.key = " + folder + "/audit.key\n") {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }

    std::string path(const std::string& name = "audit.key") const { return folder + '/' + name; }

    struct stat rights_of(const std::string& name) const {
        struct stat found {};
        BOOST_REQUIRE(::stat(path(name).c_str(), &found) == 0);
        return found;
    }

    /// One event more, and a seal by the key of the file, as the daemon makes it.
    void seal() { seal(identity::SigningKey::from_file(path())); }
    void seal(const identity::SigningKey& key) {
        fresh.database.write([](store::Connection& connection) {
            operations::audit_own(connection,
                                  {.action = "test", .object = {}, .chain = model::TenantId{}});
        });
        const auto sealing = store::seal_chain(fresh.database, model::TenantId{}, key);
        BOOST_REQUIRE(sealing.seal.has_value());
    }

    bool is_whole(const migrate::AuditVerification& wanted = {}) {
        said.str("");
        return migrate::verify_audit(fresh.config, wanted, said);
    }

    int rotate() {
        std::ostringstream complaints;
        said.str("");
        const int result =
            migrate::rotate_audit_key(fresh.config, std::chrono::seconds{0}, said, complaints);
        BOOST_TEST(complaints.str() == "");
        return result;
    }

    std::string folder;
    tests::FreshDatabase fresh;
    std::ostringstream said;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_key_of_the_audit_log_is_replaced_and_seals_of_before_stay_good) {
    Sealed site;
    const std::string first = migrate::new_audit_key(site.fresh.config);
    const auto first_key = identity::SigningKey::from_file(site.path());
    constexpr uid_t daemon = 1;
    constexpr gid_t group_of_daemon = 2;
    BOOST_REQUIRE(::chown(site.path().c_str(), daemon, group_of_daemon) == 0);
    BOOST_REQUIRE(::chmod(site.path().c_str(), 0640) == 0);
    site.seal();
    site.seal();

    BOOST_TEST(site.rotate() == 0);

    const std::string second = identity::SigningKey::from_file(site.path()).public_key();
    BOOST_TEST(second != first);
    BOOST_TEST(site.said.str() == second + "\n");
    for (const char* name : {"audit.key", "audit.key.replaced"}) {
        BOOST_TEST(site.rights_of(name).st_uid == daemon, name);
        BOOST_TEST(site.rights_of(name).st_gid == group_of_daemon, name);
        BOOST_TEST((site.rights_of(name).st_mode & 07777) == 0640U, name);
    }
    site.seal();
    BOOST_TEST(site.is_whole(), site.said.str());
    BOOST_TEST(site.said.str().find("3 seals") != std::string::npos, site.said.str());
    BOOST_TEST(site.rotate() == 0);
    site.seal();
    BOOST_TEST(site.is_whole(), site.said.str());

    // What is kept elsewhere.
    std::ofstream(site.path("elsewhere")) << migrate::audit_public_keys(site.fresh.config);
    BOOST_TEST(site.is_whole({.public_key_file = site.path("elsewhere")}), site.said.str());
    std::ofstream(site.path("one")) << second << "\n";
    BOOST_TEST(!site.is_whole({.public_key_file = site.path("one")}));

    const auto events = site.fresh.database.read([](store::Connection& connection) {
        return store::list_events(connection, {.action = "audit-key.replace"}, 0, 10);
    });
    BOOST_REQUIRE(events.size() == 2U);
    BOOST_TEST(events[1].before.find(first) != std::string::npos, events[1].before);
    BOOST_TEST(events[1].after == "{\"public\":\"" + second + "\"}");

    // By whoever has the first key still.
    site.seal(first_key);
    BOOST_TEST(!site.is_whole());
}

BOOST_AUTO_TEST_CASE(a_seal_by_a_foreign_key_of_the_audit_log_is_refused) {
    Sealed site;
    migrate::new_audit_key(site.fresh.config);
    site.seal();
    BOOST_TEST(site.rotate() == 0);
    site.seal();
    BOOST_TEST(site.is_whole(), site.said.str());

    std::ofstream(site.path("foreign")) << identity::new_signing_key().reveal();
    std::filesystem::permissions(site.path("foreign"), std::filesystem::perms::owner_read);
    site.seal(identity::SigningKey::from_file(site.path("foreign")));

    BOOST_TEST(!site.is_whole());
    BOOST_TEST(site.said.str().find("it is not signed by the key") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_replacement_of_the_audit_key_that_was_interrupted_is_done_again) {
    Sealed site;
    BOOST_CHECK_THROW(site.rotate(), std::runtime_error);
    const std::string first = migrate::new_audit_key(site.fresh.config);
    BOOST_CHECK_THROW(migrate::new_audit_key(site.fresh.config), std::runtime_error);
    // The old key was noted, and the program killed.
    const auto early = site.fresh.database.read(store::moment_of_seals) - std::chrono::hours{1};
    std::ofstream(site.path("audit.key.replaced"))
        << migrate::to_text({{.public_key = first, .until = early}});
    std::ofstream(site.path("audit.key.new")) << "half";
    site.seal();
    BOOST_TEST(site.is_whole(), site.said.str());

    BOOST_TEST(site.rotate() == 0);
    site.seal();

    BOOST_TEST(site.is_whole(), site.said.str());
    BOOST_TEST(!std::filesystem::exists(site.path("audit.key.new")));
}
