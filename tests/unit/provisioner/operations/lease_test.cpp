#define BOOST_TEST_MODULE operations
#include "provisioner/operations/lease.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::operations::initial_lease;
using std::chrono::milliseconds;

namespace {

struct Case {
    std::optional<milliseconds> asked;
    milliseconds initial;
    /// Nothing: refused.
    std::optional<milliseconds> lease;
};

// Source: the wire contract's worked cases.
const std::vector<Case> cases{
    {milliseconds{200}, milliseconds{0}, milliseconds{200}},
    {milliseconds{0}, milliseconds{0}, milliseconds{0}},
    {std::nullopt, milliseconds{0}, milliseconds{0}},
    {milliseconds{20000}, milliseconds{10000}, std::nullopt},
    {milliseconds{10000}, milliseconds{10000}, milliseconds{10000}},
    {milliseconds{500}, milliseconds{10000}, milliseconds{500}},
    {milliseconds{0}, milliseconds{10000}, std::nullopt},
    {std::nullopt, milliseconds{10000}, milliseconds{10000}},
    {milliseconds{-2}, milliseconds{0}, std::nullopt},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_lease_is_what_was_asked_for_within_what_the_template_gives) {
    for (const Case& one : cases) {
        const auto lease = initial_lease(one.asked, one.initial);

        BOOST_REQUIRE(lease.has_value() == one.lease.has_value());
        if (lease) BOOST_TEST((*lease == *one.lease));
    }
}

BOOST_AUTO_TEST_CASE(a_refused_lease_names_its_field_and_the_reason) {
    const auto lease = initial_lease(milliseconds{-5}, milliseconds{0});

    BOOST_REQUIRE(!lease.has_value());
    BOOST_TEST(lease.error().problems.front().field == "initialLeaseDuration");
    BOOST_TEST(lease.error().problems.front().message == "invalid lease duration: -5");
}
