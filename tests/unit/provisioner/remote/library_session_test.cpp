#include "provisioner/remote/library_session.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

using provisioner::remote::LibrarySession;
using provisioner::remote::SessionMemory;

namespace {

constexpr std::size_t around = SessionMemory::around_a_block;

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_given_back_can_be_taken_again_and_nothing_beyond_the_limit) {
    SessionMemory memory(2 * (1'000 + around));
    void* one = memory.take(1'000);
    void* other = memory.take(1'000);
    BOOST_REQUIRE(one != nullptr);
    BOOST_REQUIRE(other != nullptr);
    BOOST_TEST(memory.held() == memory.most());
    BOOST_TEST(!memory.was_exceeded());

    BOOST_TEST(memory.take(0) == nullptr);
    BOOST_TEST(memory.was_exceeded());

    memory.give_back(one);
    BOOST_TEST(memory.held() == 1'000 + around);
    one = memory.take(1'000);
    BOOST_TEST(one != nullptr);
    memory.give_back(other);
    memory.give_back(one);
    memory.give_back(nullptr);
    BOOST_TEST(memory.held() == 0U);
    // It is remembered: something is missing since then.
    BOOST_TEST(memory.was_exceeded());
}

BOOST_AUTO_TEST_CASE(sizes_that_no_memory_has_are_refused) {
    SessionMemory memory(1'000);
    for (const std::size_t size :
         {SIZE_MAX, SIZE_MAX - around, std::size_t{1'001}, std::size_t{1'001} - around}) {
        BOOST_TEST(memory.take(size) == nullptr, size);
    }
    BOOST_TEST(memory.held() == 0U);
}

BOOST_AUTO_TEST_CASE(a_block_keeps_its_content_when_its_size_changes) {
    SessionMemory memory(10'000);
    auto* block = static_cast<char*>(memory.resize(nullptr, 5));
    BOOST_REQUIRE(block != nullptr);
    std::memcpy(block, "hello", 5);
    block = static_cast<char*>(memory.resize(block, 5'000));
    BOOST_REQUIRE(block != nullptr);
    BOOST_TEST(std::memcmp(block, "hello", 5) == 0);

    // Too much: the block stays.
    BOOST_TEST(memory.resize(block, 10'001) == nullptr);
    BOOST_TEST(std::memcmp(block, "hello", 5) == 0);

    block = static_cast<char*>(memory.resize(block, 2));
    BOOST_REQUIRE(block != nullptr);
    BOOST_TEST(std::memcmp(block, "he", 2) == 0);
    BOOST_TEST(memory.held() == 2 + around);
    memory.give_back(block);
}

BOOST_AUTO_TEST_CASE(blocks_are_fit_for_every_type) {
    SessionMemory memory(10'000);
    for (const std::size_t size : {1U, 7U, 24U}) {
        const auto place = reinterpret_cast<std::uintptr_t>(memory.take(size));
        BOOST_TEST(place % alignof(std::max_align_t) == 0U);
    }
    // They are freed with the memory; the sanitizer of addresses sees it.
}

BOOST_AUTO_TEST_CASE(what_is_given_back_in_any_order_is_counted) {
    SessionMemory memory(100'000);
    std::vector<void*> blocks;
    for (int i = 0; i < 30; ++i) blocks.push_back(memory.take(100));
    for (int i = 0; i < 30; ++i) memory.give_back(blocks[static_cast<std::size_t>(i * 7 % 30)]);
    BOOST_TEST(memory.held() == 0U);
}

BOOST_AUTO_TEST_CASE(a_session_offers_strong_methods_and_has_been_sent_nothing) {
    LibrarySession session;
    session.offer_strong_methods();
    BOOST_TEST(!session.has_sent_too_much());
    BOOST_TEST(!session.had_too_many_tries());
}
