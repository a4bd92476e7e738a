#include "provisioner/callbacks/mail_sender.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/monitoring/monitoring_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "tests/integration/provisioner/site.hpp"
#include "tests/support/python_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::CallbackEvent;

BOOST_AUTO_TEST_SUITE(mail_sender)

namespace {

constexpr auto mailbox = "tests/integration/provisioner/callbacks/mailbox.py";

class StoppedClock final : public base::Clock {
 public:
    base::Timestamp now() const override { return moment; }
    base::Timestamp moment = base::SystemClock().now();
};

struct PostOffice : tests::ClusterSite {
    PostOffice() { std::filesystem::create_directories(folder); }
    ~PostOffice() { std::filesystem::remove_all(folder); }

    callbacks::MailSender sender(int port, const std::string& more = "") {
        const auto rules = callbacks::mail_rules_from(base::Config::parse(
            "mail.server = smtp://localhost:" + std::to_string(port) +
            "\nmail.from = cooperage@host.example\nweb.address = https://c.example\n" + more));
        BOOST_REQUIRE(rules.has_value());
        return {fresh.database, *rules, "1a2b", clock, log};
    }

    void want(std::set<CallbackEvent> events, const std::string& address = "ann@example.com") {
        fresh.database.write([&](store::Connection& connection) {
            store::save_mail_choice(connection, caller.user.id,
                                    {.address = address, .events = std::move(events)});
        });
    }

    void write_mail(const std::string& subject = "Hello", const std::string& body = "a\n.\nb\n") {
        fresh.database.write([&](store::Connection& connection) {
            store::insert_mail(connection, {.user = caller.user.id,
                                            .address = "ann@example.com",
                                            .subject = subject,
                                            .body = body});
        });
    }

    /// What the server took.
    std::vector<base::Json> received() const {
        std::vector<base::Json> mails;
        std::ifstream file(got);
        for (std::string line; std::getline(file, line);) {
            mails.push_back(base::parse_json(line).value());
        }
        return mails;
    }

    long long waiting() {
        return fresh.database.read([](store::Connection& connection) {
            store::Rows row = connection.sql("SELECT COUNT(*) AS mails FROM mail")
                              << store::one_row;
            return row.get<long long>("mails");
        });
    }

    void make_due() {
        queue::execute(*queue::connect(fresh.root), "UPDATE mail SET next_at = UTC_TIMESTAMP(6)");
    }

    std::string folder = "/tmp/mailbox-" + std::to_string(::getpid());
    std::string got = folder + "/got";
    StoppedClock clock;
    std::ostringstream lines;
    base::Log log{lines, clock};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_owner_of_a_cluster_is_told_what_they_chose_and_once, PostOffice) {
    const tests::PythonServer server({mailbox, got});
    auto sender = this->sender(server.port());
    want({CallbackEvent::success});
    succeed_all();

    BOOST_TEST(sender.send_due() == 1);
    BOOST_TEST(sender.send_due() == 0);
    const auto mails = received();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails[0].at("from") == "cooperage@host.example");
    BOOST_TEST(mails[0].at("to") == base::Json({"ann@example.com"}));
    BOOST_TEST(mails[0].at("subject") == details().name + " is ready");
    BOOST_TEST(mails[0].at("defects").empty());
    const auto body = mails[0].at("body").get<std::string>();
    BOOST_TEST(body.find("https://c.example/clusters/" + model::wire_id(cluster)) !=
               std::string::npos);

    // Another daemon, or the same one later, tells nothing again.
    clock.moment += 2min;
    BOOST_TEST(sender.send_due() == 0);
    BOOST_TEST(this->sender(server.port()).send_due() == 0);
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(lines.str() == "");
}

BOOST_FIXTURE_TEST_CASE(nobody_is_told_what_they_did_not_choose_or_what_is_long_over, PostOffice) {
    const tests::PythonServer server({mailbox, got});
    auto sender = this->sender(server.port());
    want({CallbackEvent::failure, CallbackEvent::expiring});
    succeed_all();
    BOOST_TEST(sender.send_due() == 0);
    // Chosen too late: it is noted already.
    want({CallbackEvent::success});
    clock.moment += 2min;
    BOOST_TEST(sender.send_due() == 0);

    const auto root = queue::connect(fresh.root);
    queue::execute(*root,
                   "UPDATE callback SET is_noted = FALSE, "
                   "created_at = UTC_TIMESTAMP(6) - INTERVAL 25 HOUR");
    clock.moment += 2min;
    BOOST_TEST(sender.send_due() == 0);
    queue::execute(*root, "UPDATE callback SET is_noted = FALSE, created_at = UTC_TIMESTAMP(6)");
    queue::execute(*root, "UPDATE user SET disabled = TRUE");
    clock.moment += 2min;
    BOOST_TEST(sender.send_due() == 0);
}

