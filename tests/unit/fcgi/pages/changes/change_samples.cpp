#include "change_samples.hpp"

#include "fcgi/pages/changes/unfinished_part.hpp"

namespace samples {

namespace {

namespace operations = provisioner::operations;
namespace planner = provisioner::planner;

operations::NodeChange node_change(planner::Membership membership, int number,
                                   const std::vector<std::string>& services) {
    operations::NodeChange change;
    change.membership = membership;
    change.node.nodenum = number;
    change.node.hostname = "shop42-" + std::to_string(number) + ".example.test";
    change.node.hardware_type = "small";
    change.node.image_type = "debian";
    change.node.services = services;
    return change;
}

}  // namespace

ChangePage growing_page(int machines) {
    const auto made = ClusterBuilder().active();
    ChangePage page{.change = Change::grow, .cluster = made.cluster, .nodes = made.nodes};
    page.labels = made.labels;
    page.asked.fields = {{"numMachines", "1"}, {"restart", "true"}};
    operations::PreparedChange change;
    change.operation = Operation::cluster_grow;
    change.cost_before = some_cost();
    change.cost_after = some_cost();
    change.cost_after->per_hour.add({"USD", 11'600});
    change.warnings = {"85 % of the tenant's budget of 0.50 USD per hour is used."};
    change.nodes.push_back(node_change(planner::Membership::stays, 1000, {"load-balancer"}));
    for (int i = 1; i < machines; ++i) {
        change.nodes.push_back(node_change(planner::Membership::stays, 1000 + i, {"web"}));
    }
    change.nodes.push_back(node_change(planner::Membership::joins, 1000 + machines, {"web"}));
    const auto last = static_cast<std::size_t>(machines);
    change.graph.order({last, Action::create, ""}, {last, Action::start, "web"});
    change.graph.order({last, Action::start, "web"}, {0, Action::configure, "load-balancer"});
    page.preview = change;
    return page;
}

ChangePage scattered_page() {
    auto page = growing_page(1);
    page.change = Change::shrink;
    page.preview->operation = Operation::cluster_shrink;
    page.preview->nodes.resize(1);
    page.preview->graph = {};
    for (int i = 1; i < 40; ++i) {
        const auto membership =
            i % 2 == 0 ? planner::Membership::stays : planner::Membership::leaves;
        page.preview->nodes.push_back(node_change(membership, 1000 + i, {"web"}));
    }
    page.preview->graph.order({0, Action::stop, "load-balancer"},
                              {0, Action::start, "load-balancer"});
    return page;
}

ChangePage shrinking_page() {
    const auto made = ClusterBuilder().active();
    ChangePage page{.change = Change::shrink, .cluster = made.cluster, .nodes = made.nodes};
    page.labels = made.labels;
    page.asked.fields = {{"numMachines", "9"}, {"nodes", "1001"}};
    page.cluster.snapshot.cluster_template.constraints.size_min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {
        {"load-balancer", {.hardware_types = {}, .image_types = {}, .min = 1}}};
    page.problems = {{"nodes", "web needs at least 1 machine and would be on 0."},
                     {"numMachines", "The cluster has 4 machines and needs at least 3."}};
    return page;
}

ChangePage picking_page() {
    auto page = shrinking_page();
    page.problems.clear();
    const Node like = page.nodes.back();
    for (int i = 0; i < 140; ++i) {
        Node& node = page.nodes.emplace_back(like);
        node.nodenum = 1010 + i;
        node.hostname = "shop42-" + std::to_string(node.nodenum) + ".example.test";
    }
    page.looks = {{1011, MachineLook::failed}, {1015, MachineLook::failed}};
    page.asked.fields = {{"numMachines", "1"}, {"nodes", "1011"}, {"nodes", "1140"},
                         {"q", "shop"},        {"page", "2"},     {"looked", "yes"}};
    return page;
}

ChangePage unfinished_page() {
    const auto made = ClusterBuilder().failed();
    ChangePage page{
        .change = Change::shrink, .cluster = made.cluster, .job = made.job, .nodes = made.nodes};
    page.labels = made.labels;
    page.cluster.snapshot.cluster_template.constraints.size_min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {
        {"load-balancer", {.hardware_types = {}, .image_types = {}, .min = 1}}};
    page.job->operation = Operation::cluster_grow;
    const Node like = page.nodes.back();
    for (int i = 0; i < 184; ++i) {
        Node& node = page.nodes.emplace_back(like);
        node.nodenum = 1010 + i;
        node.hostname = "shop42-" + std::to_string(node.nodenum) + ".example.test";
        if (i % 50 == 0) page.failed.insert(node.nodenum);
    }
    page.end.failed_machines = static_cast<int>(page.failed.size());
    page.leaving = 2;
    page.keepable = {like};
    page.keepable.back().nodenum = 1006;
    page.keepable.back().hostname = "shop42-1006.example.test";
    page.asked = first_choice(page);
    return page;
}

ChangePage unfinished_creation_page() {
    auto page = unfinished_page();
    page.job->operation = Operation::cluster_create;
    page.failed.insert(page.nodes.front().nodenum);
    page.leaving = 0;
    page.asked = first_choice(page);
    return page;
}

ChangePage keeping_page() {
    auto page = unfinished_page();
    page.failed.clear();
    page.leaving = 1;
    page.keepable.back().leaves = true;
    page.job->operation = Operation::cluster_shrink;
    page.job->aborted = true;
    page.end = {.to_keep = {{.without = {}, .kept = {{.hostname = page.keepable[0].hostname}}}}};
    page.asked.fields = {{"keep", "true"}};
    let_keepable_stay(page);
    auto& preview = page.preview.emplace();
    preview.operation = Operation::cluster_shrink;
    preview.is_given_up = true;
    preview.nodes = {node_change(planner::Membership::stays, 1000, {"load-balancer"}),
                     node_change(planner::Membership::stays, 1006, {"web"})};
    preview.nodes.back().is_kept = true;
    return page;
}

ChangePage keeping_and_removing_page() {
    auto page = keeping_page();
    page.asked.fields.emplace_back("nodes", "1011");
    page.preview->nodes.push_back(node_change(planner::Membership::leaves, 1011, {"web"}));
    page.preview->graph.order({2, Action::stop, "web"}, {2, Action::delete_machine, ""});
    return page;
}

ChangePage removing_page() {
    auto page = growing_page(2);
    page.change = Change::remove_services;
    page.asked.fields = {{"services", "cache"}};
    page.preview->operation = Operation::remove_services;
    page.preview->nodes[1].leaving = {"cache"};
    page.preview->nodes[1].arriving = {};
    page.preview->nodes.pop_back();
    page.preview->graph = {};
    page.preview->graph.order({1, Action::stop, "cache"}, {1, Action::remove, "cache"});
    return page;
}

}  // namespace samples
