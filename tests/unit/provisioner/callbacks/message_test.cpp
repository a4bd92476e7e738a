#include "provisioner/callbacks/message.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/signature.hpp"

using namespace provisioner;

namespace {

model::Callback a_callback() {
    model::Callback callback;
    callback.id = 42;
    callback.event = model::CallbackEvent::failure;
    return callback;
}

std::string header(const http_client::Request& request, const std::string& name) {
    for (const auto& [key, value] : request.headers) {
        if (key == name) return value;
    }
    return "none";
}

const base::Timestamp now = base::from_millis(1'795'211'024'613);

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_says_what_happened_and_which_one_it_is) {
    const auto request = callbacks::message({}, "http://a/b", a_callback(), "{}", now);

    BOOST_TEST(request.method == "POST");
    BOOST_TEST(request.url == "http://a/b");
    BOOST_TEST(request.body == "{}");
    BOOST_TEST(header(request, "Content-Type") == "application/json");
    BOOST_TEST(header(request, "Cooperage-Event") == "failure");
    BOOST_TEST(header(request, "Cooperage-Delivery") == "42");
    BOOST_TEST(header(request, "Cooperage-Signature") == "none");
}

BOOST_AUTO_TEST_CASE(a_secret_signs_time_and_body) {
    callbacks::Targets targets;
    targets.secret = base::Secret("s3cret");

    const auto request = callbacks::message(targets, "http://a/", a_callback(), "{\"x\":1}", now);

    BOOST_TEST(header(request, "Cooperage-Signature") ==
               "t=1795211024,v1=" + identity::signature(targets.secret, "1795211024.{\"x\":1}"));
}
