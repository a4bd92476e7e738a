#include "cluster_builder.hpp"

#include <algorithm>

namespace samples {

namespace {

EntityHeader header(const std::string& name, const std::string& label,
                    const std::string& description) {
    EntityHeader made;
    made.name = name;
    if (!label.empty()) made.label = label;
    made.description = description;
    return made;
}

PluginField plugin_field(const std::string& name, const std::string& label, const std::string& kind,
                         const std::string& tip) {
    PluginField made;
    made.name = name;
    made.label = label;
    made.kind = kind;
    made.tip = tip;
    return made;
}

}  // namespace

Job job(int total, int done, Timestamp created_at) {
    Job made;
    made.id = JobId{2};
    made.created_at = created_at;
    made.tasks_total = total;
    made.tasks_done = done;
    return made;
}

ClusterTemplate web_template() {
    ClusterTemplate web;
    web.header =
        header("web", "Web site",
               "A load balancer in front of as many web servers as you like, sharing a cache.");
    web.defaults.services = {"cache", "cron", "load-balancer", "web"};
    web.defaults.provider = "local";
    web.defaults.hardware_type = "small";
    web.defaults.image_type = "debian";
    web.defaults.dns_suffix = "example.test";
    web.defaults.config = {{"web", {{"greeting", "Hello"}}}};
    web.compatibility.services = {"base", "cache", "cron", "load-balancer", "web"};
    web.constraints.size_max = 20;
    web.lease.initial = 168h;
    web.links = {{"Web site", "http://%ip.access_v4.service.load-balancer[0]%/"}};
    return web;
}

ClusterTemplate big_template() {
    ClusterTemplate hadoop;
    hadoop.header = header("hadoop-distributed", "",
                           "HDFS, YARN, HBase and ZooKeeper on three machines or more.");
    hadoop.defaults.services = {"hadoop-hdfs-datanode",
                                "hadoop-hdfs-namenode",
                                "hadoop-yarn-nodemanager",
                                "hadoop-yarn-resourcemanager",
                                "hbase-master",
                                "hbase-regionserver",
                                "zookeeper-server",
                                "hive-metastore",
                                "mysql-server"};
    hadoop.constraints.size_min = 3;
    return hadoop;
}

ClusterTemplate small_template() {
    ClusterTemplate single;
    single.header = header("redis", "Redis", "One machine with a Redis.");
    single.defaults.services = {"cache"};
    single.constraints.size_max = 1;
    single.lease.initial = 24h;
    return single;
}

Node node(int number, std::vector<std::string> services, bool confirmed) {
    Node made;
    made.id = NodeId{number};
    made.nodenum = 999 + number;
    made.hostname = "shop-42-" + std::to_string(made.nodenum) + ".example.test";
    made.hardware_type = "small";
    made.image_type = "debian";
    made.services = std::move(services);
    if (confirmed) made.addresses = {{"access_v4", "10.77.0." + std::to_string(10 + number)}};
    return made;
}

Offer offer() {
    auto region = plugin_field("region", "Region", "select", "Where the machines stand.");
    region.options = {"eu-central", "us-east"};
    const auto key = plugin_field("key", "Key pair", "text", "");
    const auto password = plugin_field("secret", "Secret access key", "password", "");
    return {.templates = {big_template(), small_template(), web_template()},
            .providers = {{"local", "This machine"}, {"openstack", "openstack"}},
            .hardware_types = {{"large", "large", {"local", "openstack"}},
                               {"medium", "medium", {"openstack"}},
                               {"small", "Small, 2 cores", {"local", "openstack"}}},
            .image_types = {{"debian", "Debian 12", {"local"}}},
            .services = {{"cache", "Redis"},
                         {"cron", "cron"},
                         {"load-balancer", "load-balancer"},
                         {"web", "Web server"}},
            .provider_fields = {region, key, password}};
}

HourlyCost some_cost() {
    HourlyCost cost;
    cost.per_hour.add({"USD", 46'400});
    return cost;
}

ClusterPage large_and_done() {
    auto page = ClusterBuilder().large();
    for (Task& task : page.tasks) {
        task.state = TaskState::done;
        task.message.clear();
        task.attempt = 1;
        task.started_at = now - 4s;
        task.finished_at = now - 1s;
    }
    page.job->status = JobStatus::complete;
    page.job->finished_at = now - 1s;
    page.job->tasks_done = page.job->tasks_total;
    page.cluster.status = ClusterStatus::active;
    return page;
}

ClusterPage cluster_with_old_template() {
    ClusterPage page = ClusterBuilder().active();
    page.cluster.snapshot.cluster_template.header.version = 3;
    page.newest_template = 5;
    return page;
}

ClusterPage cluster_with_failed_configuration() {
    ClusterPage page = ClusterBuilder().failed();
    page.cluster.status = ClusterStatus::inconsistent;
    page.cluster.config = {{"web", {{"port", "abc"}}}};
    page.job->operation = Operation::cluster_configure;
    return page;
}

ClusterPage cluster_with_long_description() {
    ClusterPage page = ClusterBuilder().without_services();
    page.cluster.description =
        "The shop, for the demo on Friday.\n\nIt has the data of last week. Whoever changes it "
        "says so in "
        "the room of the team, because others show it to visitors, and puts it back as it was: see "
        "the "
        "notes beside the machine in the hall.";
    return page;
}

}  // namespace samples
