#include "provisioner/operations/plugins/file_changes.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;

namespace {

store::PendingVersion pending(const std::string& plugin, const std::string& name, int version,
                              bool is_live) {
    store::PendingVersion one{.shelf = {.tenant = {}, .plugin = plugin, .resource_type = "scripts"},
                              .version = {}};
    one.version.name = name;
    one.version.version = version;
    one.version.live = is_live;
    one.version.slated = !is_live;
    return one;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(file_changes)

BOOST_AUTO_TEST_CASE(a_file_of_which_a_version_replaces_another_is_one_change) {
    const auto changes = operations::changes_of_sync({pending("shell", "web.sh", 1, true),
                                                      pending("shell", "web.sh", 2, false),
                                                      pending("other", "web.sh", 4, true)});

    BOOST_REQUIRE(changes.size() == 2U);
    BOOST_TEST(changes[0].before == 1);
    BOOST_TEST(changes[0].after == 2);
    BOOST_TEST(changes[1].before == 4);
    BOOST_TEST(changes[1].after == 0);
    BOOST_TEST(operations::changes_of_sync({}).empty());
}

BOOST_AUTO_TEST_CASE(the_audit_log_names_each_file_with_its_version) {
    const auto changes = operations::changes_of_sync({pending("shell", "password.sh", 1, true),
                                                      pending("shell", "password.sh", 2, false),
                                                      pending("shell", "web.sh", 3, false)});

    BOOST_TEST(operations::audited(changes, &operations::FileChange::before).dump() ==
               R"({"files":[{"file":"shell/scripts/password.sh","version":1},)"
               R"({"file":"shell/scripts/web.sh","version":null}]})");
    BOOST_TEST(operations::audited(changes, &operations::FileChange::after)["files"][1].dump() ==
               R"({"file":"shell/scripts/web.sh","version":3})");
    BOOST_TEST(operations::audited({}, &operations::FileChange::after).is_null());
}

BOOST_AUTO_TEST_CASE(a_change_is_remembered_in_a_word) {
    const operations::FileChange change{
        .shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
        .name = "web.sh",
        .before = 1};

    BOOST_TEST(operations::word_of_change(change) == "automator/shell/scripts/web.sh 1 0");
    const auto read = operations::change_of_word("provider/aws/keys/key.pem 0 12", {});
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->shelf.kind == model::PluginKind::provider));
    BOOST_TEST(read->shelf.plugin == "aws");
    BOOST_TEST(read->shelf.resource_type == "keys");
    BOOST_TEST(read->name == "key.pem");
    BOOST_TEST(read->before == 0);
    BOOST_TEST(read->after == 12);
    for (const char* wrong : {"", "active", "automator/shell/scripts/web.sh", "web.sh 1 2",
                              "automator/shell/scripts/web.sh -1 2",
                              "automator/shell/scripts/web.sh 1 x", "no/shell/scripts/a 1 2"}) {
        BOOST_TEST(!operations::change_of_word(wrong, {}).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_CASE(changes_are_the_same_whichever_order_they_have) {
    const auto one = operations::changes_of_sync({pending("shell", "a.sh", 1, true)});
    const auto both = operations::changes_of_sync(
        {pending("shell", "a.sh", 1, true), pending("shell", "b.sh", 2, false)});

    BOOST_TEST(operations::are_same_changes(both, {both[1], both[0]}));
    BOOST_TEST(!operations::are_same_changes(both, one));
    BOOST_TEST(!operations::are_same_changes(
        one, operations::changes_of_sync(
                 {pending("shell", "a.sh", 1, true), pending("shell", "a.sh", 2, false)})));
    BOOST_TEST(operations::are_same_changes({}, {}));
}

BOOST_AUTO_TEST_SUITE_END()
