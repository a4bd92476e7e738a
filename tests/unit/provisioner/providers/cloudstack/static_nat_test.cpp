#include "provisioner/providers/cloudstack/static_nat.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::cloudstack;

BOOST_AUTO_TEST_SUITE(cloudstack_static_nat)

BOOST_AUTO_TEST_CASE(only_an_address_that_nobody_uses_is_taken) {
    const base::Json unused = {{"id", "a"},
                               {"state", "Allocated"},
                               {"issourcenat", false},
                               {"isstaticnat", false},
                               {"tags", base::Json::array()}};
    BOOST_TEST(is_unused(unused));

    const std::vector<base::Json> reasons{{{"state", "Allocating"}}, {{"issourcenat", true}},
                                          {{"isstaticnat", true}},   {{"issystem", true}},
                                          {{"hasrules", true}},      {{"virtualmachineid", "b"}}};
    for (const base::Json& reason : reasons) {
        base::Json used = unused;
        used.update(reason);
        BOOST_TEST(!is_unused(used), base::to_text(reason));
    }
    base::Json tagged = unused;
    tagged["tags"].push_back({{"key", "theirs"}, {"value", "x"}});
    BOOST_TEST(!is_unused(tagged));
}

BOOST_AUTO_TEST_CASE(an_address_is_of_one_installation_and_one_machine) {
    const base::Json address =
        *base::parse_json(R"({"id": "a", "tags": [{"key": "cooperage-installation", "value": "i"},
            {"key": "cooperage-machine", "value": "00000001-1001"}]})");

    BOOST_TEST(has_mark(address, {.installation = "i", .name = "00000001-1001"}));
    BOOST_TEST(has_mark(address, {.installation = "i"}));
    BOOST_TEST(!has_mark(address, {.installation = "i", .name = "00000001-1002"}));
    BOOST_TEST(!has_mark(address, {.installation = "j", .name = "00000001-1001"}));
    BOOST_TEST(!has_mark({{"id", "a"}}, {.installation = "i", .name = "00000001-1001"}));
}

BOOST_AUTO_TEST_SUITE_END()
