#include "provisioner/store/clusters/work_store.hpp"

#include <algorithm>
#include <unordered_map>

#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_nodes_version = R"sql(
    SELECT COALESCE(job.id, 0) AS job, COALESCE(job.node_changes, 0) AS changes, cluster.node_count,
           COALESCE((SELECT MAX(nodenum) FROM node WHERE node.cluster_id = cluster.id), 0)
               AS highest_number
    FROM cluster
    LEFT JOIN job ON job.id = cluster.latest_job_id
    WHERE cluster.id = ?
)sql";

constexpr auto changed_since = R"sql(
    AND node.changed_in > ?
)sql";

/// The columns of a row as one text, to compare rows without parsing them.
std::string text_of(Rows& row) {
    std::string text;
    std::string column;
    for (int i = 0; i < row.columns(); ++i) {
        if (row.fetch(i, column)) text += column;
        text += '\0';
    }
    return text;
}

/// A row as it was stored, and the value read from it.
template <class Value>
struct Kept {
    std::string text;
    std::shared_ptr<const Value> value;

    /// Takes the row over. False when nothing has changed.
    bool take(Rows& row, Value (*read)(Rows&)) {
        std::string now = text_of(row);
        if (value && now == text) return false;
        text = std::move(now);
        value = std::make_shared<const Value>(read(row));
        return true;
    }
};

/// Of any tenant and owner.
std::optional<model::Cluster> select_any(Connection& connection, model::ClusterId id,
                                         const std::string& statement) {
    Rows row = connection.sql(statement) << id.value << 0 << 0;
    if (!row.next()) return std::nullopt;
    return read_cluster(row);
}

bool looks_the_same(const ClusterView& a, const ClusterView& b) {
    const auto same = [](const auto& one, const auto& other) {
        return one == other || model::looks_the_same(*one, *other);
    };
    return a.cluster == b.cluster &&
           std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same);
}

}  // namespace

// The memo may hold the positions, although several views share it. They share it only if their
// nodes look the same. So a node has the same position in all of them.
std::shared_ptr<const model::Node> ClusterView::find(model::NodeId node) const {
    using Places = std::unordered_map<model::NodeId, std::size_t>;
    const auto places = memo->get<Places>("places of nodes", [this] {
        Places all;
        for (std::size_t i = 0; i < nodes.size(); ++i) all.emplace(nodes[i]->id, i);
        return all;
    });
    if (const auto found = places->find(node); found != places->end()) return nodes[found->second];
    for (const auto& one : leaving) {
        if (one->id == node) return one;
    }
    return nullptr;
}

struct ClusterWatch::Seen {
    /// Shows whether any node has changed: tasks and people count changes in the latest job.
    struct Version {
        long long job = 0;
        long long changes = 0;
        int node_count = 0;
        int highest_number = 0;

        bool operator==(const Version&) const = default;

        /// Whether node.changed_in marks every change since `before`. Not so when nodes came or
        /// went, or when another job began.
        bool goes_on_from(const Version& before) const {
            return job != 0 && job == before.job && node_count == before.node_count &&
                   highest_number == before.highest_number;
        }
    };

    std::list<model::ClusterId>::iterator place;
    /// How many of its nodes seen_nodes_ includes.
    std::size_t counted = 0;
    Version version;
    Kept<model::Cluster> cluster;
    std::vector<Kept<model::Node>> nodes;
    std::map<model::NodeId, std::size_t> index;
    std::shared_ptr<const ClusterView> view;

