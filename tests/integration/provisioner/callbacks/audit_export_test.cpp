#include "provisioner/callbacks/audit_export.hpp"
#include "provisioner/identity/ed25519.hpp"
#include "provisioner/store/audit/seal_store.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/support/python_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(audit_export)

namespace {

constexpr auto audit_sink = "tests/integration/provisioner/http_client/sink.py";

/// A receiver of HTTP: notes what it is told and answers as it is told to.
struct AuditEar {
    std::vector<http_client::Request> heard;
    int answer = 200;
};

class AuditClient final : public http_client::Client {
 public:
    explicit AuditClient(AuditEar& ear) : ear_(ear) {}

    boost::asio::awaitable<http_client::Reply> send(http_client::Request request) override {
        ear_.heard.push_back(std::move(request));
        http_client::Reply reply;
        reply.status = ear_.answer;
        co_return reply;
    }

 private:
    AuditEar& ear_;
};

struct ExportSite {
    ExportSite() { std::ofstream{got}; }
    ~ExportSite() { std::filesystem::remove(got); }

    void record(int count, long long chain = 7) {
        for (int i = 0; i < count; ++i) {
            fresh.database.write([&](store::Connection& connection) {
                model::audit::Event event;
                event.chain = model::TenantId{chain};
                event.action = "cluster.create";
                event.object = {.kind = "cluster", .name = "a\nb " + std::to_string(++recorded)};
                store::record(connection, {event});
            });
        }
    }

    callbacks::AuditExporter exporter(const std::string& settings,
                                      const std::string& holder = "one") {
        return {fresh.database,
                callbacks::audit_targets_from(base::Config::parse(settings)),
                std::make_unique<AuditClient>(ear),
                holder,
                clock,
                log};
    }

    /// The pause after a failure is over.
    void let_time_pass() {
        const auto connection = queue::connect(fresh.config);
        queue::execute(*connection,
                       "UPDATE audit_target SET retry_at = NULL, held_until = '2000-01-01'");
    }

    std::string text() const {
        std::ostringstream all;
        all << std::ifstream(got).rdbuf();
        return all.str();
    }

    /// The numbers of a chain in what syslog got, in order: "1 2 3 ". Fails where the framing is
    /// wrong.
    std::string numbers(const std::string& chain) const {
        const std::string all = text();
        std::string numbers;
        for (std::size_t at = 0; at < all.size();) {
            const auto blank = all.find(' ', at);
            const auto size = std::stoul(all.substr(at, blank - at));
            const std::string message = all.substr(blank + 1, size);
            BOOST_TEST_REQUIRE(message.size() == size);
            BOOST_TEST(message.find('\n') == std::string::npos);
            at = blank + 1 + size;
            if (message.find(" chain=\"" + chain + "\"") == std::string::npos) continue;
            const auto number = message.find(" number=\"") + 9;
            numbers += message.substr(number, message.find('"', number) - number) + ' ';
        }
        return numbers;
    }

    tests::FreshDatabase fresh;
    AuditEar ear;
    base::SystemClock clock;
    std::ostringstream logged;
    base::Log log{logged, clock};
    std::string got =
        std::filesystem::temp_directory_path() / ("audit-sink-" + std::to_string(getpid()));
    int recorded = 0;
};

const auto never_over = [] { return false; };

}  // namespace

BOOST_FIXTURE_TEST_CASE(syslog_gets_after_an_outage_what_it_missed_once_and_in_order, ExportSite) {
    int port = 0;
    {
        const tests::PythonServer server({audit_sink, got, "0"});
        port = server.port();
        auto exporter = this->exporter("audit.syslog = tcp://127.0.0.1:" + std::to_string(port));
        record(3);
        record(1, 0);
        BOOST_TEST(exporter.send_due(never_over) == 4);
        BOOST_TEST(exporter.send_due(never_over) == 0);
        BOOST_TEST(numbers("7") == "1 2 3 ");
        BOOST_TEST(numbers("installation") == "1 ");
    }
    auto exporter = this->exporter("audit.syslog = tcp://127.0.0.1:" + std::to_string(port));
    record(450);
    BOOST_TEST(exporter.send_due(never_over) == 0);
    BOOST_TEST(logged.str().find("audit.not_exported") != std::string::npos);

    const tests::PythonServer server({audit_sink, got, std::to_string(port)});
    BOOST_TEST(exporter.send_due(never_over) == 0);  // It waits a while after a failure.
    let_time_pass();
    BOOST_TEST(exporter.send_due(never_over) == 450);

    std::string all;
    for (int i = 1; i <= 453; ++i) all += std::to_string(i) + ' ';
    BOOST_TEST(numbers("7") == all);
}

