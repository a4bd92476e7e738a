#include "provisioner/model/audit/event.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

#include "provisioner/model/audit/texts.hpp"
#include "provisioner/model/csv.hpp"

using namespace provisioner;
using namespace provisioner::model::audit;

BOOST_AUTO_TEST_SUITE(audit)

namespace {

Event an_event() {
    Event event;
    event.chain = model::TenantId{7};
    event.number = 12;
    event.at = base::from_sql("2026-11-20 23:28:02.123456");
    event.actor = {.user = model::UserId{3},
                   .name = "ann",
                   .tenant = "acme",
                   .role = "admin",
                   .credential = "key 4",
                   .client = "192.0.2.1",
                   .request = "4cdd7f8c"};
    event.action = "provider.replace";
    event.object = {.kind = "provider", .id = "2", .name = "cloud"};
    event.before = R"({"a":1})";
    event.after = R"({"a":2})";
    event.previous = std::string(hash_before_first);
    event.hash = "ab";
    return event;
}

base::Json json(const char* text) {
    return *base::parse_json(text);
}

int lines_of(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// Everything that some program takes for the end of a line.
const std::string breaks =
    "a\nb\rc\x0b\x0c\x1b[2Kd\x7f"
    "e\xc2\x85"
    "f\xe2\x80\xa8g\xe2\x80\xa9h\tz";

}  // namespace

// The form is promised: logs of years must stay verifiable.
BOOST_AUTO_TEST_CASE(the_canonical_form_of_an_event_is_stable) {
    BOOST_TEST(canonical(an_event()) ==
               "cooperage-audit-1\n1:7,2:12,26:2026-11-20 23:28:02.123456,1:3,3:ann,4:acme,5:admin,"
               "5:key 4,9:192.0.2.1,8:4cdd7f8c,16:provider.replace,8:provider,1:2,5:cloud,4:done,"
               "1:0,0:,1:1,7:{\"a\":1},7:{\"a\":2},64:" +
                   std::string(hash_before_first) + ",");
}

BOOST_AUTO_TEST_CASE(no_two_events_have_the_same_canonical_form) {
    std::set<std::string> forms{canonical(an_event())};
    const auto is_new = [&](auto&& change) {
        Event event = an_event();
        change(event);
        return forms.insert(canonical(event)).second;
    };

    BOOST_TEST(is_new([](Event& event) { event.chain.value = 8; }));
    BOOST_TEST(is_new([](Event& event) { event.number = 13; }));
    BOOST_TEST(is_new([](Event& event) { event.at += std::chrono::microseconds{1}; }));
    BOOST_TEST(is_new([](Event& event) { event.actor.user.value = 4; }));
    BOOST_TEST(is_new([](Event& event) { event.actor.name = "an", event.actor.tenant = "nacme"; }));
    BOOST_TEST(is_new([](Event& event) { event.actor.name = "ann,4:acme"; }));
    BOOST_TEST(is_new([](Event& event) { event.reason = "0:"; }));
    BOOST_TEST(is_new([](Event& event) { event.outcome = Outcome::refused; }));
    BOOST_TEST(is_new([](Event& event) { event.status = 1; }));
    BOOST_TEST(is_new([](Event& event) { event.times = 2; }));
    BOOST_TEST(is_new([](Event& event) { event.before = "", event.after += R"({"a":1})"; }));
}

BOOST_AUTO_TEST_CASE(a_superadmin_within_a_tenant_is_recorded_as_the_superadmin_they_are) {
    Caller caller;
    caller.user.tenant = TenantId{1};
    caller.user.name = "superadmin/root";
    caller.user.role = Role::auditor;
    caller.tenant.id = TenantId{7};
    caller.tenant.name = "demo";

    const auto actor = actor_of(caller);

    BOOST_TEST(actor.name == "root");
    BOOST_TEST(actor.tenant == "superadmin");
    BOOST_TEST(actor.role == "superadmin");
}

BOOST_AUTO_TEST_CASE(texts_are_cut_to_their_columns_and_made_utf_8) {
    Event event = an_event();
    event.actor.name = std::string(300, 'x') + "\xff";
    event.reason = "\xff" + std::string(2000, 'x');
    event.object.name = std::string(254, 'x') + "\xc3\xa4";

    const Event fitting = to_fitting(event);

    BOOST_TEST(fitting.actor.name.size() == 255U);
    BOOST_TEST(fitting.reason.starts_with("\xef\xbf\xbdx"));
    BOOST_TEST(fitting.reason.size() == 1000U);
    BOOST_TEST(fitting.object.name == std::string(254, 'x'));
}

BOOST_AUTO_TEST_CASE(secrets_are_masked_at_every_depth) {
    const auto masked = masked_deeply(json(
        R"({"provisioner":{"key":{"sealed":"1.abc"},"api_password":"p","region":"eu","token":""},
            "list":[{"SECRET_KEY":"s"},"plain"],"passwords":{"a":"b","password":7},"tokens":["a"],
            "db_pass":"x","keyPassphrase":"y","secrets":{}})"));

    BOOST_TEST(masked ==
               json(R"({"provisioner":{"key":"********","api_password":"********","region":"eu",
                        "token":""},"list":[{"SECRET_KEY":"********"},"plain"],
                        "passwords":"********","tokens":"********","db_pass":"********",
                        "keyPassphrase":"********","secrets":{}})"));
}

