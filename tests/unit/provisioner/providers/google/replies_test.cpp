#include "provisioner/providers/google/replies.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;
using State = cloud::CloudMachine::State;

BOOST_AUTO_TEST_SUITE(google_replies)

Json json_of(const std::string& text) {
    return base::parse_json(text).value();
}

google::ApiError error_of(int status, const std::string& body) {
    http_client::Reply reply;
    reply.status = status;
    reply.body = body;
    return google::error_in(reply);
}

/// An operation that inserts the machine of attempt 1, with more members.
Json insert_of(const std::string& more) {
    Json operation = json_of(R"({"operationType": "insert", "status": "DONE",
        "targetLink": "https://www.googleapis.com/compute/v1/projects/acme-1/zones/us-central1-a/)"
                             R"(instances/cooperage-01234567-00000001-1001-10-1"})");
    operation.update(json_of(more));
    return operation;
}

constexpr auto exhausted = R"({"error": {"errors": [{
    "code": "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS",
    "message": "The zone 'projects/acme-1/zones/us-central1-a' does not have enough resources available to fulfill the request.  '(resource type:compute)'.",
    "errorDetails": [{"errorInfo": {"reason": "resource_availability", "domain": "compute.googleapis.com",
        "metadatas": {"vmType": "e2-small", "zonesAvailable": "us-central1-b,us-central1-c"}}}]}]},
    "httpErrorStatusCode": 503, "httpErrorMessage": "SERVICE UNAVAILABLE"})";

BOOST_AUTO_TEST_CASE(errors_are_read_from_their_envelope_and_nowhere_else) {
    const auto error = error_of(404, R"({"error": {"code": 404, "message": "The resource 'x' was )"
                                     R"(not found", "errors": [{"message": "", "domain": "global",)"
                                     R"( "reason": "notFound"}]}})");
    BOOST_TEST(error.reason == "notFound");
    BOOST_TEST(error.message == "The resource 'x' was not found");
    BOOST_TEST(error_of(502, "<html>Bad\ngateway").message == "status 502, no content type");
    BOOST_TEST(error_of(500, R"({"error": {}})").message == "status 500");
    BOOST_TEST(error_of(500, R"({"error": "no"})").reason.empty());
}

BOOST_AUTO_TEST_CASE(calls_that_come_too_fast_are_told_from_quotas) {
    using google::is_too_fast;
    BOOST_TEST(is_too_fast({.status = 403, .reason = "rateLimitExceeded", .message = "x"}));
    BOOST_TEST(is_too_fast({.status = 403, .reason = "userRateLimitExceeded", .message = "x"}));
    BOOST_TEST(is_too_fast({.status = 403,
                            .reason = "quotaExceeded",
                            .message = "Quota exceeded for quota metric 'Queries'"}));
    BOOST_TEST(!is_too_fast({.status = 403,
                             .reason = "quotaExceeded",
                             .message = "Quota 'CPUS' exceeded.  Limit: 24.0 in region x."}));
}

BOOST_AUTO_TEST_CASE(an_operation_that_failed_tells_its_machines_end) {
    const auto machine = google::machine_of_operation(google_account(), insert_of(exhausted));
    BOOST_REQUIRE(machine.has_value());
    BOOST_TEST((machine->state == State::gone));
    BOOST_TEST(machine->id == "cooperage-01234567-00000001-1001-10-1");
    BOOST_TEST(machine->mark.name == "00000001-1001");
    BOOST_TEST(machine->mark.task == 10);
    BOOST_TEST(machine->reason ==
               "Google could not make it: The zone 'projects/acme-1/zones/us-central1-a' does not "
               "have enough resources available to fulfill the request. '(resource "
               "type:compute)'. Zones that have room: us-central1-b,us-central1-c "
               "(ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS)");
    BOOST_TEST(google::is_no_capacity("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS"));
    BOOST_TEST(!google::is_no_capacity("QUOTA_EXCEEDED"));
}

