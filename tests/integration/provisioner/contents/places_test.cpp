#include <boost/test/data/test_case.hpp>

#include <sys/mount.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/plugins/file_sync.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/contents/places.hpp"

using namespace provisioner;
using model::ContentPlace;
using tests::Places;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(places)

namespace {

constexpr std::size_t mib = 1 << 20;

const std::vector<std::string> all_places{"database", "files", "s3"};

ContentPlace place_named(const std::string& word) {
    return base::from_word<ContentPlace>(word).value();
}

/// What a PlaceError says; fails when there is none.
template <class Work>
std::string complaint(Work&& work) {
    try {
        work();
    } catch (const contents::PlaceError& error) {
        return error.what();
    }
    BOOST_ERROR("nothing was thrown");
    return "";
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_DATA_TEST_CASE(what_is_put_comes_back_byte_by_byte, data::make(all_places), word) {
    const Places places;
    // Around a piece of the database, and around two ranges of a download.
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, mib - 1, mib, mib + 1,
                                   8 * mib - 1, 8 * mib, 16 * mib, 16 * mib + 1}) {
        const std::string bytes = tests::some_bytes(size);

        const auto arrived = places.arrive(place_named(word), bytes);

        BOOST_TEST(arrived.content.size == size);
        BOOST_TEST(arrived.content.is_gzip == (size > 1));
        BOOST_TEST((contents::text_of(*places.contents.open(arrived.content)) == bytes));
    }
    BOOST_TEST(places.kept_in(place_named(word)).size() == 9U);
    BOOST_TEST(tests::bucket().wrong_signatures() == 0);
}

BOOST_DATA_TEST_CASE(two_may_read_the_same_at_their_own_pace, data::make(all_places), word) {
    const Places places;
    const std::string bytes = tests::some_bytes(3 * mib);
    const auto arrived = places.arrive(place_named(word), bytes);

    const auto slow = places.contents.open(arrived.content);
    std::string first(1000, '\0');
    BOOST_TEST(contents::read_fully(*slow, first.data(), first.size()) == 1000U);
    BOOST_TEST((contents::text_of(*places.contents.open(arrived.content)) == bytes));

    BOOST_TEST((first + contents::text_of(*slow) == bytes));
}

BOOST_DATA_TEST_CASE(what_was_removed_is_not_there_and_may_be_removed_again, data::make(all_places),
                     word) {
    const Places places;
    const auto arrived = places.arrive(place_named(word), tests::some_bytes(40 * mib));
    const auto stays = places.arrive(place_named(word), "stays");
    auto& place = places.contents.at(place_named(word));

    place.remove(arrived.content.name);
    place.remove(arrived.content.name);
    place.remove("00000000000000000000000000000000");

    complaint([&] { contents::drain(*place.open(arrived.content.name)); });
    BOOST_TEST((places.kept_in(place_named(word)) == std::vector{stays.content.name}));
}

BOOST_DATA_TEST_CASE(an_upload_that_breaks_leaves_nothing, data::make(all_places), word) {
    const Places places;
    tests::BreakingSource breaking(5 * mib);
    contents::TextSource few("twelve bytes");
    contents::TextSource many("twelve bytes");
    const auto place = place_named(word);

    BOOST_CHECK_THROW(places.contents.take_in(breaking, 6 * mib, place, places.now),
                      std::domain_error);
    BOOST_CHECK_THROW(places.contents.take_in(few, 13, place, places.now), std::runtime_error);
    BOOST_CHECK_THROW(places.contents.take_in(many, 11, place, places.now), std::runtime_error);

    BOOST_TEST(places.kept_in(place).empty());
    BOOST_TEST(places.rows() == 0);
}

BOOST_DATA_TEST_CASE(what_is_damaged_in_its_place_is_told_and_not_given_out, data::make(all_places),
                     word) {
    const Places places;
    auto content = places.arrive(place_named(word), "some bytes").content;
    content.sha256[0] = content.sha256[0] == '0' ? '1' : '0';

    const std::string said = complaint([&] { contents::drain(*places.contents.open(content)); });

    BOOST_TEST(says(said, "is damaged"), said);
}

BOOST_DATA_TEST_CASE(the_same_bytes_are_kept_once, data::make(all_places), word) {
    const Places places(place_named(word));

    const auto first = places.upload("the same");
    const auto second = places.upload("the same");
    const auto third = places.upload("another");

    BOOST_TEST(first.version == 1);
    BOOST_TEST(second.version == 2);
    BOOST_TEST(second.sha256 == first.sha256);
    BOOST_TEST(third.size == 7U);
    BOOST_TEST(places.kept_in(place_named(word)).size() == 2U);
    BOOST_TEST(places.rows() == 2);
    BOOST_TEST(places.bytes_of(2) == "the same");
    BOOST_TEST(places.bytes_of(3) == "another");
}

