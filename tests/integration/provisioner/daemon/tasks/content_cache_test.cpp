#include "provisioner/daemon/tasks/content_cache.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/contents/sources.hpp"
#include "provisioner/identity/sha256.hpp"

using namespace provisioner;
using daemon::ContentCache;
using daemon::ContentReader;
using model::Content;

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(content_cache)

namespace {

/// Gives a text and then, for that one text, is no more.
class FragileSource : public contents::Source {
 public:
    explicit FragileSource(const std::string& text)
        : text_(text), is_broken_(text == "broken off") {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t given = text_.read(into, size);
        if (given == 0 && is_broken_) throw std::runtime_error("the place does not answer");
        return given;
    }

 private:
    contents::TextSource text_;
    bool is_broken_;
};

std::string sha256_of(const std::string& text) {
    identity::Sha256 sum;
    sum.add(text);
    return sum.finish();
}

std::string all_of(ContentReader& reader) {
    std::string text;
    for (auto piece = reader.next(); !piece.empty(); piece = reader.next()) text += piece;
    return text;
}

Content content(const std::string& text) {
    return {.name = text.substr(0, 4), .sha256 = sha256_of(text), .size = text.size()};
}

std::string new_folder() {
    char name[] = "/tmp/content-cache-XXXXXX";
    return ::mkdtemp(name);
}

/// A cache of at most 100 bytes in a folder of its own.
struct Fixture {
    ~Fixture() { fs::remove_all(folder); }

    void keep(const std::string& text) { kept[sha256_of(text)] = text; }

    std::unique_ptr<contents::Source> fetch(const Content& wanted) {
        ++fetches;
        if (lost > 0) {
            --lost;
            throw std::runtime_error("the place does not answer");
        }
        return std::make_unique<FragileSource>(kept.at(wanted.sha256));
    }

    std::string read(const Content& wanted) {
        boost::asio::io_context loop;
        auto opened = boost::asio::co_spawn(loop, cache.open(wanted), boost::asio::use_future);
        loop.run();
        return all_of(*opened.get());
    }

    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder + "/cache"), fs::directory_iterator()));
    }

    const std::string folder = new_folder();
    std::map<std::string, std::string> kept;
    std::atomic<int> fetches{0};
    std::atomic<int> lost{0};
    ContentCache cache{folder + "/cache", 100,
                       [this](const Content& wanted) { return fetch(wanted); }};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_content_is_fetched_once, Fixture) {
    keep("some text");

    BOOST_TEST(read(content("some text")) == "some text");
    BOOST_TEST(read(content("some text")) == "some text");

    BOOST_TEST(fetches == 1);
}

BOOST_FIXTURE_TEST_CASE(those_who_ask_at_the_same_time_wait_for_one_fetch, Fixture) {
    keep("some text");
    constexpr int many = 20;
    boost::asio::io_context loop;
    std::vector<std::future<std::unique_ptr<ContentReader>>> opened;
    for (int i = 0; i < many; ++i) {
        opened.push_back(
            boost::asio::co_spawn(loop, cache.open(content("some text")), boost::asio::use_future));
    }

    loop.run();

    for (auto& one : opened) BOOST_TEST(all_of(*one.get()) == "some text");
    BOOST_TEST(fetches == 1);
}

BOOST_FIXTURE_TEST_CASE(several_loops_share_a_cache, Fixture) {
    keep("some text");
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { right += read(content("some text")) == "some text" ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(right == 4);
}

BOOST_FIXTURE_TEST_CASE(a_fetch_that_fails_is_told_and_tried_anew_the_next_time, Fixture) {
    keep("some text");
    lost = 1;

    BOOST_CHECK_EXCEPTION(read(content("some text")), std::runtime_error, [](const auto& error) {
        return std::string(error.what()) == "the place does not answer";
    });
    BOOST_TEST(files() == 0U);

    BOOST_TEST(read(content("some text")) == "some text");
}

BOOST_FIXTURE_TEST_CASE(a_source_that_breaks_leaves_nothing, Fixture) {
    keep("broken off");

    BOOST_CHECK_THROW(read(content("broken off")), std::runtime_error);

    BOOST_TEST(files() == 0U);
}

BOOST_FIXTURE_TEST_CASE(what_was_used_longest_ago_goes_when_there_is_too_much, Fixture) {
    const std::string first(40, 'a');
    const std::string second(40, 'b');
    const std::string third(40, 'c');
    for (const std::string& text : {first, second, third}) keep(text);
    read(content(first));
    read(content(second));
    fs::last_write_time(folder + "/cache/" + sha256_of(second),
                        fs::file_time_type::clock::now() - std::chrono::minutes(1));

    read(content(third));

    BOOST_TEST(files() == 2U);
    BOOST_TEST(fetches == 3);
    read(content(first));
    BOOST_TEST(fetches == 3);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_not_whole_is_fetched_again, Fixture) {
    keep("some text");
    read(content("some text"));
    fs::resize_file(folder + "/cache/" + sha256_of("some text"), 4);

    BOOST_TEST(read(content("some text")) == "some text");

    BOOST_TEST(fetches == 2);
}

BOOST_FIXTURE_TEST_CASE(what_is_to_be_forgotten_is_fetched_again, Fixture) {
    keep("some text");
    read(content("some text"));

    cache.forget(content("some text"));

    BOOST_TEST(read(content("some text")) == "some text");
    BOOST_TEST(fetches == 2);
}

BOOST_FIXTURE_TEST_CASE(a_content_larger_than_the_room_is_there_while_it_is_the_newest, Fixture) {
    const std::string large(500, 'a');
    keep(large);

    BOOST_TEST(read(content(large)) == large);
}

BOOST_FIXTURE_TEST_CASE(leftovers_of_a_daemon_that_died_go, Fixture) {
    keep("some text");
    fs::create_directory(folder + "/cache");
    const std::string left = folder + "/cache/" + sha256_of("x") + ".cafe";
    const std::string arriving = folder + "/cache/" + sha256_of("y") + ".cafe";
    for (const std::string& path : {left, arriving}) std::ofstream(path) << "x";
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));

    read(content("some text"));

    BOOST_TEST(!fs::exists(left));
    BOOST_TEST(fs::exists(arriving));
}

BOOST_AUTO_TEST_SUITE_END()
