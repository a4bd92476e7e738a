#include "provisioner/providers/joyent/requests.hpp"

#include <ctime>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/joyent/private_key.hpp"
#include "provisioner/providers/joyent/rules.hpp"

namespace provisioner::providers::joyent {

namespace {

/// "/joe/keys/laptop", or "/joe/users/robot/keys/laptop" for a sub-user.
std::string key_id(const Account& account) {
    const std::string user = cloud::text_of(account, "joyent_subuser");
    return "/" + cloud::text_of(account, "api_user") + (user.empty() ? "" : "/users/" + user) +
           "/keys/" + cloud::text_of(account, "ssh_keypair");
}

/// The part of a URL that is signed: what follows the host.
std::string target_of(const std::string& url) {
    const auto host = url.find("://");
    const auto path = host == std::string::npos ? host : url.find('/', host + 3);
    return path == std::string::npos ? "/" : url.substr(path);
}

PrivateKey key_of(const Account& account) {
    const auto file = account.files.find("ssh_key_resource");
    if (file == account.files.end()) {
        throw cloud::wrong("ssh_key_resource: there is no file \"" +
                           cloud::text_of(account, "ssh_key_resource") +
                           "\" among the ssh_keys of the provider type");
    }
    auto key = PrivateKey::read(base::Secret(file->second));
    if (!key) throw cloud::wrong("ssh_key_resource: " + key.error());
    return *std::move(key);
}

std::string authorization(const Account& account, const http_client::Request& request,
                          const std::string& date) {
    if (!is_signed(account)) {
        return "Basic " + base::base64(cloud::text_of(account, "api_user") + ":" +
                                       cloud::text_of(account, "api_password"));
    }
    const PrivateKey key = key_of(account);
    const std::string signature =
        key.sign("(request-target): " + base::in_small_letters(request.method) + " " +
                 target_of(request.url) + "\ndate: " + date);
    return "Signature keyId=\"" + key_id(account) + "\",algorithm=\"" + key.algorithm() +
           "\",headers=\"(request-target) date\",signature=\"" + signature + "\"";
}

/// In single quotes for sh.
std::string quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace

bool is_signed(const Account& account) {
    return !cloud::text_of(account, "ssh_key_resource").empty() &&
           !cloud::text_of(account, "ssh_keypair").empty();
}

std::string endpoint_of(const Account& account) {
    return cloud::endpoint_of(account, cloud::text_of(account, "joyent_api_url"));
}

std::string http_date(base::Timestamp moment) {
    const std::time_t seconds =
        std::chrono::duration_cast<std::chrono::seconds>(moment.time_since_epoch()).count();
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    // The daemon's locale is "C": names of days and months are English.
    const std::size_t size =
        std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return {text.data(), size};
}

http_client::Request call(const Account& account, std::string method, const std::string& path,
                          const base::Json& body, base::Timestamp now) {
    const std::string login = cloud::percent_encoded(cloud::text_of(account, "api_user"));
    http_client::Request request =
        cloud::request_to(account, std::move(method), endpoint_of(account) + "/" + login + path);
    if (!body.is_null()) request.body = base::to_text(body);
    const std::string version = cloud::text_of(account, "joyent_version");
    const std::string date = http_date(now);
    request.headers = {{"Accept", "application/json"},
                       {"Accept-Version", version.empty() ? "~7.0" : version},
                       {"Date", date},
                       {"Authorization", authorization(account, request, date)}};
    if (!body.is_null()) request.headers.emplace_back("Content-Type", "application/json");
    return request;
}

std::string page_path(const Account& account, int offset, int limit) {
    return "/machines?tag." + std::string(cloud::tag_installation) + "=" +
           cloud::percent_encoded(account.installation) + "&offset=" + std::to_string(offset) +
           "&limit=" + std::to_string(limit);
}

std::string machine_name(const Account& account, const std::string& name) {
    return cloud::cloud_name(account, name);
}

std::string firewall_group(const Account& account, const std::string& cluster) {
    return cloud::cloud_name(account, cluster);
}

base::Json creation(const cloud::Order& order, const std::string& image,
                    const std::vector<std::string>& networks) {
    const Account& account = order.account;
    base::Json body = base::Json::object();
    body["name"] = machine_name(account, order.spec.name);
    body["package"] = order.placement.flavor;
    body["image"] = image;
    if (!networks.empty()) body["networks"] = networks;
    for (const auto& [name, value] : cloud::tags_of(order.mark)) body["tag." + name] = value;
    if (cloud::is_yes(cloud::setting(account, order.spec, "joyent_firewall"), true)) {
        body["tag." + std::string(firewall_tag)] = firewall_group(account, order.spec.cluster);
        body["firewall_enabled"] = true;
    }
    if (order.user_data.empty()) {
        body["metadata.user-script"] = user_script(order.spec);
    } else {
        body["metadata.cloud-init:user-data"] = order.user_data;
    }
    return body;
}

std::string user_script(const MachineSpec& spec) {
    const std::string name = spec.hostname.substr(0, spec.hostname.find('.'));
    return "#!/bin/sh\n"
           "user=" +
           quoted(spec.ssh_user) +
           "\n"
           "key=" +
           quoted(spec.authorized_key) +
           "\n"
           "name=" +
           quoted(name) +
           "\n"
           "id \"$user\" >/dev/null 2>&1 || useradd -m -s /bin/sh \"$user\"\n"
           "home=$(eval echo \"~$user\")\n"
           "mkdir -p \"$home/.ssh\"\n"
           "grep -qsF \"$key\" \"$home/.ssh/authorized_keys\" || "
           "echo \"$key\" >> \"$home/.ssh/authorized_keys\"\n"
           "chown -R \"$user\" \"$home/.ssh\"\n"
           "chmod 700 \"$home/.ssh\"; chmod 600 \"$home/.ssh/authorized_keys\"\n"
           "if command -v sm-set-hostname >/dev/null 2>&1; then sm-set-hostname \"$name\"\n"
           "else hostname \"$name\"; echo \"$name\" > /etc/hostname; fi\n";
}

// A bootcmd, because it runs before services are started, and at every boot. The lists that are
// empty keep cloud-init's own idea of this disk (a file system "ephemeral0" on /mnt) away.
base::Json data_disk() {
    base::Json config = base::Json::object();
    config["disk_setup"] = base::Json::object();
    config["fs_setup"] = base::Json::array();
    config["mounts"] = base::Json::array({base::Json::array({"ephemeral0"})});
    const char* script =
        "[ -b /dev/vdb ] && [ ! -b /dev/vdb1 ] || exit 0; "
        "blkid /dev/vdb >/dev/null || mkfs.ext4 -q /dev/vdb || exit 0; "
        "mkdir -p /data; "
        "grep -q '^/dev/vdb /data ' /etc/fstab || "
        "echo '/dev/vdb /data ext4 defaults,nofail 0 2' >> /etc/fstab; "
        "grep -q '^/dev/vdb /data ' /proc/mounts || mount /data";
    config["bootcmd"] = base::Json::array({base::Json::array({"sh", "-c", script})});
    return config;
}

}  // namespace provisioner::providers::joyent
