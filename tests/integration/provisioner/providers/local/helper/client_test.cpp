#include <sys/stat.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <functional>
#include <thread>

#include "provisioner/providers/local/helper_client.hpp"

using namespace provisioner::providers::local;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using Stream = asio::local::stream_protocol;

// What the daemon makes of helpers that are not as they should be.
BOOST_AUTO_TEST_SUITE(helper_client)

namespace {

/// A helper of one conversation.
class FakeHelper {
 public:
    explicit FakeHelper(std::function<void(Stream::socket&)> answer)
        : acceptor_(loop_, Stream::endpoint(path())), thread_([this, answer = std::move(answer)] {
              Stream::socket client(loop_);
              acceptor_.accept(client);
              asio::read_until(client, asio::dynamic_buffer(request), '\n');
              answer(client);
          }) {}
    ~FakeHelper() {
        thread_.join();
        std::filesystem::remove_all(folder_);
    }

    std::string path() const { return folder_ + "/sock"; }

    std::string request;

 private:
    static std::string made_folder() {
        char name[] = "/tmp/helper-client-XXXXXX";
        return mkdtemp(name);
    }

    std::string folder_ = made_folder();
    asio::io_context loop_;
    Stream::acceptor acceptor_;
    std::thread thread_;
};

/// The answer, or what was thrown without the beginning that names the socket.
std::string asked(const FakeHelper& helper, std::chrono::milliseconds limit = 20s) {
    asio::io_context loop;
    auto result =
        asio::co_spawn(loop, ask_helper(helper.path(), "request\n", limit), asio::use_future);
    loop.run();
    const std::string named = "the helper for local hosts at " + helper.path() + " ";
    try {
        return result.get();
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        BOOST_TEST(text.starts_with(named));
        return text.substr(std::min(named.size(), text.size()));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_is_read_to_its_end_however_it_comes) {
    FakeHelper helper([](Stream::socket& client) {
        for (int i = 0; i < 100'000; ++i) asio::write(client, asio::buffer("line\n", 5));
    });

    BOOST_TEST(asked(helper).size() == 500'000u);
    BOOST_TEST(helper.request == "request\n");
}

BOOST_AUTO_TEST_CASE(a_helper_that_hangs_up_has_answered_nothing) {
    FakeHelper helper([](Stream::socket&) {});

    BOOST_TEST(asked(helper) == "");
}

BOOST_AUTO_TEST_CASE(a_helper_that_does_not_answer_is_waited_for_until_the_limit) {
    FakeHelper helper([](Stream::socket& client) {
        boost::system::error_code end;
        char letter = 0;
        asio::read(client, asio::buffer(&letter, 1), end);
    });

    BOOST_TEST(asked(helper, 100ms) == "gave no answer in 100 ms");
}

BOOST_AUTO_TEST_CASE(an_answer_without_an_end_is_cut_off) {
    FakeHelper helper([](Stream::socket& client) {
        const std::string piece(1 << 20, 'x');
        boost::system::error_code end;
        while (!end) asio::write(client, asio::buffer(piece), end);
    });

    BOOST_TEST(asked(helper) == "answered too much");
}

BOOST_AUTO_TEST_SUITE_END()
