#include "provisioner/providers/cloudstack/requests.hpp"

#include <array>
#include <ctime>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::cloudstack {

namespace {

constexpr std::chrono::minutes valid_for{15};

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
    return all;
}

void put(Params& params, const std::string& name, const std::string& value) {
    if (!value.empty()) params[name] = value;
}

/// The words between blanks.
std::vector<std::string_view> words_in(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const auto blank = text.find(' ');
        words.push_back(text.substr(0, blank));
        text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
    }
    return words;
}

}  // namespace

std::string iso_date(base::Timestamp moment) {
    const std::time_t seconds =
        std::chrono::duration_cast<std::chrono::seconds>(moment.time_since_epoch()).count();
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    const std::size_t size =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S+0000", &parts);
    return {text.data(), size};
}

http_client::Request call(const Account& account, const std::string& command, Params params,
                          base::Timestamp now) {
    params["command"] = command;
    params["response"] = "json";
    params["apiKey"] = cloud::text_of(account, "api_key");
    params["signatureVersion"] = "3";
    params["expires"] = iso_date(now + valid_for);
    http_client::Request request =
        cloud::request_to(account, "POST", cloud::text_of(account, "api_endpoint"));
    request.headers = {{"Accept", "application/json"},
                       {"Content-Type", "application/x-www-form-urlencoded"}};
    const base::Secret key(cloud::text_of(account, "api_secret"));
    request.body = signed_form(params, key);
    return request;
}

std::string name_prefix(const Account& account) {
    return cloud::cloud_name(account, "");
}

std::string machine_name(const Account& account, const cloud::Mark& mark) {
    return cloud::cloud_name(
        account, mark.name + "-" + std::to_string(mark.task) + "-" + std::to_string(mark.attempt));
}

std::string display_name(const cloud::Mark& mark) {
    return "cooperage " + mark.installation + " " + mark.cluster + " " + mark.name + " " +
           std::to_string(mark.task) + "-" + std::to_string(mark.attempt);
}

std::optional<cloud::Mark> mark_in_display_name(std::string_view text) {
    const auto words = words_in(text);
    if (words.size() != 5 || words[0] != "cooperage") return std::nullopt;
    const auto hyphen = words[4].find('-');
    if (hyphen == std::string_view::npos) return std::nullopt;
    const auto task = base::parse_number(words[4].substr(0, hyphen));
    const auto attempt = base::parse_number(words[4].substr(hyphen + 1));
    if (!task || !attempt || *attempt > 1'000'000) return std::nullopt;
    cloud::Mark mark;
    mark.installation = words[1];
    mark.cluster = words[2];
    mark.name = words[3];
    mark.task = *task;
    mark.attempt = static_cast<int>(*attempt);
    return mark;
}

Params deployment(const cloud::Order& order, const DeploymentIds& ids) {
    const Account& account = order.account;
    Params params{{"name", machine_name(account, order.mark)},
                  {"displayname", display_name(order.mark)},
                  {"zoneid", ids.zone},
                  {"serviceofferingid", ids.offering},
                  {"templateid", ids.template_id}};
    put(params, "networkids", joined(ids.networks));
    put(params, "securitygroupids", joined(ids.groups));
    put(params, "keypair", cloud::setting(account, order.spec, "ssh_keypair"));
    put(params, "group", cloud::setting(account, order.spec, "cloudstack_group"));
    put(params, "rootdisksize", cloud::setting(account, order.spec, "root_disk_gb"));
    // Empty user data would be error 431.
    if (!order.user_data.empty()) params["userdata"] = base::base64(order.user_data);
    return params;
}

Params tag_params(const std::map<std::string, std::string>& tags) {
    Params params;
    int number = 0;
    for (const auto& [key, value] : tags) {
        const std::string tag = "tags[" + std::to_string(number++) + "].";
        params[tag + "key"] = key;
        params[tag + "value"] = value;
    }
    return params;
}

Params tag_filter(const cloud::Mark& mark) {
    if (mark.name.empty()) {
        return tag_params({{std::string(cloud::tag_installation), mark.installation}});
    }
    return tag_params({{std::string(cloud::tag_machine), mark.name}});
}

Params tagging(const std::string& resource_type, const std::string& id,
               const std::map<std::string, std::string>& tags) {
    Params params = tag_params(tags);
    params["resourcetype"] = resource_type;
    params["resourceids"] = id;
    return params;
}

}  // namespace provisioner::providers::cloudstack
