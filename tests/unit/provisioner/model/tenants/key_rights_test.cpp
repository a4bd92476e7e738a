#include "provisioner/model/tenants/key_rights.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(key_rights)

namespace {

const base::Timestamp noon = base::from_sql("2026-11-20 12:00:00");

KeyLimits all() {
    return {};
}

KeyLimits read_only() {
    return {.scope = KeyScope::read};
}

KeyLimits some(std::set<KeyRight> rights) {
    return {.scope = KeyScope::some, .rights = std::move(rights)};
}

bool gives_more(const KeyLimits& own, const KeyLimits& wanted) {
    return compare(own, wanted).has_more_rights;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_key_gives_more_rights_than_it_has) {
    const auto changes_clusters = some({{ResourceKind::clusters, true}});
    const auto reads_clusters = some({{ResourceKind::clusters, false}});

    BOOST_TEST(!gives_more(all(), all()));
    BOOST_TEST(!gives_more(all(), changes_clusters));
    BOOST_TEST(gives_more(read_only(), all()));
    BOOST_TEST(gives_more(read_only(), changes_clusters));
    BOOST_TEST(!gives_more(read_only(), reads_clusters));
    BOOST_TEST(!gives_more(changes_clusters, reads_clusters));
    BOOST_TEST(gives_more(reads_clusters, changes_clusters));
    BOOST_TEST(gives_more(changes_clusters, read_only()));
    BOOST_TEST(gives_more(changes_clusters, all()));
}

BOOST_AUTO_TEST_CASE(no_key_gives_a_longer_life_than_it_has) {
    KeyLimits short_lived = all();
    short_lived.expires_at = noon;
    KeyLimits later = all();
    later.expires_at = noon + std::chrono::microseconds{1};

    BOOST_TEST(compare(short_lived, all()).lives_longer);
    BOOST_TEST(compare(short_lived, later).lives_longer);
    BOOST_TEST(!compare(short_lived, short_lived).lives_longer);
    BOOST_TEST(!compare(all(), later).lives_longer);
}

BOOST_AUTO_TEST_CASE(no_key_reaches_more_clusters_than_it_does_itself) {
    KeyLimits two = all();
    two.clusters = {1, 2};
    KeyLimits one = all();
    one.clusters = {2};
    KeyLimits other = all();
    other.clusters = {2, 3};

    BOOST_TEST(compare(two, all()).has_more_clusters);
    BOOST_TEST(compare(two, other).has_more_clusters);
    BOOST_TEST(!compare(two, one).has_more_clusters);
    BOOST_TEST(!compare(all(), one).has_more_clusters);
}

BOOST_AUTO_TEST_CASE(a_right_to_change_is_a_right_to_read_and_of_its_kind_only) {
    const auto key = some({{ResourceKind::clusters, true}, {ResourceKind::audit, false}});

    BOOST_TEST(allows(key, ResourceKind::clusters, true));
    BOOST_TEST(allows(key, ResourceKind::clusters, false));
    BOOST_TEST(allows(key, ResourceKind::audit, false));
    BOOST_TEST(!allows(key, ResourceKind::audit, true));
    BOOST_TEST(!allows(key, ResourceKind::people, false));
    BOOST_TEST(!allows(key, std::nullopt, false));
    BOOST_TEST(allows(read_only(), std::nullopt, false));
}

BOOST_AUTO_TEST_CASE(rights_are_written_as_they_are_read) {
    for (const auto& [kind, word] : base::words<ResourceKind>) {
        for (const bool may_change : {false, true}) {
            const KeyRight right{kind, may_change};
            BOOST_TEST((right_from(to_text(right)) == right));
        }
    }
    for (const char* text : {"", "clusters", "clusters:", "clusters:all", "fish:read", ":read"}) {
        BOOST_TEST(!right_from(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
