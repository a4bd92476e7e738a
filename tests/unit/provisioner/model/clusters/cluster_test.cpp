#include "provisioner/model/clusters/cluster.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::wire;

namespace {

Snapshot a_snapshot() {
    Snapshot snapshot;
    snapshot.provider =
        provider_from_json(
            wire(
                "{'name':'cloud','providertype':'local','provisioner':{'n':1,'deep':{'x':[1.5]}}}"))
            .value();
    snapshot.provider.header.version = 3;
    snapshot.cluster_template =
        cluster_template_from_json(
            wire(R"({'name':'webapp','defaults':{'services':['web'],'config':{'a':{'b':1}}},
                     'constraints':{'services':{'z':{'quantities':{'min':1}},'a':{'quantities':{}}}},
                     'administration':{'leaseduration':{'initial':'7d'}},
                     'extends':{'name':'parent'},'includes':[{'name':'part'}]})"))
            .value();
    snapshot.cluster_template.header.version = 2;
    snapshot.services.push_back(
        service_from_json(
            wire("{'name':'web','provisioner':{'actions':{'start':{'type':'shell'}}}}"))
            .value());
    snapshot.services.back().header.version = 11;
    return snapshot;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_snapshot_comes_back_as_it_was_with_its_versions) {
    Snapshot snapshot = a_snapshot();

    const Snapshot again = snapshot_from_json(to_json(snapshot));

    BOOST_TEST((again == snapshot));
    BOOST_TEST(!to_json(snapshot).contains("machinesAskedFor"));
    snapshot.machines_asked_for = 60;
    BOOST_TEST((snapshot_from_json(to_json(snapshot)) == snapshot));
    BOOST_TEST(again.services.front().header.version == 11);
}

BOOST_AUTO_TEST_CASE(a_snapshot_survives_being_stored_as_text) {
    const Snapshot snapshot = a_snapshot();
    const auto parsed =
        provisioner::base::parse_json(provisioner::base::to_text(to_json(snapshot)));
    BOOST_REQUIRE(parsed.has_value());

    BOOST_TEST((snapshot_from_json(*parsed) == snapshot));
}

BOOST_AUTO_TEST_CASE(a_damaged_snapshot_is_an_error_of_the_program) {
    BOOST_CHECK_THROW(snapshot_from_json(wire("{}")), std::logic_error);
    auto json = to_json(a_snapshot());
    json["provider"].erase("providertype");
    BOOST_CHECK_THROW(snapshot_from_json(json), std::logic_error);
    json = to_json(a_snapshot());
    json["services"] = "web";
    BOOST_CHECK_THROW(snapshot_from_json(json), std::logic_error);
}

BOOST_AUTO_TEST_CASE(wire_ids_are_padded_and_grow_when_they_must) {
    BOOST_TEST(wire_id(ClusterId{1}) == "00000001");
    BOOST_TEST(wire_id(ClusterId{1}, JobId{2}) == "00000001-002");
    BOOST_TEST(wire_id(ClusterId{1}, JobId{2}, TaskId{11}) == "00000001-002-011");
    BOOST_TEST(wire_id(ClusterId{123456789}, JobId{1234}, TaskId{98765}) == "123456789-1234-98765");
}
