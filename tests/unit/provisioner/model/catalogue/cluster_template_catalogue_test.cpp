#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "tests/unit/provisioner/model/wire.hpp"

// Texts in the shapes of the public template set: what each of them exercises is its test's name.
using namespace provisioner::model;
using tests::wire;

namespace {

constexpr auto lamp = R"({'name':'lamp','description':'LAMP stack',
    'defaults':{'services':['base','apache-httpd','php','php-modules','mysql-server'],
        'provider':'rackspace','hardwaretype':'standard-medium','imagetype':'ubuntu12',
        'config':{'apache':{'default_site_enabled':'true','default_modules':['status','ssl']},
            'mysql':{'bind_address':'%ip.bind_v4.service.mysql-server%','port':'3306'}}},
    'compatibility':{'hardwaretypes':['standard-small','standard-medium'],
        'imagetypes':['centos6','ubuntu12'],
        'services':['base','haproxy','apache-httpd','php','php-modules','mysql-server']},
    'constraints':{'layout':{'mustcoexist':[['apache-httpd','php','php-modules']]},
        'services':{'haproxy':{'quantities':{'max':1}},'mysql-server':{'quantities':{'max':1}}}},
    'administration':{'leaseduration':{'initial':0,'max':0,'step':0}},
    'links':[{'label':'Apache HTTPd','url':'http://%ip.access_v4.service.apache-httpd%:80'}]})";

constexpr auto spark_singlenode = R"({'name':'spark-singlenode',
    'defaults':{'services':['base','spark-master','spark-worker'],'provider':'rackspace',
        'config':{'spark':{'spark_env':{'spark_master_ip':'%host.service.spark-master%'}}}},
    'compatibility':{'hardwaretypes':['standard-large'],'imagetypes':['centos6'],
        'services':['base','spark-master','spark-worker']},
    'constraints':{'size':{'min':1,'max':1}},
    'administration':{'leaseduration':{'initial':'0','max':'0','step':'0'}}})";

constexpr auto cdap_distributed = R"({'name':'cdap-distributed',
    'defaults':{'services':['base','zookeeper-server','cdap'],'provider':'rackspace'},
    'constraints':{'layout':{
            'mustcoexist':[['hbase-regionserver','hadoop-hdfs-datanode'],
                ['cdap','mysql-server','zookeeper-server','mysql-server']],
            'cantcoexist':[['hadoop-hdfs-namenode','hadoop-hdfs-datanode']]},
        'services':{'zookeeper-server':{'quantities':{'min':'1','max':'1'}}},
        'size':{'min':'3','max':'100'}},
    'administration':{'leaseduration':{'initial':43200000,'max':0,'step':43200000}}})";

constexpr auto docker_base = R"({'name':'docker-base',
    'defaults':{'services':['docker'],'provider':'google'},
    'compatibility':{'hardwaretypes':[],'imagetypes':[],'services':['docker']}})";

ClusterTemplate loaded(const char* text) {
    return cluster_template_from_json(wire(text)).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_layout_with_one_of_its_two_lists_and_quantities_with_only_a_maximum) {
    const ClusterTemplate read = loaded(lamp);

    BOOST_TEST(read.constraints.must_coexist.size() == 1U);
    BOOST_TEST(read.constraints.cant_coexist.empty());
    BOOST_TEST(constraint_on(read.constraints, "haproxy")->min == 0);
    BOOST_TEST(constraint_on(read.constraints, "haproxy")->max == 1);
    BOOST_TEST(read.links.front().label == "Apache HTTPd");
}

BOOST_AUTO_TEST_CASE(lease_values_given_as_texts_and_no_layout) {
    const ClusterTemplate read = loaded(spark_singlenode);

    BOOST_TEST((read.lease == LeaseDuration{}));
    BOOST_TEST(read.constraints.must_coexist.empty());
    BOOST_TEST(read.constraints.size_min == 1);
    BOOST_TEST(read.constraints.size_max == 1);
}

BOOST_AUTO_TEST_CASE(a_service_repeated_inside_one_group_and_sizes_as_texts) {
    const ClusterTemplate read = loaded(cdap_distributed);

    const std::vector<std::string> group{"cdap", "mysql-server", "zookeeper-server"};
    BOOST_TEST(read.constraints.must_coexist.back() == group, boost::test_tools::per_element());
    BOOST_TEST(read.constraints.size_min == 3);
    BOOST_TEST(read.constraints.size_max == 100);
    BOOST_TEST(read.lease.step.count() == 43200000);
}

BOOST_AUTO_TEST_CASE(no_constraints_and_no_administration) {
    const ClusterTemplate read = loaded(docker_base);

    BOOST_TEST((read.constraints == Constraints{}));
    BOOST_TEST((read.lease == LeaseDuration{}));
}

BOOST_AUTO_TEST_CASE(every_text_of_the_set_reads_the_same_after_it_was_written) {
    for (const char* text : {lamp, spark_singlenode, cdap_distributed, docker_base}) {
        const ClusterTemplate read = loaded(text);

        const auto again = cluster_template_from_json(to_json(read));

        BOOST_REQUIRE(again.has_value());
        BOOST_TEST((*again == read), read.header.name);
    }
}