BOOST_FIXTURE_TEST_CASE(what_happens_at_about_the_same_time_comes_in_few_mails, PostOffice) {
    const tests::PythonServer server({mailbox, got});
    auto sender = this->sender(server.port());
    want({CallbackEvent::success, CallbackEvent::failure});
    succeed_all();
    queue::execute(*queue::connect(fresh.root),
                   "INSERT INTO callback (cluster_id, job_id, event, cluster_status, job_status, "
                   "message, state, attempts, next_at, error, created_at, finished_at) "
                   "SELECT cluster_id, job_id, 'failure', 'incomplete', 'failed', 'no space', "
                   "'unwanted', 0, NULL, '', created_at, created_at FROM callback, seq_1_to_1200 "
                   "WHERE event = 'success'");

    // 1202 events are read in three parts, each of which is a mail.
    while (sender.send_due() > 0) continue;
    const auto mails = received();
    BOOST_REQUIRE(mails.size() == 3U);
    BOOST_TEST(mails[1].at("subject") == "500 updates about your clusters, 500 failures");
    BOOST_TEST(mails[1].at("body").get<std::string>().find("And 450 more.") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_away_gets_the_mail_later, PostOffice) {
    int port = 0;
    {
        const tests::PythonServer server({mailbox, got});
        port = server.port();
    }
    write_mail();
    auto sender = this->sender(port);
    BOOST_TEST(sender.send_due() == 1);
    BOOST_TEST(sender.send_due() == 0);
    BOOST_TEST(waiting() == 1);
    BOOST_TEST(lines.str().find("mail.failed") != std::string::npos, lines.str());
    BOOST_TEST(lines.str().find("ann@example.com") == std::string::npos, lines.str());
    const auto numbers = fresh.database.read(store::watched_numbers);
    BOOST_TEST(numbers.mails_failing == 1);
    BOOST_TEST(numbers.mail_error.starts_with("smtp://localhost:" + std::to_string(port) + ": "),
               numbers.mail_error);

    const tests::PythonServer server({mailbox, got});
    make_due();
    BOOST_TEST(this->sender(server.port()).send_due() == 1);
    BOOST_TEST(waiting() == 0);
    const auto mails = received();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails[0].at("body") == "a\n.\nb\n");
    BOOST_TEST(mails[0].at("id").get<std::string>().ends_with(".1a2b@host.example>"));
}

