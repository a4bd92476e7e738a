#include "provisioner/providers/aws/cleaning.hpp"

#include <algorithm>
#include <array>

#include "provisioner/providers/aws/replies.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

constexpr int page_size = 500;

/// A kind of thing, and the calls that list and delete it.
struct Kind {
    const char* name;
    const char* list;
    const char* set;
    const char* id;
    const char* remove;
    /// Parameter of `remove`.
    const char* parameter;
    /// Whether it belongs to a machine and not to the cluster.
    bool is_of_machine;
    bool has_pages;
};

constexpr std::array kinds{
    Kind{"disk", "DescribeVolumes", "volumeSet", "volumeId", "DeleteVolume", "VolumeId", true,
         true},
    Kind{"port", "DescribeNetworkInterfaces", "networkInterfaceSet", "networkInterfaceId",
         "DeleteNetworkInterface", "NetworkInterfaceId", true, true},
    Kind{"security group", "DescribeSecurityGroups", "securityGroupInfo", "groupId",
         "DeleteSecurityGroup", "GroupId", false, true},
    Kind{"key pair", "DescribeKeyPairs", "keySet", "keyName", "DeleteKeyPair", "KeyName", false,
         false},
};

/// What carries the mark: members of `mark` that are empty, and its task, do not matter.
asio::awaitable<std::vector<Thing>> marked(Api& api, Kind kind, cloud::Mark mark) {
    Query query(kind.list);
    mark.task = 0;
    for (const auto& [tag, value] : cloud::tags_of(mark)) query.add_filter("tag:" + tag, {value});
    std::vector<http_client::Reply> replies;
    if (kind.has_pages) {
        replies = co_await api.pages(std::move(query), page_size);
    } else {
        http_client::Reply reply = co_await api.call(std::move(query));
        replies.push_back(std::move(reply));
    }
    std::vector<Thing> things;
    for (const http_client::Reply& reply : replies) {
        const auto more = things_in(reply, kind.set, kind.id);
        things.insert(things.end(), more.begin(), more.end());
    }
    co_return things;
}

bool is_on_its_way_out(const Thing& thing) {
    return thing.state == "deleting" || thing.state == "deleted";
}

/// Deletes it; what holds it up, in words, or "".
asio::awaitable<std::string> removed(Api& api, Kind kind, Thing thing) {
    const std::string name = "the " + std::string(kind.name) + " " + thing.id;
    if (is_on_its_way_out(thing)) co_return "";
    if (kind.is_of_machine && thing.state != "available") {
        co_return name + " is still " + thing.state;
    }
    Query query(kind.remove);
    query.add(kind.parameter, thing.id);
    const Outcome outcome = co_await api.ask(query);
    if (!outcome.error || outcome.error->is_not_found()) co_return "";
    const std::string& code = outcome.error->code;
    if (code == "DependencyViolation" || code == "InvalidGroup.InUse" || code == "VolumeInUse" ||
        code == "InvalidNetworkInterface.InUse" || code == "InvalidParameterValue") {
        co_return name + " is still in use: " + cloud::words_of(outcome.error->message);
    }
    api.refuse(outcome, query);
}

/// Removes all things of these kinds that were not made for a later task.
asio::awaitable<std::vector<std::string>> remove_marked(Api& api, cloud::Mark mark,
                                                        bool of_machine) {
    std::vector<std::string> left;
    for (const Kind& kind : kinds) {
        if (kind.is_of_machine != of_machine) continue;
        const std::vector<Thing> things = co_await marked(api, kind, mark);
        for (const Thing& thing : things) {
            if (mark.task > 0 && cloud::mark_in(thing.tags).task > mark.task) continue;
            std::string words = co_await removed(api, kind, thing);
            if (!words.empty()) left.push_back(std::move(words));
        }
    }
    co_return left;
}

bool has_machine(const std::vector<cloud::CloudMachine>& machines, const cloud::Mark& mark) {
    return std::any_of(machines.begin(), machines.end(), [&](const auto& machine) {
        const bool is_there = machine.state != cloud::CloudMachine::State::gone;
        const bool is_meant = mark.name.empty() ? machine.mark.cluster == mark.cluster
                                                : machine.mark.name == mark.name;
        return is_there && is_meant;
    });
}

}  // namespace

asio::awaitable<std::vector<cloud::Leftover>> leftovers_in(
    Api& api, const std::vector<cloud::CloudMachine>& machines) {
    cloud::Mark ours;
    ours.installation = api.account().installation;
    std::vector<cloud::Leftover> leftovers;
    for (const Kind& kind : kinds) {
        const std::vector<Thing> things = co_await marked(api, kind, ours);
        for (const Thing& thing : things) {
            cloud::Leftover leftover;
            leftover.id = thing.id;
            leftover.kind = kind.name;
            leftover.mark = cloud::mark_in(thing.tags);
            leftover.size_gb = thing.size_gb;
            const bool is_left = !is_on_its_way_out(thing) && !has_machine(machines, leftover.mark);
            if (is_left) leftovers.push_back(std::move(leftover));
        }
    }
    co_return leftovers;
}

asio::awaitable<std::vector<std::string>> release_machine(Api& api, const cloud::Mark& mark) {
    std::vector<std::string> left = co_await remove_marked(api, mark, true);
    co_return left;
}

asio::awaitable<std::vector<std::string>> release_cluster(Api& api, const cloud::Mark& mark) {
    std::vector<std::string> left = co_await remove_marked(api, mark, false);
    co_return left;
}

}  // namespace provisioner::providers::aws
