#include "fcgi/http/incoming.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/http/params.hpp"
#include "provisioner/contents/sources.hpp"

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(incoming)

namespace {

/// A body of which less may come than was announced.
class Wire final : public provisioner::contents::Source {
 public:
    explicit Wire(std::size_t size) : left_(size) {}
    std::size_t read(char* into, std::size_t size) override {
        const std::size_t count = std::min(size, left_);
        if (count == 0) throw BodyTooShort();
        std::fill_n(into, count, 'x');
        left_ -= count;
        return count;
    }

 private:
    std::size_t left_;
};

Request a_request(Wire& wire, std::uint64_t announced) {
    Request request;
    request.path = "/v2/profile";
    request.incoming = &wire;
    request.incoming_size = announced;
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_body_is_read_as_far_as_it_was_announced) {
    Wire wire(300'000);
    Request request = a_request(wire, 200'000);

    BOOST_TEST(!read_body(request, body_limit).has_value());

    BOOST_TEST((request.body == std::string(200'000, 'x')));
    BOOST_TEST(request.incoming == nullptr);
}

BOOST_AUTO_TEST_CASE(a_body_that_ends_early_is_none) {
    Wire wire(70'000);
    Request request = a_request(wire, 70'001);

    BOOST_CHECK_THROW(read_body(request, body_limit), BodyTooShort);
}

BOOST_AUTO_TEST_CASE(what_is_too_large_is_not_read) {
    Wire nothing(0);
    Request request = a_request(nothing, form_limit + 1);

    const auto refusal = read_body(request, form_limit);

    BOOST_REQUIRE(refusal.has_value());
    BOOST_TEST(refusal->status == 413);
    BOOST_TEST(refusal->body == "The request is larger than 64 KiB.");
    BOOST_TEST(request.body.empty());
}

BOOST_AUTO_TEST_CASE(files_of_a_form_of_a_page_are_beside_its_fields) {
    const std::string body =
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\n"
        "Content-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--x--\r\n";
    const auto read = [](const std::string& path, const std::string& sent) {
        provisioner::contents::TextSource wire(sent);
        Request request;
        request.path = path;
        request.headers["content-type"] = "multipart/form-data; boundary=x";
        request.incoming = &wire;
        request.incoming_size = sent.size();
        const auto refusal = read_body(request, form_limit);
        BOOST_TEST((refusal ? refusal->status : 200) == (sent.size() < 10 ? 400 : 200));
        return request;
    };

    const Request request = read("/catalogue", body);
    BOOST_TEST(request.body == "a=1&file=");
    BOOST_TEST(request.files.size() == 1U);
    // Nothing was chosen.
    BOOST_TEST(request.file("file") == nullptr);
    BOOST_TEST(request.file("other") == nullptr);
    BOOST_TEST(read("/v2/import", body).body == body);
    read("/catalogue", "--x");
}

BOOST_AUTO_TEST_CASE(a_server_that_kept_the_body_back_reads_the_refusal_in_headers) {
    const Response refused = verdict(with_header(text(429, "Try again."), "Retry-After", "7"));

    BOOST_TEST(refused.status == 403);
    BOOST_TEST(refused.header("Cooperage-Refusal") == "429");
    BOOST_TEST(refused.header("Cooperage-Refusal-Text") == "Try again.");
    BOOST_TEST(refused.header("Retry-After") == "7");
    BOOST_TEST(refused.header("Content-Type") == "text/plain; charset=utf-8");
    BOOST_TEST(refused.body.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_kept_the_body_back_is_told_no_more_than_it_takes) {
    const Response refused = verdict(text(404, std::string(20'000, 'x')));

    BOOST_TEST(refused.header("Cooperage-Refusal") == "404");
    BOOST_TEST(refused.header("Cooperage-Refusal-Text") == "Not Found");
    BOOST_TEST(verdict(empty(204)).status == 204);
    BOOST_TEST(verdict(empty(204)).headers.empty());
    BOOST_TEST(verdict(see_other("/login")).status == 403);
}

BOOST_AUTO_TEST_SUITE_END()
