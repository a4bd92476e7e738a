#include "provisioner/providers/google/requests.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/google/names.hpp"
#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_requests)

Json body_of(const Account& account, const MachineSpec& spec, const std::string& user_data = "",
             const std::set<std::string>& existing = {}) {
    cloud::Order order{.account = account, .spec = spec};
    order.placement = {.flavor = spec.flavor, .zone = "us-central1-b"};
    order.mark = cloud::mark_of(account, spec);
    order.user_data = user_data;
    const std::string name = google::machine_name(account, order.mark);
    return google::instance_body(order, name, google::disks_of(account, spec, name), existing);
}

BOOST_AUTO_TEST_CASE(a_tag_of_another_cluster_is_not_asked_for) {
    BOOST_TEST(
        base::to_text(
            body_of(google_account({{"google_network_tags", "web"}}), google_spec()).at("tags")) ==
        R"({"items":["coopr","cooperage-01234567-00000001","web"]})");
    BOOST_CHECK_THROW(
        body_of(google_account({{"google_network_tags", "web, cooperage-01234567-00000002"}}),
                google_spec()),
        cloud::Refusal);
}

BOOST_AUTO_TEST_CASE(the_whole_request_of_a_machine) {
    auto spec = google_spec();
    spec.hostname = "";
    const Json body = body_of(google_account({{"google_data_disk_size_gb", "200"}}), spec);
    const std::string labels = R"("labels":{"cooperage-cluster":"00000001",)"
                               R"("cooperage-installation":"0123456789abcdef0123456789abcdef",)"
                               R"("cooperage-machine":"00000001-1001","cooperage-task":"10-1"})";
    Json without_metadata = body;
    without_metadata.erase("metadata");
    BOOST_TEST(
        base::to_text(without_metadata) ==
        R"({"name":"cooperage-01234567-00000001-1001-10-1",)"
        R"("machineType":"zones/us-central1-b/machineTypes/e2-small",)" +
            labels +
            R"(,"tags":{"items":["coopr","cooperage-01234567-00000001"]},"disks":[{"boot":true,)"
            R"("autoDelete":true,"deviceName":"boot","initializeParams":{)"
            R"("diskName":"cooperage-01234567-00000001-1001-10-1",)"
            R"("diskType":"zones/us-central1-b/diskTypes/pd-standard",)" +
            labels +
            R"(,"sourceImage":"projects/debian-cloud/global/images/family/debian-12"}},)"
            R"({"boot":false,"autoDelete":true,"deviceName":"data","initializeParams":{)"
            R"("diskName":"cooperage-01234567-00000001-1001-10-1-data",)"
            R"("diskType":"zones/us-central1-b/diskTypes/pd-standard",)" +
            labels +
            R"(,"diskSizeGb":"200"}}],"networkInterfaces":[{"network":"global/networks/default",)"
            R"("accessConfigs":[{"type":"ONE_TO_ONE_NAT","name":"External NAT"}]}],)"
            R"("scheduling":{"automaticRestart":false}})");
}

BOOST_AUTO_TEST_CASE(user_data_take_the_place_of_the_startup_script) {
    const auto keys_of = [](const Json& body) {
        std::string keys;
        for (const Json& item : body.at("metadata").at("items")) {
            keys += base::text_at(item, "key") + " ";
        }
        return keys;
    };
    BOOST_TEST(keys_of(body_of(google_account(), google_spec())) ==
               "ssh-keys enable-oslogin enable-guest-attributes startup-script ");
    BOOST_TEST(keys_of(body_of(google_account(), google_spec(), "#cloud-config\n")) ==
               "ssh-keys enable-oslogin enable-guest-attributes user-data ");
}

BOOST_AUTO_TEST_CASE(a_disk_that_exists_is_attached_and_goes_with_the_machine) {
    const std::string name = "cooperage-01234567-00000001-1001-10-1";
    const Json disk = body_of(google_account(), google_spec(), "", {name}).at("disks").at(0);
    BOOST_TEST(base::text_at(disk, "source") == "zones/us-central1-b/disks/" + name);
    BOOST_TEST(!disk.contains("initializeParams"));
    BOOST_TEST((disk.at("autoDelete") == true));
}

BOOST_AUTO_TEST_CASE(spot_machines_are_deleted_when_they_are_taken_back_and_never_restarted) {
    auto spec = google_spec();
    spec.hardware["spot"] = "yes";
    BOOST_TEST(
        base::to_text(body_of(google_account({{"auto_restart", "true"}}), spec).at("scheduling")) ==
        R"({"provisioningModel":"SPOT","automaticRestart":false,)"
        R"("onHostMaintenance":"TERMINATE","instanceTerminationAction":"DELETE"})");
    BOOST_TEST(base::to_text(body_of(google_account({{"auto_restart", "true"}}), google_spec())
                                 .at("scheduling")) == R"({"automaticRestart":true})");
}

BOOST_AUTO_TEST_CASE(networks_and_subnetworks_are_names_or_paths) {
    const auto interface_of = [](const Json& fields) {
        return base::to_text(
            body_of(google_account(fields), google_spec()).at("networkInterfaces").at(0));
    };
    BOOST_TEST(
        interface_of(
            {{"network", "inner"}, {"google_subnetwork", "web"}, {"external_ip", "false"}}) ==
        R"({"network":"global/networks/inner",)"
        R"("subnetwork":"regions/us-central1/subnetworks/web"})");
    BOOST_TEST(interface_of({{"network", "projects/host/global/networks/n"},
                             {"google_subnetwork", "projects/host/regions/r/subnetworks/s"},
                             {"external_ip", false}}) ==
               R"({"network":"projects/host/global/networks/n",)"
               R"("subnetwork":"projects/host/regions/r/subnetworks/s"})");
}

BOOST_AUTO_TEST_CASE(listings_ask_for_our_label) {
    BOOST_TEST(google::label_filter(google_account(), "00000001-1001") ==
               "(labels.cooperage-installation = \"0123456789abcdef0123456789abcdef\") "
               "(labels.cooperage-machine = \"00000001-1001\")");
}

BOOST_AUTO_TEST_SUITE_END()