BOOST_AUTO_TEST_CASE(a_secret_that_was_changed_says_so) {
    const auto before = json(R"({"f":{"key":{"sealed":"1.abc"},"other":{"sealed":"1.x"}}})");
    const auto after = json(R"({"f":{"key":{"sealed":"1.def"},"other":{"sealed":"1.x"}}})");

    const auto shown = json(R"x({"f":{"key":"******** (changed)","other":"********"}})x");
    BOOST_TEST(masked_deeply(after, before) == shown);
}

BOOST_AUTO_TEST_CASE(an_event_is_one_line_of_csv_whatever_it_contains) {
    Event event = an_event();
    event.actor.name = event.object.name = event.reason = event.actor.request = breaks;
    event.after = "\"" + breaks + "\"";

    const auto row = model::csv_row(csv_values(event));

    BOOST_TEST(lines_of(row) == 1);
    BOOST_TEST(row.find('\x1b') == std::string::npos);
    BOOST_TEST(row.find("\xc2\x85") == std::string::npos);
    BOOST_TEST(row.find("\xe2\x80\xa8") == std::string::npos);
    BOOST_TEST(csv_values(event).size() == csv_columns().size());
}

BOOST_AUTO_TEST_CASE(a_cell_is_never_a_formula) {
    Event event = an_event();
    for (const char* name : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1"}) {
        event.object.name = name;

        const auto values = csv_values(event);

        BOOST_TEST(values[12].front() == '\'', name);
    }
    event.object.name = "a=1";
    BOOST_TEST(csv_values(event)[12] == "a=1");
}

BOOST_AUTO_TEST_CASE(an_event_is_a_message_of_syslog) {
    Event event = an_event();
    event.outcome = Outcome::refused;
    event.status = 403;
    event.reason = "no";

    BOOST_TEST(
        syslog_message(event, "host.example", "acme") ==
        "<108>1 2026-11-20T23:28:02.123456Z host.example cooperage - provider.replace "
        "[audit@32473 chain=\"acme\" number=\"12\" user=\"ann\" userTenant=\"acme\" role=\"admin\" "
        "credential=\"key 4\" client=\"192.0.2.1\" request=\"4cdd7f8c\" "
        "action=\"provider.replace\" objectKind=\"provider\" objectId=\"2\" objectName=\"cloud\" "
        "outcome=\"refused\" status=\"403\" hash=\"ab\"] "
        "\xef\xbb\xbf"
        "ann provider.replace provider cloud: refused, no");
    BOOST_TEST(framed("abc") == "3 abc");
}

BOOST_AUTO_TEST_CASE(nothing_in_an_event_breaks_out_of_its_message_of_syslog) {
    Event event = an_event();
    event.actor.name = "x\"] forged [a b=\"\\" + breaks;
    event.object.name = event.actor.name;
    event.action = "a b\nc";

    const auto message = syslog_message(event, "my host\n", "ac\"me");

    BOOST_TEST(lines_of(message) == 0);
    BOOST_TEST(message.find(" my_host_ cooperage - a_b_c [") != std::string::npos);
    BOOST_TEST(message.find("chain=\"ac\\\"me\"") != std::string::npos);
    BOOST_TEST(message.find("user=\"x\\\"\\] forged [a b=\\\"\\\\a b c") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_event_is_one_line_of_json) {
    Event event = an_event();
    event.reason = breaks;

    const auto line = base::to_text(to_json(event));

    BOOST_TEST(lines_of(line) == 0);
    BOOST_TEST(to_json(event).at("before") == json(R"({"a":1})"));
    event.before.clear();
    BOOST_TEST(to_json(event).at("before").is_null());
}

BOOST_AUTO_TEST_SUITE_END()