BOOST_DATA_TEST_CASE(bytes_that_were_lost_in_their_place_come_again_with_an_upload,
                     data::make(all_places), word) {
    const Places places(place_named(word));
    places.upload("precious");
    places.contents.at(place_named(word)).remove(places.content_of(1).name);

    places.upload("precious");

    BOOST_TEST(places.bytes_of(2) == "precious");
    BOOST_TEST(places.bytes_of(1) == "precious");
}

BOOST_AUTO_TEST_CASE(a_version_is_put_to_use_at_once_and_what_else_is_staged_waits) {
    tests::Places places;
    for (const char* bytes : {"one", "two", "three"}) places.upload(bytes);
    auto& database = places.fresh.database;
    const auto states = [&] {
        std::string words;
        const auto versions = operations::list_resources(database, places.shelf);
        for (const auto& version : *versions) {
            words += version.name + std::to_string(version.version) + ' ' +
                     std::string(base::to_word(operations::status_of(version))) + ' ';
        }
        return words;
    };
    contents::TextSource other("other");
    BOOST_REQUIRE(operations::upload_resource(database, places.contents, places.caller(),
                                              places.shelf, "g", other, 5, places.now));
    BOOST_REQUIRE(operations::use_resource(database, places.caller(), places.shelf, "f", 1));
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 2));
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "g", 1));
    BOOST_TEST(states() == "f1 recalled f2 staged f3 inactive g1 staged ");
    const auto named = database.read([&](store::Connection& connection) {
        return store::named_resources(connection, places.shelf.tenant, places.shelf.kind);
    });
    BOOST_REQUIRE(named.size() == 2U);
    BOOST_TEST(named[0].name == "f");
    BOOST_TEST(named[0].is_given);

    BOOST_REQUIRE(operations::use_resource(database, places.caller(), places.shelf, "f", 3));

    BOOST_TEST(states() == "f1 inactive f2 inactive f3 active g1 staged ");
    const auto refused = operations::use_resource(database, places.caller(), places.shelf, "f", 4);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::not_found));
    BOOST_TEST(states() == "f1 inactive f2 inactive f3 active g1 staged ");
}

BOOST_AUTO_TEST_CASE(the_audit_log_says_who_uploaded_a_version_and_what_a_sync_did) {
    tests::Places places;
    auto& database = places.fresh.database;
    places.upload("one");
    contents::TextSource two("two");
    BOOST_REQUIRE(operations::upload_resource(database, places.contents, places.caller(),
                                              places.shelf, "f", two, 3, places.now,
                                              {.reason = "faster"}));
    BOOST_REQUIRE(operations::use_resource(database, places.caller(), places.shelf, "f", 1));
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 2));
    operations::sync_resources(database, places.caller());

    database.read([&](store::Connection& connection) {
        const auto uploads = operations::uploads_of_file(connection, places.shelf, "f");
        BOOST_REQUIRE(uploads.size() == 2U);
        BOOST_TEST(uploads.at(1).reason == "");
        BOOST_TEST(uploads.at(2).reason == "faster");
        BOOST_TEST(operations::uploads_of_file(connection, places.shelf, "g").empty());
        const auto syncs = store::list_events(
            connection, {.chain = places.shelf.tenant, .action = "plugin-file.sync"}, 0, 10);
        BOOST_REQUIRE(syncs.size() == 1U);
        BOOST_TEST(syncs[0].before.find("\"version\":1") != std::string::npos);
        BOOST_TEST(syncs[0].after.find("\"version\":2") != std::string::npos);
        // It is found by the name of the only file.
        BOOST_TEST(syncs[0].object.name == operations::name_in_audit(places.shelf, "f"));
    });
}

BOOST_AUTO_TEST_CASE(of_two_uploads_that_know_the_same_version_the_second_is_refused) {
    Places places;
    places.upload("one");
    const auto save = [&](int known) {
        contents::TextSource source("text");
        return operations::upload_resource(places.fresh.database, places.contents, places.caller(),
                                           places.shelf, "f", source, 4, places.now,
                                           {.known_version = known});
    };

    BOOST_TEST(save(1).value().version == 2);

    const auto second = save(1);
    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(save(2).value().version == 3);
    BOOST_TEST(save(0).value().version == 4);
}

