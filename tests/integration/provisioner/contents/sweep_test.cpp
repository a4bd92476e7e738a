#include "provisioner/contents/sweep.hpp"

#include <boost/test/data/test_case.hpp>

#include <atomic>
#include <thread>

#include "provisioner/contents/move.hpp"
#include "tests/integration/provisioner/contents/places.hpp"

using namespace provisioner;
using model::ContentPlace;
using tests::Places;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(sweeps_and_moves)

namespace {

constexpr std::chrono::seconds hour{3600};

const std::vector<std::string> all_places{"database", "files", "s3"};

ContentPlace place_named(const std::string& word) {
    return base::from_word<ContentPlace>(word).value();
}

contents::Swept sweep(const Places& places) {
    return contents::sweep(places.fresh.database, places.contents, hour);
}

contents::Moved move_to(const Places& places, ContentPlace to) {
    return contents::move_contents(places.fresh.database, places.contents, to, base::SystemClock(),
                                   [](const model::Content&) {});
}

/// Gives a few bytes, and before them has everything swept away that is not wanted any more: as if
/// they came after an hour.
class LateSource final : public contents::Source {
 public:
    explicit LateSource(const Places& places) : places_(places) {}

    std::size_t read(char* into, std::size_t size) override {
        if (left_ == late_bytes) {
            places_.let_time_pass();
            sweep(places_);
        }
        const std::size_t count = std::min(size, left_);
        std::fill_n(into, count, 'x');
        left_ -= count;
        return count;
    }

    static constexpr std::size_t late_bytes = 100;

 private:
    const Places& places_;
    std::size_t left_ = late_bytes;
};

}  // namespace

BOOST_DATA_TEST_CASE(what_nobody_refers_to_is_removed_and_nothing_else, data::make(all_places),
                     word) {
    const Places places(place_named(word));
    places.upload("one");
    places.upload("shared");
    places.upload("shared");
    places.remove(1);
    places.remove(2);

    const auto swept = sweep(places);

    BOOST_TEST(swept.removed == 1);
    BOOST_TEST(swept.problems.empty());
    BOOST_TEST(places.rows() == 1);
    BOOST_TEST(places.kept_in(place_named(word)).size() == 1U);
    BOOST_TEST(places.bytes_of(3) == "shared");
    BOOST_TEST(sweep(places).removed == 0);
}

BOOST_DATA_TEST_CASE(an_upload_that_was_given_up_is_removed_after_an_hour_not_before,
                     data::make(all_places), word) {
    const Places places(place_named(word));
    places.arrive(place_named(word), tests::some_bytes(3 << 20));

    BOOST_TEST(sweep(places).removed == 0);
    places.let_time_pass();
    BOOST_TEST(sweep(places).removed == 1);

    BOOST_TEST(places.rows() == 0);
    BOOST_TEST(places.kept_in(place_named(word)).empty());
}

BOOST_AUTO_TEST_CASE(an_upload_that_was_swept_away_while_it_came_is_not_stored) {
    const Places places;
    const auto arrived = places.arrive(ContentPlace::database, "late");
    places.let_time_pass();
    sweep(places);

    BOOST_CHECK_THROW(places.fresh.database.write([&](store::Connection& connection) {
        places.contents.keep(connection, arrived, {});
    }),
                      contents::PlaceError);
}

BOOST_DATA_TEST_CASE(bytes_that_come_after_they_were_swept_away_do_not_stay, data::make(all_places),
                     word) {
    const Places places;
    LateSource late(places);

    BOOST_CHECK_THROW(
        places.contents.take_in(late, LateSource::late_bytes, place_named(word), places.now),
        contents::PlaceError);

    BOOST_TEST(places.rows() == 0);
    BOOST_TEST(places.kept_in(place_named(word)).empty());
}

BOOST_AUTO_TEST_CASE(half_a_file_of_a_process_that_died_is_removed_too) {
    const Places places(ContentPlace::files);
    const auto arrived = places.arrive(ContentPlace::files, "whole");
    const auto path = places.folder / arrived.content.name.substr(0, 2) / arrived.content.name;
    std::filesystem::rename(path, path.string() + ".part");
    places.let_time_pass();

    BOOST_TEST(sweep(places).removed == 1);

    BOOST_TEST(places.kept_in(ContentPlace::files).empty());
}

BOOST_AUTO_TEST_CASE(a_place_that_fails_holds_up_no_other_and_loses_nothing) {
    const Places places;
    places.arrive(ContentPlace::s3, "one");
    places.arrive(ContentPlace::s3, "two");
    places.arrive(ContentPlace::files, "three");
    places.let_time_pass();

    tests::bucket().refuse(1000);
    const auto swept = sweep(places);
    tests::bucket().refuse(0);

    BOOST_TEST(swept.removed == 1);
    BOOST_TEST(swept.problems.size() == 1U);
    BOOST_TEST(places.rows() == 2);
    BOOST_TEST(sweep(places).removed == 2);
    BOOST_TEST(places.kept_in(ContentPlace::s3).empty());
}

