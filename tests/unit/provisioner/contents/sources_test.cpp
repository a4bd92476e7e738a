#include "provisioner/contents/sources.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using contents::TextSource;

BOOST_AUTO_TEST_SUITE(sources)

namespace {

/// Gives one byte at a time, as a slow connection does.
class Trickle final : public contents::Source {
 public:
    explicit Trickle(std::string text) : text_(std::move(text)) {}
    std::size_t read(char* into, std::size_t size) override {
        return text_.read(into, std::min<std::size_t>(size, 1));
    }

 private:
    TextSource text_;
};

model::Content content_of(const std::string& text) {
    Trickle trickle(text);
    contents::HashedSource hashed(trickle);
    contents::drain(hashed);
    return hashed.finish();
}

}  // namespace

// The hashes are FIPS 180-4's own examples.
BOOST_AUTO_TEST_CASE(bytes_are_counted_and_hashed_on_their_way) {
    BOOST_TEST(content_of("abc").sha256 ==
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(content_of("").sha256 ==
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    BOOST_TEST(content_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").sha256 ==
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    BOOST_TEST(content_of("abc").size == 3U);
}

BOOST_AUTO_TEST_CASE(gzip_is_known_by_its_first_two_bytes) {
    BOOST_TEST(content_of("\x1f\x8b").is_gzip);
    BOOST_TEST(content_of("\x1f\x8bx").is_gzip);
    BOOST_TEST(!content_of("\x1f").is_gzip);
    BOOST_TEST(!content_of("x\x1f\x8b").is_gzip);
    BOOST_TEST(!content_of("").is_gzip);
}

BOOST_AUTO_TEST_CASE(what_comes_in_drops_is_read_in_full) {
    Trickle trickle("0123456789");
    std::string some(4, '\0');

    BOOST_TEST(contents::read_fully(trickle, some.data(), some.size()) == 4U);
    BOOST_TEST(some == "0123");
    BOOST_TEST(contents::text_of(trickle) == "456789");
    BOOST_TEST(contents::read_fully(trickle, some.data(), some.size()) == 0U);
}

BOOST_AUTO_TEST_CASE(a_checked_source_ends_well_only_when_nothing_has_changed) {
    const auto expected = content_of("the bytes");
    const auto read = [&](const std::string& text) {
        return contents::text_of(*contents::checked(std::make_unique<TextSource>(text), expected));
    };

    BOOST_TEST(read("the bytes") == "the bytes");
    BOOST_CHECK_THROW(read("the bytez"), contents::PlaceError);
    BOOST_CHECK_THROW(read("the byte"), contents::PlaceError);
    BOOST_CHECK_THROW(read("the bytes "), contents::PlaceError);
    BOOST_CHECK_THROW(read(""), contents::PlaceError);
}

BOOST_AUTO_TEST_CASE(more_than_was_announced_is_an_error) {
    TextSource some("x");
    TextSource none("");

    BOOST_CHECK_THROW(contents::expect_end(some), std::runtime_error);
    BOOST_CHECK_NO_THROW(contents::expect_end(none));
}

BOOST_AUTO_TEST_SUITE_END()