BOOST_AUTO_TEST_CASE(a_version_is_live_since_it_was_put_to_use) {
    tests::Places places;
    for (const char* bytes : {"one", "two"}) places.upload(bytes);
    auto& database = places.fresh.database;
    const auto since = [&] {
        std::vector<std::optional<base::Timestamp>> times;
        const auto versions = operations::list_resources(database, places.shelf);
        for (const auto& version : *versions) times.push_back(version.live_since);
        return times;
    };
    const auto use = [&](int version) {
        BOOST_REQUIRE(
            operations::use_resource(database, places.caller(), places.shelf, "f", version));
    };
    const auto stage_and_sync = [&](int version) {
        BOOST_REQUIRE(
            operations::stage_resource(database, places.caller(), places.shelf, "f", version));
        operations::sync_resources(database, places.caller());
    };
    use(2);
    const auto first = since();
    BOOST_TEST(!first[0].has_value());
    BOOST_REQUIRE(first[1].has_value());

    // Back to what was uploaded before.
    use(1);
    const auto back = since();
    BOOST_REQUIRE(back[0].has_value());
    BOOST_TEST((back[0] > first[1]));
    BOOST_TEST(!back[1].has_value());
    use(1);
    BOOST_TEST((since() == back));

    stage_and_sync(2);
    const auto synced = since();
    BOOST_TEST(!synced[0].has_value());
    BOOST_REQUIRE(synced[1].has_value());
    BOOST_TEST((synced[1] > back[0]));
    stage_and_sync(2);
    BOOST_TEST((since() == synced));
}

