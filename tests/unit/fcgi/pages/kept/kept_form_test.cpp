#include "fcgi/pages/kept/kept_form.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/kept/sent_once.hpp"

BOOST_AUTO_TEST_SUITE(kept_form)

namespace {

using namespace fcgi::pages;
using fcgi::http::Request;

Request sent_form(const std::string& path, const std::string& body) {
    Request request;
    request.method = "POST";
    request.path = path;
    request.body = body;
    request.headers["sec-fetch-site"] = "same-origin";
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_typed_is_kept_but_neither_secrets_nor_the_token) {
    const auto form = form_to_keep(
        sent_form("/people", "csrf=5f3c&name=ann+b&role=user&api_token=hunter2&password="), 1000);

    BOOST_REQUIRE(form.has_value());
    BOOST_TEST(form->path == "/people");
    BOOST_TEST(form->body == "name=ann%20b&role=user&kept-secret=api_token");
}

BOOST_AUTO_TEST_CASE(who_sent_a_form_twice_is_led_back_to_its_page) {
    Request sent = sent_form("/profile/keys", "name=a");
    BOOST_TEST(page_it_was_sent_from(sent) == "");
    sent.headers["referer"] = "https://cooperage.test/profile?done=key";
    BOOST_TEST(page_it_was_sent_from(sent) == "/profile?done=key");
    sent.prefix = "/site";
    BOOST_TEST(page_it_was_sent_from(sent) == "");
    sent.headers["referer"] = "https://cooperage.test/site/profile";
    BOOST_TEST(page_it_was_sent_from(sent) == "/profile");
    sent.headers["referer"] = "https://cooperage.test";
    BOOST_TEST(page_it_was_sent_from(sent) == "");
}

BOOST_AUTO_TEST_CASE(only_forms_of_this_site_are_kept) {
    Request other = sent_form("/people", "name=ann");
    other.headers["sec-fetch-site"] = "cross-site";
    Request silent = sent_form("/people", "name=ann");
    silent.headers.clear();
    Request read = sent_form("/people", "");
    read.method = "GET";

    BOOST_TEST(may_be_kept(sent_form("/people", "")));
    for (const Request& request :
         {other, silent, read, sent_form("/login", ""), sent_form("/login/code", ""),
          sent_form("/logout", ""), sent_form("/profile/password", "")}) {
        BOOST_TEST(!may_be_kept(request), request.method + request.path);
    }
}

BOOST_AUTO_TEST_CASE(a_form_that_is_too_long_is_not_kept) {
    BOOST_TEST(form_to_keep(sent_form("/people", "name=" + std::string(90, 'a')), 100).has_value());
    BOOST_TEST(!form_to_keep(sent_form("/people", "name=" + std::string(99, 'a')), 100));
}

BOOST_AUTO_TEST_CASE(a_form_travels_through_the_log_in_and_leads_to_this_site_only) {
    fcgi::http::FormData sent;
    sent.fields = {{"kept_path", "/people"}, {"kept_body", "name=ann"}};
    const auto form = travelling_form(sent);
    sent.fields[0].second = "//evil.test/";

    BOOST_REQUIRE(form.has_value());
    BOOST_TEST(form->body == "name=ann");
    BOOST_TEST(travelling_json(form).dump() == R"({"kept_path":"/people","kept_body":"name=ann"})");
    BOOST_TEST(!travelling_form(sent));
    BOOST_TEST(!travelling_form({}));
    sent.fields = {{"kept_path", "/people"},
                   {"kept_body", std::string(longest_travelling_form + 1, 'x')}};
    BOOST_TEST(!travelling_form(sent));
}

BOOST_AUTO_TEST_CASE(the_page_of_a_kept_form_sends_its_fields_and_asks_for_its_secrets) {
    const auto page = to_json(
        KeptFormPage{.form = {.path = "/people",
                              .body = "once=0a&name=ann&empty=&seen={}&kept-secret=api_token"}});

    BOOST_TEST(page.at("hidden").size() == 4U);
    BOOST_TEST(page.at("typed").size() == 1U);
    BOOST_TEST(page.at("secrets").at(0).at("name") == "api_token");
    BOOST_TEST(page.at("secrets").at(0).at("type") == "password");
}

BOOST_AUTO_TEST_CASE(nobody_marks_a_form_as_proven_by_a_field_of_theirs) {
    const auto sent = fcgi::http::parse_form("name=ann&kept-for-proof=yes");
    const auto kept = fields_to_keep(sent, [](const std::string&) { return false; });

    BOOST_TEST(kept == "name=ann");
}

BOOST_AUTO_TEST_CASE(a_form_that_travelled_has_no_marks_and_no_token) {
    fcgi::http::FormData sent;
    sent.fields = {{"kept_path", "/people/ann/role"},
                   {"kept_body",
                    "csrf=5f3c&role=admin&kept-secret=word&kept-for-proof=yes&kept-in-session=7"}};
    const auto form = travelling_form(sent);

    BOOST_REQUIRE(form.has_value());
    BOOST_TEST(form->body == "role=admin&kept-secret=word");
}

BOOST_AUTO_TEST_CASE(a_path_with_a_fragment_does_not_travel) {
    fcgi::http::FormData sent;
    sent.fields = {{"kept_path", "/profile/password#x"}, {"kept_body", "current=a"}};
    BOOST_TEST(!travelling_form(sent));
    sent.fields[0].second = "/people#x";
    BOOST_TEST(!travelling_form(sent));
}

BOOST_AUTO_TEST_CASE(a_form_of_a_log_in_is_seen_in_its_session_only) {
    provisioner::store::KeptForm form{.path = "/people", .body = "name=ann"};
    fcgi::auth::Visitor visitor;
    BOOST_TEST(may_see(form, visitor));

    belongs_to_session(form, {7});
    BOOST_TEST(!may_see(form, visitor));
    visitor.login.emplace();
    visitor.login->id = {8};
    BOOST_TEST(!may_see(form, visitor));
    visitor.login->id = {7};
    BOOST_TEST(may_see(form, visitor));
    BOOST_TEST(to_json(KeptFormPage{.form = form}).at("typed").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_user_that_was_made_once_is_led_to) {
    const auto ways = ways_to_what_was_made(sent_form("/tenants/demo/people", "name=ann+b"));

    BOOST_REQUIRE(ways.size() == 2U);
    BOOST_TEST(ways[0].first == "/tenants/demo/people/ann%20b");
    BOOST_TEST(ways_to_what_was_made(sent_form("/people", "")).empty());
    BOOST_TEST(ways_to_what_was_made(sent_form("/groups", "name=web")).empty());
    const auto way_from = [](const char* path) {
        return ways_to_what_was_made(sent_form(path, "")).at(0).first;
    };
    BOOST_TEST(way_from("/profile/keys") == "/profile#keys-title");
    BOOST_TEST(way_from("/profile/factor/recovery") == "/profile/factor");
    BOOST_TEST(way_from("/people/ann/password") == "/people/ann");
}

BOOST_AUTO_TEST_CASE(a_sending_has_the_name_of_its_path_its_key_and_what_was_typed) {
    const std::string key = "once=" + std::string(32, 'a');
    const auto name = name_of_sending(sent_form("/people", key));

    BOOST_TEST(name.size() == 64U);
    BOOST_TEST(name_of_sending(sent_form("/people", key + "&csrf=1")) == name);
    BOOST_TEST(name_of_sending(sent_form("/people", key + "&name=ann")) != name);
    BOOST_TEST(name_of_sending(sent_form("/people", key + "&name=ann")) !=
               name_of_sending(sent_form("/people", key + "&name=bob")));
    BOOST_TEST(name_of_sending(sent_form("/groups", key)) != name);
    auto with_file = sent_form("/people", key);
    with_file.files = {{.field = "file", .name = "a.sh", .bytes = "one"}};
    const auto name_of_one = name_of_sending(with_file);
    BOOST_TEST(name_of_one != name);
    with_file.files[0].bytes = "two";
    BOOST_TEST(name_of_sending(with_file) != name_of_one);
    BOOST_TEST(name_of_sending(sent_form("/people", "once=" + std::string(32, 'b'))) != name);
    for (const char* none : {"", "once=", "once=ab", "once=%27"}) {
        BOOST_TEST(name_of_sending(sent_form("/people", none)) == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
