#include "provisioner/store/work_store.hpp"

#include <algorithm>

#include "provisioner/store/cluster_rows.hpp"

namespace provisioner::store {

namespace {

/// The columns of a row, to tell whether it is still what it was.
std::string text_of(Rows& row) {
    std::string text;
    std::string column;
    for (int i = 0; i < row.columns(); ++i) {
        if (row.fetch(i, column)) text += column;
        text += '\0';
    }
    return text;
}

/// A row as it was stored and what it says.
template <class Value>
struct Kept {
    std::string text;
    std::shared_ptr<const Value> value;

    /// False when nothing has changed.
    bool take(Rows& row, Value (*read)(Rows&)) {
        std::string now = text_of(row);
        if (value && now == text) return false;
        text = std::move(now);
        value = std::make_shared<const Value>(read(row));
        return true;
    }
};

}  // namespace

struct ClusterWatch::Seen {
    std::size_t looked = 0;
    Kept<model::Cluster> cluster;
    std::vector<Kept<model::Node>> nodes;
    std::shared_ptr<const ClusterView> view;

    bool take_cluster(Connection& connection, model::ClusterId id, bool& changed) {
        Rows row = connection.sql(select_cluster) << id.value << 0 << 0;
        if (!row.next()) return false;
        changed |= cluster.take(row, read_cluster);
        return true;
    }

    void take_nodes(Connection& connection, model::ClusterId id, bool& changed) {
        static const std::string statement = std::string(node_columns) + still_there + by_number;
        Rows row = connection.sql(statement) << id.value;
        std::size_t count = 0;
        for (; row.next(); ++count) {
            if (count == nodes.size()) nodes.emplace_back();
            changed |= nodes[count].take(row, read_node);
        }
        changed |= count != nodes.size();
        nodes.resize(count);
    }

    void draw() {
        ClusterView drawn{.cluster = cluster.value, .nodes = {}};
        drawn.nodes.reserve(nodes.size());
        for (const auto& node : nodes) {
            (node.value->leaves ? drawn.leaving : drawn.nodes).push_back(node.value);
        }
        view = std::make_shared<const ClusterView>(std::move(drawn));
    }
};

ClusterWatch::ClusterWatch(std::size_t kept_nodes) : kept_nodes_(kept_nodes) {}
ClusterWatch::~ClusterWatch() = default;

std::shared_ptr<const ClusterView> ClusterWatch::look(Connection& connection, model::ClusterId id) {
    auto& seen = seen_[id];
    if (!seen) seen = std::make_unique<Seen>();
    seen->looked = ++looks_;
    bool changed = false;
    if (!seen->take_cluster(connection, id, changed)) {
        seen_.erase(id);
        return nullptr;
    }
    seen->take_nodes(connection, id, changed);
    if (changed) seen->draw();
    auto view = seen->view;
    forget_beyond_limit(id);
    return view;
}

void ClusterWatch::forget_beyond_limit(model::ClusterId just_seen) {
    std::size_t kept = 0;
    for (const auto& [id, seen] : seen_) kept += seen->nodes.size();
    while (kept > kept_nodes_ && seen_.size() > 1) {
        const auto oldest = std::min_element(
            seen_.begin(), seen_.end(),
            [](const auto& a, const auto& b) { return a.second->looked < b.second->looked; });
        if (oldest->first == just_seen) return;
        kept -= oldest->second->nodes.size();
        seen_.erase(oldest);
    }
}

}  // namespace provisioner::store
