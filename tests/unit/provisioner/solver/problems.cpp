#include "tests/unit/provisioner/solver/problems.hpp"

#include <stdexcept>

#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/solver/chance.hpp"

namespace tests {

using provisioner::model::Constraints;
using provisioner::model::ServiceConstraint;
using provisioner::solver::LayoutProblem;

LayoutProblem a_problem(const Names& services, int machines) {
    LayoutProblem problem;
    problem.cluster_template.header.name = "webapp";
    problem.cluster_template.defaults.services = services;
    problem.provider = "cloud";
    problem.machines = machines;
    for (const auto& service : services) problem.all_services.push_back(a_service(service));
    use_types(problem, {"medium"}, {"centos6"});
    return problem;
}

void use_types(LayoutProblem& problem, const Names& hardware, const Names& images) {
    problem.hardware_types.clear();
    problem.image_types.clear();
    for (const auto& name : hardware) problem.hardware_types.push_back(a_hardware_type(name));
    for (const auto& name : images) problem.image_types.push_back(an_image_type(name));
}

void set_quantities(Constraints& constraints, const std::string& service, int min, int max) {
    ServiceConstraint rule;
    rule.min = min;
    rule.max = max;
    constraints.services.emplace_back(service, rule);
}

LayoutProblem reactor(int machines, const Names& hardware, const Names& images) {
    auto problem = a_problem({"namenode", "datanode", "resourcemanager", "nodemanager",
                              "hbasemaster", "regionserver", "zookeeper", "reactor"},
                             machines);
    problem.cluster_template.compatibility.hardware_types = {"large-mem", "large-cpu", "large",
                                                             "medium", "small"};
    use_types(problem, hardware, images);
    auto& constraints = problem.cluster_template.constraints;
    constraints.must_coexist = {{"datanode", "nodemanager", "regionserver"},
                                {"namenode", "resourcemanager", "hbasemaster"}};
    constraints.cant_coexist = {{"datanode", "namenode"},
                                {"datanode", "zookeeper"},
                                {"namenode", "zookeeper"},
                                {"datanode", "reactor"},
                                {"namenode", "reactor"}};
    constraints.services = {{"namenode", {{"large-mem"}, {"centos6", "ubuntu12"}, 1, 1}},
                            {"datanode", {{"medium", "large-cpu"}, {"centos6", "ubuntu12"}, 1, 50}},
                            {"zookeeper", {{"small", "medium"}, {"centos6"}, 1, 5}},
                            {"reactor", {{"medium", "large"}, {}, 1, 5}}};
    return problem;
}

LayoutProblem reactor2() {
    auto problem = a_problem({"firewall", "hosts", "hadoop-hdfs-datanode", "hadoop-hdfs-namenode",
                              "hadoop-yarn-nodemanager", "hadoop-yarn-resourcemanager",
                              "zookeeper-server", "hbase-master", "hbase-regionserver", "reactor"},
                             200);
    use_types(problem, {"small", "medium", "large"}, {"centos6", "ubuntu12"});
    auto& constraints = problem.cluster_template.constraints;
    constraints.must_coexist = {
        {"hadoop-hdfs-datanode", "hadoop-yarn-nodemanager", "hbase-regionserver"}};
    constraints.cant_coexist = {{"hadoop-hdfs-namenode", "hadoop-hdfs-secondarynamenode"},
                                {"hadoop-yarn-resourcemanager", "hadoop-yarn-nodemanager"},
                                {"hadoop-hdfs-namenode", "hadoop-hdfs-datanode"},
                                {"hadoop-hdfs-datanode", "mysql-server"},
                                {"hbase-master", "hbase-regionserver"}};
    set_quantities(constraints, "hadoop-hdfs-namenode", 1, 1);
    set_quantities(constraints, "hadoop-yarn-resourcemanager", 1, 1);
    set_quantities(constraints, "zookeeper-server", 1, 1);
    set_quantities(constraints, "hbase-master", 0, 1);
    set_quantities(constraints, "reactor", 0, 1);
    return problem;
}

LayoutProblem hadoop(int machines) {
    auto problem = a_problem(
        {"firewall", "hosts", "namenode", "datanode", "nodemanager", "resourcemanager"}, machines);
    use_types(problem, {"small", "medium", "large"}, {"centos6", "ubuntu12"});
    problem.cluster_template.defaults.hardware_type = "medium";
    problem.cluster_template.defaults.image_type = "ubuntu12";
    auto& constraints = problem.cluster_template.constraints;
    constraints.must_coexist = {{"datanode", "nodemanager", "regionserver"}};
    constraints.cant_coexist = {
        {"namenode", "secondarynamenode"}, {"resourcemanager", "nodemanager"},
        {"namenode", "datanode"},          {"datanode", "mysql-server"},
        {"datanode", "reactor"},           {"hbasemaster", "regionserver"}};
    set_quantities(constraints, "namenode", 1, 1);
    set_quantities(constraints, "resourcemanager", 1, 1);
    set_quantities(constraints, "zookeeper", 1, 1);
    set_quantities(constraints, "hbasemaster", 0, 1);
    set_quantities(constraints, "reactor", 0, 1);
    return problem;
}

LayoutProblem cdap(int machines) {
    const Names once{"hadoop-hdfs-namenode",
                     "hadoop-yarn-resourcemanager",
                     "hadoop-mapreduce-historyserver",
                     "zookeeper-server",
                     "hbase-master",
                     "cdap",
                     "cdap-security",
                     "mysql-server"};
    const Names workers{"hadoop-hdfs-datanode", "hadoop-yarn-nodemanager", "hbase-regionserver"};
    const Names beside{"spark-historyserver", "hive-metastore", "hive-metastore-database"};
    Names all = once;
    all.insert(all.end(), beside.begin(), beside.end());
    Names services = all;
    services.insert(services.end(), workers.begin(), workers.end());
    services.push_back("base");

    auto problem = a_problem(services, machines);
    auto& constraints = problem.cluster_template.constraints;
    constraints.must_coexist = {workers, all};
    constraints.cant_coexist = {{"hadoop-hdfs-namenode", "hadoop-hdfs-datanode"},
                                {"hadoop-hdfs-datanode", "cdap"},
                                {"hadoop-yarn-resourcemanager", "hadoop-yarn-nodemanager"},
                                {"hive-server2", "cdap"}};
    for (const auto& service : once) set_quantities(constraints, service, 1, 1);
    set_quantities(constraints, "hadoop-hdfs-datanode", 2, 99);
    return problem;
}

provisioner::solver::Selection selection_of(const LayoutProblem& problem) {
    const auto selection = provisioner::solver::select(problem);
    if (!selection)
        throw std::logic_error("the problem has no selection: " + selection.error().text);
    return *selection;
}

LayoutProblem random_problem(unsigned seed) {
    Chance chance(seed);
    const Names all{"a", "b", "c", "d", "e", "f"};
    const Names services(all.begin(), all.begin() + 2 + chance.upto(3));
    const Names hardware{"large", "medium", "small"};
    const Names images{"centos6", "ubuntu12"};
    auto problem = a_problem(services, 1 + chance.upto(4));
    use_types(problem, hardware, images);

    auto& rules = problem.cluster_template.constraints;
    for (int i = chance.upto(4); i > 0; --i) {
        rules.cant_coexist.push_back(chance.some_of(all, 2 + chance.upto(1)));
    }
    for (int i = chance.upto(1); i > 0; --i) rules.must_coexist.push_back(chance.some_of(all, 2));
    for (const auto& service : chance.some_of(all, 2)) {
        const int min = chance.upto(2);
        const int max = chance.one_in(3) ? provisioner::model::no_maximum : min + chance.upto(2);
        rules.services.push_back(
            {service, {chance.some_of(hardware, 3), chance.some_of(images, 4), min, max}});
    }
    return problem;
}

}  // namespace tests
