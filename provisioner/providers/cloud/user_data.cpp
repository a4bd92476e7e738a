#include "provisioner/providers/cloud/user_data.hpp"

#include "provisioner/base/base64.hpp"
#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/cloud/mark.hpp"

namespace provisioner::providers::cloud {

namespace {

base::Json cloud_config(const MachineSpec& spec, const Mark& mark) {
    base::Json config = base::Json::object();
    config["hostname"] = spec.hostname.substr(0, spec.hostname.find('.'));
    config["fqdn"] = spec.hostname;
    // sudo hangs on a name that does not resolve. "localhost" adds the line and leaves the rest of
    // the file alone, where the daemon keeps the names of the cluster.
    config["manage_etc_hosts"] = "localhost";
    config["ssh_pwauth"] = false;
    if (const auto pair = host_key_for(spec, mark)) {
        config["ssh_deletekeys"] = true;
        config["ssh_keys"] = {{"ed25519_private", pair->private_key.reveal()},
                              {"ed25519_public", pair->public_key}};
    }
    base::Json key = base::Json::array({spec.authorized_key});
    if (spec.ssh_user == "root") {
        config["disable_root"] = false;
        config["ssh_authorized_keys"] = std::move(key);
        return config;
    }
    base::Json user = base::Json::object();
    user["name"] = spec.ssh_user;
    user["sudo"] = "ALL=(ALL) NOPASSWD:ALL";
    user["shell"] = "/bin/bash";
    user["lock_passwd"] = true;
    user["ssh_authorized_keys"] = std::move(key);
    config["users"] = base::Json::array({"default", std::move(user)});
    return config;
}

/// By its first line, as cloud-init tells them apart.
std::string type_of(const std::string& text) {
    if (text.starts_with("#!")) return "text/x-shellscript";
    if (text.starts_with("#cloud-boothook")) return "text/cloud-boothook";
    if (text.starts_with("#include")) return "text/x-include-url";
    return "text/cloud-config";
}

std::string part(const std::string& type, const std::string& text) {
    return "Content-Type: " + type +
           "; charset=\"utf-8\"\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n"
           "Merge-Type: list(append)+dict(no_replace,recurse_list)+str()\n\n" +
           base::base64(text) + "\n";
}

}  // namespace

std::optional<identity::SshKeyPair> host_key_for(const MachineSpec& spec, const Mark& mark) {
    if (spec.host_key_seed.empty() || mark.task == 0) return std::nullopt;
    const std::string purpose =
        "host key " + std::to_string(mark.task) + "-" + std::to_string(mark.attempt);
    return identity::ssh_key_pair(identity::derived_secret(spec.host_key_seed, purpose));
}

std::string user_data_for(const Account& account, const MachineSpec& spec, const Mark& mark,
                          const base::Json& more) {
    base::Json config = cloud_config(spec, mark);
    config.update(more);
    // JSON is YAML.
    const std::string ours = "#cloud-config\n" + base::to_text(config) + "\n";
    const auto own = account.files.find("user_data_resource");
    if (own == account.files.end() || own->second.empty()) return ours;
    const std::string boundary = "cooperage-" + token_of(account, spec, "boundary").substr(0, 32);
    return "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\nMIME-Version: 1.0\n\n--" +
           boundary + "\n" + part("text/cloud-config", ours) + "--" + boundary + "\n" +
           part(type_of(own->second), own->second) + "--" + boundary + "--\n";
}

void check_user_data(const Account& account, std::string_view sent, std::size_t most,
                     std::string_view who) {
    if (sent.size() <= most) return;
    std::string words = "the user data have " + std::to_string(sent.size()) + " bytes, and " +
                        std::string(who) + " takes " + std::to_string(most);
    const bool has_own = account.files.contains("user_data_resource");
    throw wrong(has_own ? "user_data_resource: " + words + ": make the file shorter" : words);
}

}  // namespace provisioner::providers::cloud