BOOST_AUTO_TEST_CASE(operations_under_way_stand_for_machines_that_are_not_listed_yet) {
    const auto account = google_account();
    const auto machine =
        google::machine_of_operation(account, insert_of(R"({"status": "RUNNING"})"));
    BOOST_REQUIRE(machine.has_value());
    BOOST_TEST((machine->state == State::starting));
    BOOST_TEST(base::text_at(machine->details, "zone") == "us-central1-a");
}

BOOST_AUTO_TEST_CASE(other_operations_stand_for_nothing) {
    const auto account = google_account();
    BOOST_TEST(!google::machine_of_operation(account, insert_of("{}")).has_value());
    for (const char* other :
         {R"({"operationType": "delete", "status": "RUNNING"})",
          R"({"targetLink": "x/zones/z/disks/cooperage-01234567-00000001-1001-10-1"})",
          R"({"status": "RUNNING", "targetLink": "x/zones/z/instances/somebodys"})"}) {
        BOOST_TEST(!google::machine_of_operation(account, insert_of(other)).has_value(), other);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_that_was_taken_back_says_so) {
    const auto machine = google::machine_of_operation(
        google_account(), insert_of(R"({"operationType": "compute.instances.preempted"})"));
    BOOST_REQUIRE(machine.has_value());
    BOOST_TEST((machine->state == State::gone));
    BOOST_TEST(machine->reason == "Google took the spot machine back");
}

BOOST_AUTO_TEST_CASE(a_machine_is_read_with_its_mark_state_and_addresses) {
    const Json instance = json_of(R"({"name": "m", "status": "RUNNING",
        "zone": "https://www.googleapis.com/compute/v1/projects/acme-1/zones/us-east1-b",
        "labels": {"cooperage-installation": "i", "cooperage-machine": "00000001-1001",
                   "cooperage-cluster": "00000001", "cooperage-task": "10-2"},
        "networkInterfaces": [{"networkIP": "10.128.0.2", "accessConfigs": [{"natIP": "192.0.2.1"}]}],
        "lastStartTimestamp": "2026-11-22T10:00:00.000-08:00"})");
    const auto machine =
        google::machine_in(google_account({{"provider_hostname", true}}), instance);
    BOOST_TEST((machine.state == State::running));
    BOOST_TEST(machine.mark.name == "00000001-1001");
    BOOST_TEST(machine.mark.attempt == 2);
    BOOST_TEST(machine.addresses.at("access_v4") == "192.0.2.1");
    BOOST_TEST(machine.addresses.at("bind_v4") == "10.128.0.2");
    BOOST_TEST(machine.hostname == "1.2.0.192.bc.googleusercontent.com");
    BOOST_TEST(base::text_at(machine.details, "zone") == "us-east1-b");
}

BOOST_AUTO_TEST_CASE(a_machine_that_waits_for_its_public_address_cannot_be_reached_yet) {
    const Json instance = json_of(R"({"name": "m", "status": "RUNNING",
        "networkInterfaces": [{"networkIP": "10.128.0.2", "accessConfigs": [{"type": "x"}]}]})");
    BOOST_TEST(!google::machine_in(google_account(), instance).addresses.contains("access_v4"));
    const auto by_own = google_account({{"bootstrap_interface", "bind_v4"}});
    BOOST_TEST(!google::machine_in(by_own, instance).addresses.contains("access_v4"));
}

