#include "provisioner/operations/clusters/lease.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

using provisioner::operations::check_expiry;
using provisioner::operations::first_expiry;
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

/// An active cluster made at 1,000,000 ms that ends at 1,010,000, of a template with that step and
/// maximum.
provisioner::model::Cluster a_cluster(std::int64_t step, std::int64_t max) {
    provisioner::model::Cluster cluster;
    cluster.status = provisioner::model::ClusterStatus::active;
    cluster.created_at = provisioner::base::from_millis(1'000'000);
    cluster.expires_at = provisioner::base::from_millis(1'010'000);
    cluster.snapshot.cluster_template.lease.step = milliseconds{step};
    cluster.snapshot.cluster_template.lease.max = milliseconds{max};
    return cluster;
}

std::string refusal(const provisioner::model::Cluster& cluster, std::int64_t wanted) {
    const auto allowed = check_expiry(cluster, wanted);
    return allowed ? "" : allowed.error().problems.front().message;
}

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

BOOST_AUTO_TEST_CASE(a_new_cluster_ends_before_the_year_10000_or_never) {
    const auto now = provisioner::base::from_millis(1000);

    BOOST_TEST(!first_expiry(milliseconds{0}, now)->has_value());
    BOOST_TEST((**first_expiry(milliseconds{5}, now) == provisioner::base::from_millis(1005)));
    BOOST_TEST(first_expiry(milliseconds{253402300798999}, now).has_value());
    for (const std::int64_t lease :
         {std::int64_t{253402300799000}, std::numeric_limits<std::int64_t>::max()}) {
        const auto refused = first_expiry(milliseconds{lease}, now);
        BOOST_REQUIRE(!refused.has_value());
        BOOST_TEST(refused.error().problems.front().field == "initialLeaseDuration");
    }
}

BOOST_AUTO_TEST_CASE(a_lease_may_be_shortened_but_not_to_before_the_cluster_was_made) {
    const auto cluster = a_cluster(1000, 20'000);

    BOOST_TEST(refusal(cluster, 1'000'000) == "");
    BOOST_TEST(refusal(cluster, 999'999) == "New expire time cannot be lesser than create time");
    BOOST_TEST(refusal(cluster, 0) == "New expire time cannot be lesser than create time");
}

BOOST_AUTO_TEST_CASE(a_lease_grows_by_at_most_a_step_and_up_to_the_maximum) {
    const auto cluster = a_cluster(15'000, 20'000);

    BOOST_TEST(refusal(cluster, 1'020'000) == "");
    BOOST_TEST(refusal(cluster, 1'020'001) ==
               "Cluster cannot be prolonged beyond its max duration");
    BOOST_TEST(refusal(a_cluster(5000, 20'000), 1'015'001) ==
               "New expire time cannot be greater than allowed increment");
    BOOST_TEST(refusal(a_cluster(0, 20'000), 1'020'000) == "");
}

BOOST_AUTO_TEST_CASE(a_template_without_a_maximum_lets_a_lease_grow_as_anybody_likes) {
    BOOST_TEST(refusal(a_cluster(1000, 0), 9'000'000'000) == "");
    BOOST_TEST(refusal(a_cluster(0, 0), 9'000'000'000'000'000) ==
               "New expire time must be before the year 10000");
}

BOOST_AUTO_TEST_CASE(a_cluster_that_is_worked_on_or_gone_keeps_its_lease) {
    auto cluster = a_cluster(0, 0);
    cluster.status = provisioner::model::ClusterStatus::terminated;
    BOOST_TEST(refusal(cluster, 1'020'000) == "Cannot change expire time of terminated cluster");
    cluster.status = provisioner::model::ClusterStatus::pending;
    BOOST_TEST(refusal(cluster, 1'020'000) == "Cannot change expire time of cluster at this time");
}

BOOST_AUTO_TEST_CASE(the_latest_end_is_the_last_moment_that_is_allowed) {
    using provisioner::base::to_millis;
    using provisioner::operations::latest_end;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [step, max] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 0}, {5, 0}, {0, 20'000}, {3'000, 20'000}, {30'000, 20'000}, {most, most}}) {
        const auto cluster = a_cluster(step, max);
        const auto latest = to_millis(latest_end(cluster));
        BOOST_TEST(refusal(cluster, latest) == "");
        BOOST_TEST(refusal(cluster, latest + 1) != "");
    }
}