BOOST_AUTO_TEST_CASE(new_bytes_of_many_at_once_do_not_stand_in_each_others_way) {
    const Places places;
    constexpr std::size_t many = 16;
    constexpr int files_each = 12;
    std::vector<std::string> failures(many);
    // How often a transaction was begun: more than once for one that was in a deadlock.
    std::atomic<int> begun{0};

    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < many; ++i) {
        threads.emplace_back([&, i] {
            try {
                for (int n = 0; n < files_each; ++n) {
                    const auto arrived = places.arrive(
                        ContentPlace::files, std::to_string(i) + " has " + std::to_string(n));
                    places.fresh.database.write([&](store::Connection& connection) {
                        ++begun;
                        places.contents.keep(connection, arrived, {});
                    });
                }
            } catch (const std::exception& error) {
                failures[i] = error.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    for (const std::string& failure : failures) BOOST_TEST(failure == "");
    BOOST_TEST(begun == static_cast<int>(many) * files_each);
    BOOST_TEST(places.number("SELECT COUNT(*) FROM content WHERE state = 'kept'") == begun);
}

BOOST_AUTO_TEST_CASE(tenants_that_upload_at_once_do_not_stand_in_each_others_way) {
    const Places places;
    constexpr std::size_t many = 16;
    constexpr int files_each = 12;
    std::vector<std::string> failures(many);

    std::vector<store::ResourceShelf> shelves(many, places.shelf);
    for (std::size_t i = 0; i < many; ++i) {
        model::Tenant tenant;
        tenant.uid = "tenant-" + std::to_string(i);
        tenant.name = tenant.uid;
        shelves[i].tenant = places.fresh.database.write([&](store::Connection& connection) {
            return store::insert_tenant(connection, tenant, places.now);
        });
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < many; ++i) {
        threads.emplace_back([&, i] {
            try {
                for (int n = 0; n < files_each; ++n) {
                    const std::string bytes = std::to_string(i) + " has " + std::to_string(n);
                    contents::TextSource source(bytes);
                    operations::upload_resource(places.fresh.database, places.contents, {},
                                                shelves[i], "f" + std::to_string(n), source,
                                                bytes.size(), places.now)
                        .value();
                }
            } catch (const std::exception& error) {
                failures[i] = error.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    for (const std::string& failure : failures) BOOST_TEST(failure == "");
    BOOST_TEST(places.number("SELECT COUNT(*) FROM plugin_resource") ==
               static_cast<long>(many) * files_each);
    // MariaDB makes keys of hashes where an index would be too long, and locks between hashes.
    BOOST_TEST(places.number("SELECT COUNT(*) FROM information_schema.statistics "
                             "WHERE table_schema = DATABASE() AND index_type = 'HASH'") == 0);
}

BOOST_AUTO_TEST_CASE(a_bucket_that_asks_to_slow_down_is_asked_again) {
    const Places places(ContentPlace::s3);
    const std::string bytes = tests::some_bytes(3 * mib);

    tests::bucket().refuse(2);
    const auto arrived = places.arrive(ContentPlace::s3, bytes);
    tests::bucket().refuse(2, 500);
    BOOST_TEST((contents::text_of(*places.contents.open(arrived.content)) == bytes));
    tests::bucket().refuse(2, 429);
    places.contents.at(ContentPlace::s3).remove(arrived.content.name);

    BOOST_TEST(places.kept_in(ContentPlace::s3).empty());
}

BOOST_AUTO_TEST_CASE(a_bucket_that_does_not_recover_is_named_with_what_it_said) {
    const Places places(ContentPlace::s3);

    tests::bucket().refuse(1000);
    const std::string said = complaint([&] { places.upload("x"); });
    tests::bucket().refuse(0);

    BOOST_TEST(says(said, "the bucket files at " + tests::bucket().endpoint()), said);
    BOOST_TEST(says(said, "answered 503 SlowDown"), said);
    // Nor could it be removed then: the sweep does that later.
    BOOST_TEST(places.rows() == 1);
    BOOST_TEST(places.kept_in(ContentPlace::s3).empty());
}

BOOST_AUTO_TEST_CASE(a_bucket_that_knows_no_ranges_is_told_at_once) {
    const Places places(ContentPlace::s3);
    const auto small = places.arrive(ContentPlace::s3, "x");
    const auto large = places.arrive(ContentPlace::s3, tests::some_bytes(9 * mib));

    tests::bucket().ignore_ranges(true);
    const auto text = contents::text_of(*places.contents.open(small.content));
    const std::string said =
        complaint([&] { contents::drain(*places.contents.open(large.content)); });
    tests::bucket().ignore_ranges(false);

    BOOST_TEST(text == "x");
    BOOST_TEST(says(said, "has to know ranges"), said);
}

BOOST_AUTO_TEST_CASE(a_wrong_secret_is_told_at_once) {
    tests::FreshDatabase fresh(tests::bucket().settings(tests::server().folder(), "wrong") +
                               "resources.store = s3\n");
    const contents::Contents contents(fresh.config, fresh.database);
    const int before = tests::bucket().wrong_signatures();
    contents::TextSource source("x");

    const std::string said =
        complaint([&] { contents.take_in(source, 1, ContentPlace::s3, tests::some_time()); });

    BOOST_TEST(says(said, "answered 403 SignatureDoesNotMatch"), said);
    BOOST_TEST(!says(said, "wrong"));
    // The upload and its removal, each once.
    BOOST_TEST(tests::bucket().wrong_signatures() == before + 2);
}

BOOST_AUTO_TEST_CASE(a_bucket_that_is_not_there_has_nothing_removed_from_it) {
    tests::FreshDatabase fresh(tests::bucket().settings(tests::server().folder()) +
                               "resources.s3.bucket = elsewhere\n");
    const contents::Contents contents(fresh.config, fresh.database);

    const std::string said =
        complaint([&] { contents.at(ContentPlace::s3).remove("0123456789abcdef"); });

    BOOST_TEST(says(said, "NoSuchBucket"), said);
}

BOOST_AUTO_TEST_CASE(what_a_folder_has_another_user_of_the_group_may_remove_whatever_the_umask) {
    const Places places(ContentPlace::files);
    const auto mode_of = [](const std::filesystem::path& path) {
        struct stat found {};
        BOOST_REQUIRE(::stat(path.c_str(), &found) == 0);
        return found.st_mode & 07777U;
    };
    std::filesystem::permissions(places.folder, std::filesystem::perms::set_gid,
                                 std::filesystem::perm_options::add);

    const mode_t before = ::umask(077);
    const auto name = places.arrive(ContentPlace::files, "some bytes").content.name;
    ::umask(before);

    const auto folder = places.folder / name.substr(0, 2);
    BOOST_TEST(mode_of(folder) == 02770U);
    BOOST_TEST(mode_of(folder / name) == 0660U);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_full_read_only_or_gone_is_told_and_left_as_it_was) {
    const Places places(ContentPlace::files);
    const char* folder = places.folder.c_str();
    BOOST_REQUIRE(::mount("tmpfs", folder, "tmpfs", 0, "size=1m") == 0);
    places.upload("fits");

    const std::string full = complaint([&] { places.upload(tests::some_bytes(2 * mib)); });
    BOOST_REQUIRE(::mount("tmpfs", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m") == 0);
    const std::string read_only = complaint([&] { places.upload("too late"); });

    BOOST_TEST(says(full, "No space left on device"), full);
    BOOST_TEST(says(full, places.folder.string()), full);
    BOOST_TEST(says(read_only, "Read-only file system"), read_only);
    BOOST_TEST(places.bytes_of(1) == "fits");
    BOOST_TEST(places.kept_in(ContentPlace::files).size() == 1U);
    BOOST_REQUIRE(::umount(folder) == 0);
    std::filesystem::remove(places.folder);
    const std::string gone = complaint([&] { places.upload("nowhere"); });
    BOOST_TEST(says(gone, "resources.folder: there is no folder"), gone);
}

BOOST_AUTO_TEST_SUITE_END()