BOOST_AUTO_TEST_CASE(recorded_answers_are_read) {
    // From libcloud's test/compute/fixtures/gce: zones_us-central1-a_instances_node-name.json and
    // operations_operation_zones_europe-west1-a_instances_post.json, shortened.
    const Json instance = json_of(R"({"canIpForward": false,
        "creationTimestamp": "2013-06-26T15:13:38.295-07:00", "disks": [{"boot": true,
        "deviceName": "persistent-disk-0", "index": 0, "kind": "compute#attachedDisk",
        "mode": "READ_WRITE", "type": "PERSISTENT"}], "id": "4006034190819017667",
        "kind": "compute#instance", "name": "node-name", "networkInterfaces": [{"accessConfigs":
        [{"kind": "compute#accessConfig", "name": "External NAT", "natIP": "173.255.115.146",
        "type": "ONE_TO_ONE_NAT"}], "name": "nic0", "networkIP": "10.240.113.94"}],
        "scheduling": {"automaticRestart": true, "onHostMaintenance": "MIGRATE"},
        "status": "RUNNING", "tags": {"fingerprint": "42WmSpB8rSM="},
        "zone": "https://www.googleapis.com/compute/v1/projects/project_name/zones/us-central1-a"})");
    const auto machine = google::machine_in(google_account(), instance);
    BOOST_TEST(machine.id == "node-name");
    BOOST_TEST((machine.state == State::running));
    BOOST_TEST(machine.addresses.at("access_v4") == "173.255.115.146");
    BOOST_TEST(machine.mark.name.empty());

    const Json operation = json_of(R"({"error": {"errors": [{"code": "RESOURCE_ALREADY_EXISTS",
        "message": "The resource 'projects/project_name/zones/europe-west1-a/instances/n' already exists"}]},
        "httpErrorMessage": "CONFLICT", "httpErrorStatusCode": 409, "id": "1510575454210533141",
        "insertTime": "2013-06-26T20:57:34.366-07:00", "kind": "compute#operation",
        "operationType": "insert", "progress": 100, "status": "DONE",
        "targetLink": "https://www.googleapis.com/compute/v1/projects/project_name/zones/europe-west1-a/instances/n",
        "user": "897001307951@developer.gserviceaccount.com"})");
    BOOST_TEST(google::failure_in(operation).value().words ==
               "The resource 'projects/project_name/zones/europe-west1-a/instances/n' already "
               "exists (RESOURCE_ALREADY_EXISTS)");
    BOOST_TEST(!google::machine_of_operation(google_account(), operation).has_value());
}

BOOST_AUTO_TEST_CASE(states_are_those_of_the_api) {
    const std::vector<std::pair<std::string, State>> states{
        {"PROVISIONING", State::starting}, {"STAGING", State::starting},
        {"RUNNING", State::running},       {"STOPPING", State::leaving},
        {"TERMINATED", State::failed},     {"SUSPENDED", State::failed},
        {"REPAIRING", State::starting},    {"SOMETHING_NEW", State::starting}};
    for (const auto& [status, state] : states) {
        const Json instance{{"name", "m"}, {"status", status}};
        BOOST_TEST((google::machine_in(google_account(), instance).state == state), status);
    }
    const Json spot = json_of(R"({"status": "TERMINATED", "scheduling": {"preemptible": true}})");
    BOOST_TEST(google::machine_in(google_account(), spot).reason ==
               "Google took the spot machine back: TERMINATED");
}

BOOST_AUTO_TEST_CASE(answers_of_other_shapes_are_no_reason_to_fall_over) {
    for (const char* text : {"{}", "[]", "null", "7", R"({"networkInterfaces": {}, "labels": []})",
                             R"({"error": [], "status": "DONE", "operationType": 7})",
                             R"({"status": "DONE", "error": {"errors": [7]}})"}) {
        const Json json = json_of(text);
        google::machine_in(google_account(), json);
        google::machine_of_operation(google_account(), json);
        google::failure_in(json);
    }
    BOOST_TEST(google::failure_in(json_of(R"({"status": "DONE", "error": {}})"))->words ==
               "the operation failed without a word");
}

BOOST_AUTO_TEST_CASE(moments_have_offsets) {
    const auto moment = google::moment_in("1970-01-01T01:00:05.250+01:00");
    BOOST_REQUIRE(moment.has_value());
    BOOST_TEST(moment->time_since_epoch().count() == 5'000'000);
    BOOST_TEST(google::moment_in("1969-12-31T16:00:05-08:00").value().time_since_epoch().count() ==
               5'000'000);
    BOOST_TEST(google::moment_in("1970-01-01T00:00:05Z").value().time_since_epoch().count() ==
               5'000'000);
    for (const char* wrong : {"", "1970-01-01", "1970-01-01T00:00:05", "1970-01-01T00:00:05+1x"}) {
        BOOST_TEST(!google::moment_in(wrong).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_SUITE_END()
