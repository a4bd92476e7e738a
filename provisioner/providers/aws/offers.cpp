#include "provisioner/providers/aws/offers.hpp"

#include <algorithm>

#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/aws/groups.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

Choice choice(std::string value, std::string label) {
    return {.value = std::move(value), .label = std::move(label)};
}

void sort_choices(std::vector<Choice>& choices) {
    std::sort(choices.begin(), choices.end(),
              [](const Choice& one, const Choice& other) { return one.value < other.value; });
}

asio::awaitable<std::vector<Image>> own_images(Api& api) {
    Query query("DescribeImages");
    query.add_list("Owner", {"self"});
    const auto reply = co_await api.call(std::move(query));
    co_return images_in(reply);
}

asio::awaitable<std::vector<Choice>> zones(Api& api) {
    const auto reply = co_await api.call(Query("DescribeAvailabilityZones"));
    std::vector<Choice> choices;
    for (std::string& name : texts_in(reply, "availabilityZoneInfo", "zoneName")) {
        choices.push_back(choice(std::move(name), ""));
    }
    co_return choices;
}

asio::awaitable<std::vector<Choice>> key_pairs(Api& api) {
    const auto reply = co_await api.call(Query("DescribeKeyPairs"));
    std::vector<Choice> choices;
    for (std::string& name : texts_in(reply, "keySet", "keyName")) {
        choices.push_back(choice(std::move(name), ""));
    }
    co_return choices;
}

asio::awaitable<std::vector<Thing>> all_of(Api& api, Query query, std::string set, std::string id) {
    const auto replies = co_await api.pages(std::move(query));
    std::vector<Thing> things;
    for (const auto& reply : replies) {
        const auto more = things_in(reply, set, id);
        things.insert(things.end(), more.begin(), more.end());
    }
    co_return things;
}

/// Groups by name, and by id.
asio::awaitable<void> add_groups(Api& api, Offer& offer) {
    const auto groups =
        co_await all_of(api, Query("DescribeSecurityGroups"), "securityGroupInfo", "groupId");
    auto& names = offer.choices["security_groups"];
    for (const Thing& group : groups) {
        names.push_back(choice(group.name, group.vpc));
        offer.choices["security_group_ids"].push_back(choice(group.id, group.name));
    }
}

asio::awaitable<void> add_subnets(Api& api, Offer& offer) {
    const auto subnets = co_await all_of(api, Query("DescribeSubnets"), "subnetSet", "subnetId");
    for (const Thing& subnet : subnets) {
        offer.choices["subnet_id"].push_back(choice(subnet.id, subnet.zone + ", " + subnet.vpc));
    }
}

asio::awaitable<void> add_machines(Api& api, Offer& offer) {
    const auto images = co_await own_images(api);
    for (const Image& image : images) {
        offer.choices["image"].push_back(choice(image.id, image.name));
    }
    const auto types = co_await instance_types(api);
    for (const std::string& type : types) offer.choices["flavor"].push_back(choice(type, ""));
}

/// Fields that name what the account does not have.
base::Problems unknown_fields(const Account& account, const Offer& offer) {
    base::Problems problems;
    for (const auto& [field, what] :
         {std::pair{"availability_zone", "availability zone"}, std::pair{"ssh_keypair", "key pair"},
          std::pair{"security_groups", "security group"},
          std::pair{"security_group_ids", "security group"}, std::pair{"subnet_id", "subnet"}}) {
        std::vector<std::string> known;
        const auto found = offer.choices.find(field);
        if (found != offer.choices.end()) {
            for (const Choice& one : found->second) known.push_back(one.value);
        }
        for (const std::string& name : cloud::list_in(cloud::text_of(account, field))) {
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                problems.push_back({field, cloud::unknown_name(what, name, known)});
            }
        }
    }
    return problems;
}

/// Tries whether the login may make things. EC2 answers a trial that would succeed with an error of
/// its own (status 412); other refusals than that of the permission say nothing about the login.
asio::awaitable<void> try_to_make(Api& api, Offer& offer) {
    std::vector<Query> trials;
    const auto images = offer.choices.find("image");
    if (images != offer.choices.end() && !images->second.empty()) {
        Query run("RunInstances");
        run.add("ImageId", images->second.front().value);
        run.add("InstanceType", "t3.micro").add("MinCount", "1").add("MaxCount", "1");
        trials.push_back(std::move(run));
    }
    const bool makes_groups = cloud::text_of(api.account(), "security_groups").empty() &&
                              cloud::text_of(api.account(), "security_group_ids").empty();
    if (makes_groups) {
        cloud::Mark mark;
        mark.installation = api.account().installation;
        mark.cluster = "trial";
        trials.push_back(create_group(api.account(), mark, ""));
    }
    for (Query& trial : trials) {
        trial.add("DryRun", "true");
        const Outcome outcome = co_await api.ask(trial);
        if (outcome.error && outcome.error->code == "UnauthorizedOperation") {
            offer.notes.push_back("the access key may not call ec2:" + trial.action() +
                                  ": add the action to its policy");
        }
    }
}

}  // namespace

asio::awaitable<Image> image_of(Api& api, std::string id) {
    Query query("DescribeImages");
    query.add_list("ImageId", {id});
    const Outcome outcome = co_await api.ask(query);
    const bool is_unknown = outcome.error && outcome.error->code.starts_with("InvalidAMIID");
    if (outcome.error && !is_unknown) api.refuse(outcome, query);
    std::vector<Image> images;
    if (!is_unknown) images = images_in(outcome.reply);
    if (images.empty()) {
        const auto own = co_await own_images(api);
        std::vector<std::string> known;
        for (const Image& image : own) known.push_back(image.id);
        // The beginning is Coopr's.
        throw cloud::wrong("Invalid AMI specified: " + cloud::unknown_name("image", id, known) +
                           " in " + region_of(api.account()));
    }
    Image image = images[0];
    if (!image.state.empty() && image.state != "available") {
        throw cloud::wrong("Invalid AMI specified: the image " + id + " is " + image.state);
    }
    co_return image;
}

asio::awaitable<std::vector<std::string>> instance_types(Api& api) {
    Query query("DescribeInstanceTypeOfferings");
    query.add("LocationType", "region");
    const auto replies = co_await api.pages(std::move(query));
    std::vector<std::string> types;
    for (const auto& reply : replies) {
        const auto more = texts_in(reply, "instanceTypeOfferingSet", "instanceType");
        types.insert(types.end(), more.begin(), more.end());
    }
    std::sort(types.begin(), types.end());
    types.erase(std::unique(types.begin(), types.end()), types.end());
    co_return types;
}

asio::awaitable<Offer> offer_of(Api& api) {
    Offer offer;
    offer.choices["availability_zone"] = co_await zones(api);
    offer.choices["ssh_keypair"] = co_await key_pairs(api);
    co_await add_groups(api, offer);
    co_await add_subnets(api, offer);
    co_await add_machines(api, offer);
    for (auto& [field, choices] : offer.choices) sort_choices(choices);
    const base::Problems problems = unknown_fields(api.account(), offer);
    if (!problems.empty()) throw cloud::wrong(base::to_text(problems));
    co_await try_to_make(api, offer);
    co_return offer;
}

}  // namespace provisioner::providers::aws