BOOST_FIXTURE_TEST_CASE(a_row_far_ahead_does_not_keep_what_follows_from_receivers, ExportSite) {
    const tests::PythonServer server({audit_sink, got, "0"});
    auto exporter =
        this->exporter("audit.syslog = tcp://127.0.0.1:" + std::to_string(server.port()));
    const auto as_intruder = [&](const std::string& statement) {
        queue::execute(*queue::connect(fresh.root), statement);
    };
    record(2);
    as_intruder(
        "INSERT INTO audit_event (tenant_id, number, at, user_id, user_name, user_tenant, "
        "role, credential, client, request, action, object_kind, object_id, object_name, "
        "outcome, status, reason, times, before_value, after_value, previous, hash) SELECT "
        "tenant_id, 4611686018427387904, at, user_id, user_name, user_tenant, role, "
        "credential, client, request, action, object_kind, object_id, object_name, outcome, "
        "status, reason, times, before_value, after_value, previous, hash FROM audit_event "
        "WHERE number = 2");

    BOOST_TEST(exporter.send_due(never_over) == 2);
    record(2);
    BOOST_TEST(exporter.send_due(never_over) == 2);
    BOOST_TEST(numbers("7") == "1 2 3 4 ");
    BOOST_TEST(logged.str() == "");

    as_intruder("UPDATE audit_chain SET number = 4611686018427387904");
    BOOST_TEST(exporter.send_due(never_over) == 0);
    BOOST_TEST(logged.str().find("events are missing in the chain of 7") != std::string::npos,
               logged.str());
    as_intruder("UPDATE audit_chain SET number = 4");
    let_time_pass();
    record(1);
    BOOST_TEST(exporter.send_due(never_over) == 1);
    BOOST_TEST(numbers("7") == "1 2 3 4 5 ");
}

