#include "provisioner/simulation/ledger_file.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/integration/provisioner/simulation/fixture.hpp"

using namespace provisioner::simulation;
using namespace std::chrono_literals;
using provisioner::base::Json;
using tests::integration::SimulationFixture;

namespace {

StepCourse course_printing(int lines) {
    StepCourse course;
    course.label = "start x";
    course.limit = 30s;
    course.lines = lines;
    return course;
}

/// No file may grow beyond so many bytes while it lives.
class LimitedFiles {
 public:
    explicit LimitedFiles(std::uintmax_t bytes) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~LimitedFiles() { setrlimit(RLIMIT_FSIZE, &before_); }
    LimitedFiles(const LimitedFiles&) = delete;
    LimitedFiles& operator=(const LimitedFiles&) = delete;

 private:
    rlimit before_{};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ledger_file, SimulationFixture)

BOOST_AUTO_TEST_CASE(what_one_appends_another_finds) {
    LedgerFile mine = ledgers.open_to_make("m");
    LedgerFile yours = ledgers.open("m");
    BOOST_TEST(!yours.refresh());
    BOOST_TEST(!yours.append(gone_record(clock.now())));

    mine.begin_with(made_record(clock.now(), "web.local", 5ms, Json::object()));

    BOOST_TEST(yours.refresh());
    BOOST_REQUIRE(yours.ledger().machine() != nullptr);
    BOOST_TEST(yours.ledger().machine()->hostname == "web.local");
}

BOOST_AUTO_TEST_CASE(writers_at_once_agree_on_who_began) {
    constexpr int writers = 4;
    constexpr int steps = 200;
    ledgers.open_to_make("m").begin_with(
        made_record(clock.now(), "web.local", 0ms, Json::object()));
    // For each writer and step: whose course it is that everybody follows.
    std::vector<std::vector<int>> began(writers, std::vector<int>(steps));
    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
            LedgerFile file = ledgers.open("m");
            for (int step = 0; step < steps; ++step) {
                const std::string key = std::to_string(step) + "-1-0";
                file.append(begun_record(clock.now(), {key, writer}, course_printing(writer)));
                began[writer][step] = file.ledger().step(key)->course.lines;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    for (int writer = 1; writer < writers; ++writer) BOOST_TEST(began[writer] == began[0]);
    LedgerFile reader = ledgers.open("m");
    BOOST_REQUIRE(reader.refresh());
    BOOST_TEST(reader.ledger().steps() == static_cast<std::size_t>(steps));
    BOOST_TEST(reader.ledger().step("0-1-0")->asked == writers);
}

BOOST_AUTO_TEST_CASE(a_ledger_goes_with_its_machine_unless_it_is_to_be_kept) {
    for (const char* name : {"kept", "lost"}) {
        ledgers.open_to_make(name).begin_with(refused_record(clock.now()));
    }

    ledgers.remove("kept", true, clock.now());
    ledgers.remove("lost", false, clock.now());
    ledgers.remove("never-there", true, clock.now());

    BOOST_TEST(files_in("machines") == "");
    BOOST_TEST(files_in("gone") == "00000000043200000000-kept");
}

BOOST_AUTO_TEST_CASE(a_machine_made_again_with_a_longer_ledger_is_another_one) {
    const auto make = [&](const char* hostname) {
        ledgers.open_to_make("m").begin_with(
            made_record(clock.now(), hostname, 5ms, Json::object()));
    };
    make("first");
    LedgerFile file = ledgers.open("m");
    BOOST_REQUIRE(file.refresh());

    ledgers.remove("m", true, clock.now());
    make("second.with.a.longer.name");

    BOOST_REQUIRE(file.refresh());
    BOOST_REQUIRE(file.ledger().machine() != nullptr);
    BOOST_TEST(file.ledger().machine()->hostname == "second.with.a.longer.name");
}

BOOST_AUTO_TEST_CASE(a_record_that_does_not_fit_on_the_disk_leaves_the_ledger_as_it_was) {
    LedgerFile file = ledgers.open_to_make("m");
    file.begin_with(made_record(clock.now(), "web.local", 5ms, Json::object()));
    const auto step = begun_record(clock.now(), {"17-1-0", 1}, course_printing(1));
    {
        const LimitedFiles full(std::filesystem::file_size(folder + "/machines/m") + 10);
        BOOST_CHECK_THROW(file.append(step), std::system_error);
    }

    BOOST_TEST(file.append(step));

    LedgerFile other = ledgers.open("m");
    BOOST_TEST(other.refresh());
    BOOST_TEST(other.ledger().step("17-1-0") != nullptr);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_no_file_name_is_refused) {
    for (const char* name : {"", ".", "..", "../escape", "a/b", "a b"}) {
        BOOST_CHECK_THROW(ledgers.open(name), std::invalid_argument);
    }
}

BOOST_AUTO_TEST_SUITE_END()