BOOST_AUTO_TEST_CASE(a_place_that_fails_with_thousands_to_remove_hides_nothing_behind_it) {
    const Places places;
    std::string rows;
    for (int i = 1; i <= 2500; ++i) {
        rows += (i == 1 ? "('" : ", ('") + base::padded(i, 32) +
                "', 's3', 'going', '', 0, FALSE, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))";
    }
    places.change(
        "INSERT INTO content (name, place, state, sha256, size, is_gzip, created_at, touched_at) "
        "VALUES " +
        rows);
    places.arrive(ContentPlace::files, "behind");
    places.let_time_pass();

    tests::bucket().refuse(1000);
    const auto swept = sweep(places);
    tests::bucket().refuse(0);

    BOOST_TEST(swept.removed == 1);
    BOOST_TEST(swept.problems.size() == 1U);
    BOOST_TEST(places.kept_in(ContentPlace::files).empty());
    BOOST_TEST(places.rows() == 2500);
}

// Two upload and delete the same few bytes over and over while two sweep and one moves to and fro.
BOOST_AUTO_TEST_CASE(sweeps_and_moves_beside_uploads_lose_nothing) {
    const Places places(ContentPlace::files);
    std::atomic<int> at_work{2};
    std::atomic<int> uploads{0};
    std::vector<std::string> failures(5);
    const auto guarded = [&](std::size_t number, auto work) {
        return [&, number, work] {
            try {
                work();
            } catch (const std::exception& error) {
                failures[number] = error.what();
            }
        };
    };
    const auto upload = [&] {
        for (int i = 0; i < 60; ++i) {
            const int version = places.upload("bytes " + std::to_string(i % 3)).version;
            ++uploads;
            if (i % 4 != 0) places.remove(version);
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
        threads.emplace_back([&, work = guarded(i, upload)] {
            work();
            --at_work;
        });
    }
    for (std::size_t i = 2; i < 4; ++i) {
        threads.emplace_back(guarded(i, [&] {
            while (at_work > 0) sweep(places);
        }));
    }
    threads.emplace_back(guarded(4, [&] {
        while (at_work > 0) {
            move_to(places, ContentPlace::database);
            move_to(places, ContentPlace::files);
        }
    }));
    for (std::thread& thread : threads) thread.join();

    for (const std::string& failure : failures) BOOST_TEST(failure == "");
    BOOST_TEST(uploads == 120);
    const auto versions = operations::list_resources(places.fresh.database, places.shelf).value();
    BOOST_TEST(versions.size() == 30U);
    for (const auto& version : versions) {
        const std::string bytes = places.bytes_of(version.version);
        BOOST_TEST(bytes.starts_with("bytes "));
        BOOST_TEST(bytes.size() == version.size);
    }
    sweep(places);
    places.let_time_pass();
    sweep(places);
    const auto kept =
        places.kept_in(ContentPlace::files).size() + places.kept_in(ContentPlace::database).size();
    BOOST_TEST(places.rows() == static_cast<long>(kept));
    BOOST_TEST(places.number("SELECT COUNT(*) FROM content WHERE state <> 'kept'") == 0);
}

BOOST_AUTO_TEST_CASE(contents_move_from_place_to_place_and_leave_nothing_behind) {
    const Places places;
    const std::string large = tests::some_bytes(9 << 20);
    places.upload(large);
    places.upload("shared");
    places.upload("shared");
    places.upload("");
    auto from = ContentPlace::database;

    for (const auto to : {ContentPlace::files, ContentPlace::s3, ContentPlace::database}) {
        const auto moved = move_to(places, to);

        BOOST_TEST(moved.contents == 3);
        BOOST_TEST(moved.bytes == large.size() + 6);
        BOOST_TEST(moved.problems.empty());
        BOOST_TEST(moved.elsewhere == 0);
        BOOST_TEST(places.kept_in(from).empty());
        BOOST_TEST(places.kept_in(to).size() == 3U);
        BOOST_TEST((places.bytes_of(1) == large));
        BOOST_TEST(places.bytes_of(2) == "shared");
        BOOST_TEST(places.bytes_of(3) == "shared");
        BOOST_TEST(places.bytes_of(4) == "");
        BOOST_TEST(move_to(places, to).contents == 0);
        from = to;
    }
    BOOST_TEST(places.rows() == 3);
}

BOOST_AUTO_TEST_CASE(a_move_that_was_interrupted_goes_on_where_it_was) {
    const Places places;
    for (const char* bytes : {"one", "two", "three"}) places.upload(bytes);

    BOOST_CHECK_THROW(
        contents::move_contents(places.fresh.database, places.contents, ContentPlace::files,
                                base::SystemClock(), [](const model::Content&) { throw 7; }),
        int);
    BOOST_TEST(places.kept_in(ContentPlace::files).size() == 1U);
    const auto moved = move_to(places, ContentPlace::files);

    BOOST_TEST(moved.contents == 2);
    BOOST_TEST(moved.elsewhere == 0);
    BOOST_TEST(places.bytes_of(3) == "three");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_moved_stays_where_it_is) {
    const Places places;
    places.upload("stays");

    tests::bucket().refuse(1000);
    const auto refused = move_to(places, ContentPlace::s3);
    tests::bucket().refuse(0);
    const auto content = places.content_of(1);
    places.number("SELECT 1");
    const auto swept = sweep(places);

    BOOST_TEST(refused.contents == 0);
    BOOST_REQUIRE(refused.problems.size() == 1U);
    BOOST_TEST(refused.problems[0].find("503") != std::string::npos);
    BOOST_TEST(refused.elsewhere == 1);
    BOOST_TEST((content.place == ContentPlace::database));
    BOOST_TEST(places.bytes_of(1) == "stays");
    BOOST_TEST(swept.problems.empty());
    BOOST_TEST(move_to(places, ContentPlace::s3).contents == 1);
}

BOOST_AUTO_TEST_CASE(a_copy_that_was_swept_away_before_it_was_kept_is_told) {
    const Places places;
    places.upload("stays");
    places.change(
        "CREATE TRIGGER nothing_is_kept BEFORE UPDATE ON content FOR EACH ROW SET "
        "NEW.sha256 = IF(NEW.state = 'kept', OLD.sha256, NEW.sha256), "
        "NEW.size = IF(NEW.state = 'kept', OLD.size, NEW.size), "
        "NEW.state = IF(NEW.state = 'kept', OLD.state, NEW.state)");

    const auto moved = move_to(places, ContentPlace::files);

    BOOST_TEST(moved.contents == 0);
    BOOST_REQUIRE(moved.problems.size() == 1U);
    BOOST_TEST(moved.problems[0].find("no longer waited for") != std::string::npos);
    BOOST_TEST(moved.elsewhere == 1);
    BOOST_TEST(places.bytes_of(1) == "stays");
}

BOOST_AUTO_TEST_CASE(what_is_read_back_is_waited_for) {
    const Places places;
    const auto arrived = places.arrive(ContentPlace::files, "some bytes");
    places.let_time_pass();

    const auto back = places.contents.read_back(arrived);
    BOOST_TEST(sweep(places).removed == 0);
    BOOST_TEST(contents::text_of(*back) == "some bytes");
    places.let_time_pass();
    BOOST_TEST(sweep(places).removed == 1);

    BOOST_CHECK_THROW(places.contents.read_back(arrived), contents::PlaceError);
}

BOOST_AUTO_TEST_CASE(what_is_removed_before_its_turn_to_be_moved_is_no_problem) {
    const Places places;
    places.upload("first");
    places.upload("second");

    const auto moved =
        contents::move_contents(places.fresh.database, places.contents, ContentPlace::files,
                                base::SystemClock(), [&](const model::Content&) {
                                    places.remove(2);
                                    sweep(places);
                                });

    BOOST_TEST(moved.contents == 1);
    BOOST_TEST(moved.problems.empty());
    BOOST_TEST(moved.elsewhere == 0);
}

BOOST_AUTO_TEST_CASE(what_was_damaged_is_not_moved) {
    const Places places(ContentPlace::files);
    places.upload("precious");
    const auto content = places.content_of(1);
    std::filesystem::resize_file(places.folder / content.name.substr(0, 2) / content.name, 3);

    const auto moved = move_to(places, ContentPlace::database);

    BOOST_TEST(moved.contents == 0);
    BOOST_REQUIRE(moved.problems.size() == 1U);
    BOOST_TEST(places.kept_in(ContentPlace::database).empty());
    BOOST_TEST(places.kept_in(ContentPlace::files).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_place_that_does_not_answer_keeps_what_refers_to_it) {
    const Places places;
    places.upload("precious");
    move_to(places, ContentPlace::s3);

    tests::bucket().refuse(1000);
    places.upload("precious");
    tests::bucket().refuse(0);

    BOOST_TEST((places.content_of(1).place == ContentPlace::s3));
    BOOST_TEST((places.content_of(2).place == ContentPlace::database));
    BOOST_TEST(places.bytes_of(1) == "precious");
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_mounted_keeps_what_refers_to_it) {
    const Places places;
    places.upload("precious");
    move_to(places, ContentPlace::files);
    const auto elsewhere = places.folder.string() + "-elsewhere";
    std::filesystem::rename(places.folder, elsewhere);
    std::filesystem::create_directory(places.folder);

    places.upload("precious");
    std::filesystem::remove(places.folder);
    std::filesystem::rename(elsewhere, places.folder);

    BOOST_TEST((places.content_of(1).place == ContentPlace::files));
    BOOST_TEST((places.content_of(2).place == ContentPlace::database));
    BOOST_TEST(places.bytes_of(1) == "precious");
}

BOOST_DATA_TEST_CASE(what_is_gone_from_its_place_is_replaced_and_its_row_swept,
                     data::make(all_places), word) {
    const Places places(place_named(word));
    places.upload("precious");
    places.upload("precious");
    places.contents.at(place_named(word)).remove(places.content_of(1).name);

    places.upload("precious");

    for (const int version : {1, 2, 3}) BOOST_TEST(places.bytes_of(version) == "precious");
    BOOST_TEST(sweep(places).removed == 1);
    BOOST_TEST(places.rows() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