    static std::optional<Version> read_version(Connection& connection, model::ClusterId id) {
        Rows row = connection.sql(select_nodes_version) << id.value;
        if (!row.next()) return std::nullopt;
        return Version{.job = row.get<long long>("job"),
                       .changes = row.get<long long>("changes"),
                       .node_count = row.get<int>("node_count"),
                       .highest_number = row.get<int>("highest_number")};
    }

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
        index.clear();
        for (std::size_t i = 0; i < count; ++i) index.emplace(nodes[i].value->id, i);
    }

    void take_changed_nodes(Connection& connection, model::ClusterId id, bool& changed) {
        static const std::string statement =
            std::string(node_columns) + still_there + changed_since + by_number;
        Rows row = connection.sql(statement) << id.value << version.changes;
        while (row.next()) {
            const auto found = index.find(model::NodeId{row.get<long long>("id")});
            if (found != index.end()) changed |= nodes[found->second].take(row, read_node);
        }
    }

    void draw() {
        ClusterView drawn{.cluster = cluster.value, .nodes = {}};
        drawn.nodes.reserve(nodes.size());
        for (const auto& node : nodes) {
            (node.value->leaves ? drawn.leaving : drawn.nodes).push_back(node.value);
        }
        if (view && looks_the_same(*view, drawn)) drawn.memo = view->memo;
        view = std::make_shared<const ClusterView>(std::move(drawn));
    }
};

ClusterWatch::ClusterWatch(std::size_t kept_nodes) : kept_nodes_(kept_nodes) {}
ClusterWatch::~ClusterWatch() = default;

std::shared_ptr<const ClusterView> ClusterWatch::look(Connection& connection, model::ClusterId id) {
    try {
        return updated(connection, id);
    } catch (...) {
        // Rows that were taken before the error would look unchanged to the next look, which would
        // keep the view without them.
        forget(id);
        throw;
    }
}

/// The cluster itself is never evicted here: found_or_new has made it the last.
std::shared_ptr<const ClusterView> ClusterWatch::updated(Connection& connection,
                                                         model::ClusterId id) {
    const auto version = Seen::read_version(connection, id);
    if (!version) {
        forget(id);
        return nullptr;
    }
    Seen& seen = found_or_new(id);
    if (seen.view && seen.version == *version) return seen.view;
    bool changed = !seen.view;
    if (!seen.take_cluster(connection, id, changed)) {
        forget(id);
        return nullptr;
    }
    if (seen.view && version->goes_on_from(seen.version)) {
        seen.take_changed_nodes(connection, id, changed);
    } else {
        seen.take_nodes(connection, id, changed);
    }
    seen.version = *version;
    if (changed) seen.draw();
    seen_nodes_ += seen.nodes.size() - seen.counted;
    seen.counted = seen.nodes.size();
    auto view = seen.view;
    while (seen_nodes_ > kept_nodes_ && seen_.size() > 1) forget(latest_last_.front());
    return view;
}

ClusterWatch::Seen& ClusterWatch::found_or_new(model::ClusterId id) {
    auto& seen = seen_[id];
    if (seen) {
        latest_last_.splice(latest_last_.end(), latest_last_, seen->place);
    } else {
        seen = std::make_unique<Seen>();
        seen->place = latest_last_.insert(latest_last_.end(), id);
    }
    return *seen;
}

void ClusterWatch::forget(model::ClusterId id) {
    const auto found = seen_.find(id);
    if (found == seen_.end()) return;
    seen_nodes_ -= found->second->counted;
    latest_last_.erase(found->second->place);
    seen_.erase(found);
}

std::optional<ClusterWork> find_work(Connection& connection, model::ClusterId id) {
    auto cluster = select_any(connection, id, select_cluster);
    if (!cluster) return std::nullopt;
    ClusterWork work{.cluster = *std::move(cluster), .nodes = nodes_of(connection, id)};
    const auto leaving = std::stable_partition(
        work.nodes.begin(), work.nodes.end(), [](const model::Node& node) { return !node.leaves; });
    work.leaving.assign(std::make_move_iterator(leaving),
                        std::make_move_iterator(work.nodes.end()));
    work.nodes.erase(leaving, work.nodes.end());
    return work;
}

std::optional<model::Cluster> lock_for_work(Connection& connection, model::ClusterId id) {
    return select_any(connection, id, select_cluster + " FOR UPDATE");
}

}  // namespace provisioner::store
