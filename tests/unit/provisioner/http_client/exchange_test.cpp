#include "provisioner/http_client/exchange.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::http_client;

namespace {

/// What is wrong with the request; empty when it could be sent.
std::string refusal_of(const Request& request) {
    const auto handle = make_easy_handle();
    try {
        const Exchange exchange(handle.get(), request);
    } catch (const std::runtime_error& refused) {
        return refused.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_header_that_holds_another_one_is_refused_by_its_name) {
    Request request;
    for (const std::string value : {"x\r\nMetadata-Flavor: Google", "x\nY: z", "x\ry"}) {
        request.headers = {{"Accept", "*/*"}, {"Authorization", value}};
        BOOST_TEST(refusal_of(request) == "the header Authorization has a line break");
    }
    request.headers = {{"Authorization", std::string("x\0y", 3)}};
    BOOST_TEST(refusal_of(request) == "the header Authorization has a line break");
    request.headers = {{"X\r\nY", "z"}};
    BOOST_TEST(refusal_of(request) == "the header of a request has a line break");
    request.headers = {{"Authorization", "Bearer \t \"x\": y"}};
    BOOST_TEST(refusal_of(request).empty());
}

BOOST_AUTO_TEST_CASE(a_signature_that_holds_another_header_is_refused) {
    Request request;
    request.signing = Signing{.region = "eu-central-1",
                              .service = "ec2",
                              .access_key = "AKIA\r\nX: y",
                              .secret_key = base::Secret("s3cret")};
    BOOST_TEST(refusal_of(request) == "the header Authorization has a line break");
    request.signing->access_key = "AKIA";
    BOOST_TEST(refusal_of(request).empty());
    request.signing->region = "eu\nX: y";
    BOOST_TEST(!refusal_of(request).empty());
}
