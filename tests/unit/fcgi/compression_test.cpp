#include "fcgi/compression.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using http::Request;
using http::Response;

namespace {

Request from_own_page(const std::string& codings = "gzip, deflate, br") {
    Request request;
    request.method = "GET";
    request.headers = {{"accept-encoding", codings}, {"sec-fetch-site", "same-origin"}};
    return request;
}

Response long_page() {
    return http::html(200, std::string(5000, 'x'));
}

bool is_gzip(const Response& response) {
    const bool is_said = response.header("Content-Encoding") == "gzip";
    BOOST_TEST(is_said == response.body.starts_with("\x1f\x8b"));
    BOOST_TEST(is_said == (response.header("Vary") == "Accept-Encoding, Sec-Fetch-Site"));
    return is_said;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_page_of_this_site_asks_for_is_compressed) {
    const Response response = compressed(long_page(), from_own_page());

    BOOST_TEST(is_gzip(response));
    BOOST_TEST(response.body.size() < 200U);
    BOOST_TEST(is_gzip(compressed(http::json_text(200, std::string(5000, '1')), from_own_page())));
}

BOOST_AUTO_TEST_CASE(what_another_site_may_have_asked_for_is_not_compressed) {
    for (const std::string site : {"cross-site", "same-site", "none", ""}) {
        Request request = from_own_page();
        request.headers["sec-fetch-site"] = site;
        BOOST_TEST(!is_gzip(compressed(long_page(), request)), site);
    }
}

BOOST_AUTO_TEST_CASE(who_does_not_take_gzip_gets_none) {
    for (const std::string codings : {"", "br", "gzip;q=0", "gzip; q=0.0", "x-gzip2", "*;q=0"}) {
        BOOST_TEST(!is_gzip(compressed(long_page(), from_own_page(codings))), codings);
    }
    for (const std::string codings :
         {"gzip", "br;q=1.0, gzip;q=0.8", "gzip; q=1", "identity,gzip"}) {
        BOOST_TEST(is_gzip(compressed(long_page(), from_own_page(codings))), codings);
    }
}

BOOST_AUTO_TEST_CASE(short_answers_and_those_that_are_no_text_or_are_final_stay_as_they_are) {
    const auto is_touched = [](Response response) {
        return is_gzip(compressed(std::move(response), from_own_page()));
    };
    BOOST_TEST(!is_touched(http::html(200, "short")));
    BOOST_TEST(!is_touched(http::with_header(long_page(), "ETag", "\"1\"")));
    Response picture = http::empty(200);
    picture.headers = {{"Content-Type", "image/png"}};
    picture.body = std::string(5000, 'x');
    BOOST_TEST(!is_touched(picture));
}
