#include "tests/integration/provisioner/remote/remote_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace tests::integration {

using provisioner::remote::Run;
using provisioner::remote::Session;
using provisioner::remote::StepKey;
using provisioner::remote::Stream;

namespace {

/// Gives a value, as await() wants one.
boost::asio::awaitable<bool> stopping(Session& session, StepKey key) {
    co_await session.stop(std::move(key));
    co_return true;
}

}  // namespace

RemoteFixture::RemoteFixture()
    : connector(provisioner::remote::make_ssh_connector({.state_directory = path("state")})) {}

std::shared_ptr<Session> RemoteFixture::connect() {
    const auto endpoint = sshd.endpoint();
    return await(connector->connect(endpoint, std::chrono::seconds(20)));
}

Told RemoteFixture::run(Session& session, std::string script) {
    return run(session, std::move(script), {"step-" + std::to_string(++keys_used_), 1});
}

Told RemoteFixture::run(Session& session, std::string script, StepKey key) {
    return await(running(session, {.label = "test", .script = std::move(script)}, std::move(key)));
}

void RemoteFixture::stop(Session& session, StepKey key) {
    await(stopping(session, std::move(key)));
}

boost::asio::awaitable<Told> RemoteFixture::running(Session& session, Run run, StepKey key) {
    Told told;
    const provisioner::remote::OutputSink sink = [&told](Stream stream, std::string_view piece) {
        (stream == Stream::out ? told.out : told.err) += piece;
    };
    told.result = co_await session.run(run, key, sink);
    co_return told;
}

boost::asio::awaitable<void> RemoteFixture::run_and_be_cut(Session& session, Run run, StepKey key) {
    bool cut = false;
    const provisioner::remote::OutputSink sink = [&](Stream, std::string_view piece) {
        if (cut || piece.find("ready") == std::string_view::npos) return;
        cut = true;
        sshd.cut_connections();
    };
    co_await session.run(run, key, sink);
}

bool is_running(const std::string& pid) {
    const std::string stat = support::text_of_file("/proc/" + pid + "/stat");
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

int lines_of(const std::string& path) {
    const std::string text = support::text_of_file(path);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace tests::integration