BOOST_FIXTURE_TEST_CASE(an_address_that_is_refused_for_good_is_given_up, PostOffice) {
    const tests::PythonServer refusing({mailbox, got, "--refuse", "550"});
    write_mail();
    BOOST_TEST(sender(refusing.port()).send_due() == 1);
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(lines.str().find("mail.given_up") != std::string::npos, lines.str());

    const tests::PythonServer busy({mailbox, got, "--refuse", "451"});
    write_mail();
    BOOST_TEST(sender(busy.port()).send_due() == 1);
    BOOST_TEST(waiting() == 1);
    // The last of 45 tries.
    queue::execute(*queue::connect(fresh.root), "UPDATE mail SET attempts = 44");
    make_due();
    BOOST_TEST(sender(busy.port()).send_due() == 1);
    BOOST_TEST(waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(what_is_wrong_with_the_settings_costs_no_mail, PostOffice) {
    // To the sender: not about the receiver. To the receiver 554 may mean that the account is
    // missing.
    for (const char* where : {"--refuse-sender", "--refuse"}) {
        const tests::PythonServer server({mailbox, got, where, "554"});
        write_mail();
        BOOST_TEST(sender(server.port()).send_due() == 1);
        BOOST_TEST(waiting() == 1, where);
        queue::execute(*queue::connect(fresh.root), "DELETE FROM mail");
    }
    const tests::PythonServer server({mailbox, got, "--refuse-text", "554"});
    write_mail();
    BOOST_TEST(sender(server.port()).send_due() == 1);
    BOOST_TEST(waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_never_says_goodbye_costs_seconds_and_the_mail_is_sent,
                        PostOffice) {
    const tests::PythonServer server({mailbox, got, "--hang-at-end"});
    write_mail();
    auto sender = this->sender(server.port(), "mail.timeout = 2\n");
    const auto began = std::chrono::steady_clock::now();
    BOOST_TEST(sender.send_due() == 1);
    BOOST_TEST((std::chrono::steady_clock::now() - began < 15s));
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(received().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_stop_ends_the_delivery_under_way, PostOffice) {
    const tests::PythonServer server({mailbox, got, "--hang"});
    write_mail();
    auto sender = this->sender(server.port());
    std::thread stopping([&] {
        std::this_thread::sleep_for(1s);
        sender.stop();
    });
    const auto began = std::chrono::steady_clock::now();
    BOOST_TEST(sender.send_due() == 1);
    BOOST_TEST((std::chrono::steady_clock::now() - began < 8s));
    stopping.join();
    BOOST_TEST(waiting() == 1);
}

BOOST_FIXTURE_TEST_CASE(what_is_too_old_or_for_somebody_locked_is_not_sent, PostOffice) {
    const tests::PythonServer server({mailbox, got});
    const auto root = queue::connect(fresh.root);
    write_mail();
    queue::execute(*root, "UPDATE mail SET until = UTC_TIMESTAMP(6)");
    BOOST_TEST(sender(server.port()).send_due() == 1);
    write_mail();
    queue::execute(*root, "UPDATE user SET disabled = TRUE");
    BOOST_TEST(sender(server.port()).send_due() == 1);
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(received().empty());
}

BOOST_FIXTURE_TEST_CASE(codes_go_before_what_waits_longer, PostOffice) {
    const tests::PythonServer server({mailbox, got});
    write_mail("news");
    fresh.database.write([&](store::Connection& connection) {
        store::insert_mail(connection, {.user = caller.user.id,
                                        .address = "ann@example.com",
                                        .subject = "code",
                                        .is_code = true});
    });
    auto sender = this->sender(server.port());
    BOOST_TEST(sender.send_due() == 1);
    BOOST_TEST(sender.send_due() == 1);
    BOOST_REQUIRE(received().size() == 2U);
    BOOST_TEST(received()[0].at("subject") == "code");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_hangs_is_left_in_time, PostOffice) {
    const tests::PythonServer server({mailbox, got, "--hang"});
    write_mail();
    const auto began = std::chrono::steady_clock::now();
    BOOST_TEST(sender(server.port(), "mail.timeout = 1\n").send_due() == 1);
    BOOST_TEST((std::chrono::steady_clock::now() - began < 15s));
    BOOST_TEST(waiting() == 1);
}

BOOST_FIXTURE_TEST_CASE(account_and_certificate_are_needed_where_the_server_wants_them,
                        PostOffice) {
    const std::string key = folder + "/key.pem";
    const std::string certificate = folder + "/certificate.pem";
    const std::string made =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
        key + " -out " + certificate + " 2>/dev/null";
    BOOST_REQUIRE(std::system(made.c_str()) == 0);  // NOLINT(concurrency-mt-unsafe)
    const std::string password = folder + "/password";
    std::ofstream(password) << "hunter2\n";
    BOOST_REQUIRE(::chmod(password.c_str(), 0600) == 0);
    const tests::PythonServer server(
        {mailbox, got, "--account", "cooperage", "hunter2", "--tls", certificate, key});
    const std::string account = "mail.user = cooperage\nmail.password_file = " + password + "\n";

    write_mail();
    // Without TLS, with TLS and without the account, with all.
    for (const auto& [settings, left] :
         {std::pair{account, 1LL}, std::pair{"mail.tls_ca = " + certificate + "\n", 1LL},
          std::pair{account + "mail.tls_ca = /etc/ssl/certs/ca-certificates.crt\n", 1LL},
          std::pair{account + "mail.tls_ca = " + certificate + "\n", 0LL}}) {
        make_due();
        BOOST_TEST(sender(server.port(), settings).send_due() == 1);
        BOOST_TEST(waiting() == left, settings);
    }
    BOOST_REQUIRE(received().size() == 1U);
    BOOST_TEST(received()[0].at("tls") == true);
    BOOST_TEST(lines.str().find("hunter2") == std::string::npos, lines.str());
}

BOOST_AUTO_TEST_CASE(wrong_settings_are_named) {
    const auto why = [](const std::string& settings) {
        try {
            const auto rules = callbacks::mail_rules_from(base::Config::parse(settings));
            return std::string(rules ? "fine" : "no mails");
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
    };
    BOOST_TEST(why("") == "no mails");
    BOOST_TEST(why("mail.server = smtp://mail.example.com\nmail.from = a@b.example\n") == "fine");
    BOOST_TEST(why("mail.server = mail.example.com\nmail.from = a@b.example\n")
                   .starts_with("mail.server has to be smtp://"));
    BOOST_TEST(why("mail.server = smtp://mail.example.com\n").starts_with("mail.from has to be"));
    BOOST_TEST(
        why("mail.server = smtp://mail.example.com\nmail.from = a@b.example\nmail.user = a\n")
            .starts_with("mail.user and mail.password_file"));
}

BOOST_AUTO_TEST_SUITE_END()
