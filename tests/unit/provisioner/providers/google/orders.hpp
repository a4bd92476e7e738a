#pragma once

#include "provisioner/providers/cloud/cloud.hpp"
#include "tests/unit/provisioner/providers/google/robot_key.hpp"

namespace tests {

using namespace provisioner;
using base::Json;

inline providers::Account google_account(const Json& fields = Json::object()) {
    providers::Account account;
    account.provider_type = "google";
    account.installation = "0123456789abcdef0123456789abcdef";
    account.fields = {{"google_project", "acme-1"}, {"zone_name", "us-central1-a"}};
    account.fields.update(fields);
    account.files["api_key_resource"] =
        base::to_text(Json{{"client_email", "robot@acme-1.iam.gserviceaccount.com"},
                           {"private_key_id", "0123abcd"},
                           {"private_key", robot_pem}});
    return account;
}

inline providers::MachineSpec google_spec() {
    providers::MachineSpec spec;
    spec.name = "00000001-1001";
    spec.task = 10;
    spec.cluster = "00000001";
    spec.hostname = "web1.example.org";
    spec.flavor = "e2-small";
    spec.image = "debian-12";
    spec.ssh_user = "admin";
    spec.authorized_key = "ssh-ed25519 LOGIN";
    return spec;
}

}  // namespace tests