BOOST_FIXTURE_TEST_CASE(a_broken_chain_keeps_no_events_of_others_from_receivers, ExportSite) {
    const tests::PythonServer server({audit_sink, got, "0"});
    const std::string to_syslog =
        "audit.syslog = tcp://127.0.0.1:" + std::to_string(server.port()) + '\n';
    auto exporter = this->exporter(
        to_syslog + "audit.webhook = https://ann:hunter2@ear.example/audit?token=hunter2");
    // Chains are read in the order of their numbers: the broken one comes first.
    record(450, 7);
    record(2, 8);
    queue::execute(*queue::connect(fresh.root),
                   "DELETE FROM audit_event WHERE tenant_id = 7 AND number = 1");

    BOOST_TEST(exporter.send_due(never_over) == 4);
    BOOST_TEST(numbers("8") == "1 2 ");
    BOOST_TEST(numbers("7") == "");
    BOOST_TEST_REQUIRE(ear.heard.size() == 1U);
    BOOST_TEST(std::count(ear.heard[0].body.begin(), ear.heard[0].body.end(), '\n') == 2);
    BOOST_TEST(ear.heard[0].body.find(R"("chain":"8")") != std::string::npos);
    const std::string lines = logged.str();
    const std::string finding = "events are missing in the chain of 7";
    BOOST_TEST(lines.find(finding) != lines.rfind(finding), lines);
    BOOST_TEST(lines.find("hunter2") == std::string::npos, lines);

    // It waits after that, and goes on with the others.
    record(1, 8);
    BOOST_TEST(exporter.send_due(never_over) == 0);
    let_time_pass();
    BOOST_TEST(exporter.send_due(never_over) == 2);
    BOOST_TEST(numbers("8") == "1 2 3 ");
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_comes_back_goes_on_behind_what_was_deleted_meanwhile,
                        ExportSite) {
    const tests::PythonServer server({audit_sink, got, "0"});
    auto exporter =
        this->exporter("audit.syslog = tcp://127.0.0.1:" + std::to_string(server.port()));
    const auto key = identity::SigningKey::from_text(
        "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    const model::TenantId chain{7};
    record(2);
    BOOST_TEST(exporter.send_due(never_over) == 2);
    record(3);
    BOOST_REQUIRE(store::seal_chain(fresh.database, chain, key).seal.has_value());
    const auto deleted = fresh.database.write([&](store::Connection& connection) {
        return store::prune_events(connection, chain, key,
                                   base::SystemClock().now() + std::chrono::hours{1}, INT64_MAX, 9);
    });
    BOOST_REQUIRE(deleted == 5);
    record(1);

    BOOST_TEST(exporter.send_due(never_over) == 2);
    BOOST_TEST(numbers("7") == "1 2 6 7 ");
}

BOOST_FIXTURE_TEST_CASE(a_webhook_gets_lines_of_json_signed_until_it_takes_them, ExportSite) {
    auto exporter = this->exporter("audit.webhook = https://ear.example/audit");
    record(2);
    ear.answer = 503;

    BOOST_TEST(exporter.send_due(never_over) == 0);
    let_time_pass();
    ear.answer = 204;
    BOOST_TEST(exporter.send_due(never_over) == 2);
    BOOST_TEST(exporter.send_due(never_over) == 0);

    BOOST_TEST_REQUIRE(ear.heard.size() == 2U);
    const auto& request = ear.heard.back();
    BOOST_TEST(request.body == ear.heard.front().body);
    BOOST_TEST(std::count(request.body.begin(), request.body.end(), '\n') == 2);
    const auto line = base::parse_json(request.body.substr(0, request.body.find('\n')));
    BOOST_REQUIRE(line.has_value());
    BOOST_TEST(line->at("action") == "cluster.create");
    BOOST_TEST(line->at("chain") == "7");
}

BOOST_FIXTURE_TEST_CASE(one_daemon_at_a_time_sends_to_a_receiver, ExportSite) {
    record(1);
    const std::string settings = "audit.webhook = https://ear.example/audit";
    auto one = exporter(settings, "one");
    auto two = exporter(settings, "two");
    BOOST_REQUIRE(fresh.database.write([](store::Connection& connection) {
        return store::hold_target(connection, "https://ear.example/audit", "one", 60s);
    }));

    BOOST_TEST(two.send_due(never_over) == 0);
    BOOST_TEST(ear.heard.empty());
    BOOST_TEST(one.send_due(never_over) == 1);
    BOOST_TEST(two.send_due(never_over) == 0);

    record(1);
    BOOST_TEST(two.send_due(never_over) == 1);
    BOOST_TEST(ear.heard.size() == 2U);
}

BOOST_AUTO_TEST_CASE(receivers_without_tls_are_on_this_machine) {
    const auto read = [](const std::string& settings) {
        return callbacks::audit_targets_from(base::Config::parse(settings));
    };
    for (const char* wrong :
         {"audit.syslog = tcp://log.example:514", "audit.syslog = udp://127.0.0.1:514",
          "audit.syslog = tcp+tls://log.example", "audit.syslog = tcp+tls://:6514",
          "audit.syslog = tcp+tls://log.example:99999", "audit.webhook = http://hook.example/",
          "audit.webhook = http://localhost.evil.example/"}) {
        BOOST_CHECK_THROW(read(wrong), std::runtime_error);
    }
    BOOST_TEST(read("audit.syslog = tcp+tls://[2001:db8::1]:6514").syslog->host == "2001:db8::1");
    BOOST_TEST(read("audit.syslog = tcp+tls://log.example:6514").syslog->port == 6514);
    BOOST_TEST(read("audit.webhook = http://127.0.0.1:8080/a").names().size() == 1U);
    BOOST_TEST(read("").names().empty());
}

BOOST_AUTO_TEST_SUITE_END()
